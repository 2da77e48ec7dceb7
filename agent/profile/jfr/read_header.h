// The chunks of a recording, by their headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/time_choice.h"

namespace hearth::profile::jfr::recorded {

struct Chunk {
  size_t begin = 0;  // offsets in the recording
  size_t end = 0;
  uint64_t metadata = 0;        // offsets in the chunk; beyond its end if damaged
  uint64_t constant_pools = 0;  // the last ones
  int64_t start_ns = 0;         // since 1970
  int64_t duration_ns = 0;      // 0: not known
  uint64_t start_ticks = 0;
  uint64_t ticks_per_second = 1;
  bool is_compressed = true;
  std::string problem;  // of its header; "": none

  // Time since 1970, of a number of ticks since the JVM's own origin. Saturates.
  int64_t unix_ns(uint64_t ticks) const;
  int64_t ticks_ns(int64_t ticks) const;
};

// All chunks, also damaged ones: where a header's size leads to none, the next header is searched for. Throws
// FormatError for other versions of the format and if there is no chunk.
// `release(begin, end)`: as that of jfr::read(): each header brings the pages next to it into memory.
std::vector<Chunk> chunks_of(std::string_view recording, const std::function<void(size_t, size_t)>& release = {});
// From the first chunk's start to the last one's end.
TimeChoice time_of(const std::vector<Chunk>& chunks);

}  // namespace hearth::profile::jfr::recorded
