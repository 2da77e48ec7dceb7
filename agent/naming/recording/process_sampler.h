// Samples the processes of the machine into a recording, as async-profiler's proc does: those that use much CPU time or
// memory. One call at a time.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/jfr/write_chunk.h"

namespace hearth::naming {

// What /proc tells of a process. Times are in seconds, memory and I/O in bytes.
struct ProcessFigures {
  pid_t pid = 0;
  pid_t parent = 0;
  std::string name;
  std::string command_line;
  int64_t uid = 0;
  char state = 0;
  uint64_t start_ticks = 0;  // since the machine's start
  double user = 0, system = 0;
  int64_t threads = 0;
  int64_t size = 0, resident = 0, anonymous = 0, files = 0, shared = 0;
  int64_t minor_faults = 0, major_faults = 0;
  int64_t read = 0, written = 0;
};

// `stat`, `status`: contents of the files of these names in /proc/PID. False: they are not readable.
bool parse_process(const std::string& stat, const std::string& status, ProcessFigures* figures);

class ProcessSampler {
 public:
  // Puts those processes into the recording that, since the last call, used 5 % of a CPU, or that hold 5 % of the
  // machine's memory. The first call only notes the CPU times.
  void put(profile::jfr::ChunkWriter* chunk, int64_t ticks);

 private:
  struct Last {
    uint64_t start_ticks;
    double cpu;
  };

  std::map<pid_t, Last> last_;
  int64_t last_ticks_ = 0;
};

}  // namespace hearth::naming
