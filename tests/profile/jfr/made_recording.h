// Small recordings of known content, as the JDK writes them.
#pragma once

#include <cstdint>
#include <string>

namespace hearth::profile {

struct MadeChunk {
  bool compressed = true;
  int64_t start_ns = 1'700'000'000'000'000'000;
  int64_t duration_ns = 1'000'000'000;
  const char* outer_frame = "Interpreted";  // types of the frames of Main.main and Work.work
  const char* inner_frame = "JIT compiled";
  bool is_finished = true;  // else its header has neither size nor offsets, as while it is written
};

// A chunk with, at 0.1 s: two CPU samples of Main.main › Work.work (line 7) on the thread main, every 20 ms; an
// allocation of 16 bytes that stands for 1,600, of byte[]; at 0.5 s a wait of 5 ms for a monitor of java/lang/Object on
// "worker", a park of 7 ms on a ReentrantLock and one of 9 ms on a queue; a read of 300 bytes of /a/file in 2 ms; a CPU
// sample with a truncated stack, and one without a stack; 3 objects of events that no reader knows.
std::string made_chunk(const MadeChunk& chunk = {});

}  // namespace hearth::profile
