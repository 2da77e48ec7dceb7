// The JVM, the process and the machine, as events of a recording.
#pragma once

#include <cstdint>

#include "profile/jfr/write_chunk.h"
#include "session/session_state.h"

namespace hearth::naming {

// Settings of the session, and facts that do not change while it runs; at the start of each chunk.
void put_jvm_facts(const session::SessionState& session, profile::jfr::ChunkWriter* chunk);

// Puts the load of the processors since its last call into a recording.
class LoadMeter {
 public:
  LoadMeter();
  void put(profile::jfr::ChunkWriter* chunk, int64_t ticks);

 private:
  struct Times {
    double user = 0, system = 0;           // of the process, in seconds
    double machine_busy = 0, elapsed = 0;  // of all processors
  };
  static Times now();

  Times last_;
};

}  // namespace hearth::naming
