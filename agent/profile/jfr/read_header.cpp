#include "profile/jfr/read_header.h"

#include <algorithm>

#include "base/formatted.h"
#include "profile/formats/formats.h"
#include "profile/jfr/layout.h"

namespace hearth::profile::jfr::recorded {
namespace {

uint64_t field_of(std::string_view header, size_t at, size_t width = 8) {
  uint64_t value = 0;
  for (char one : header.substr(at, width)) value = value << 8 | static_cast<uint8_t>(one);
  return value;
}

bool is_header(std::string_view recording, size_t at) {
  return recording.size() - at >= header::kSize && recording.substr(at, kMagic.size()) == kMagic &&
         field_of(recording.substr(at), header::kVersion, 2) == kMajorVersion;
}

// Whether another chunk or the end follows.
bool is_followed(std::string_view recording, size_t at) {
  uint64_t size = field_of(recording.substr(at), header::kChunkSize);
  size_t left = recording.size() - at;
  return size == left || (size >= header::kSize && size < left && is_header(recording, at + size));
}

// The next header from `at` on; the end if there is none. JDK 17 leaves copies of headers in its chunks, which lead
// nowhere.
size_t next_header(std::string_view recording, size_t at) {
  for (; (at = recording.find(kMagic, at)) != std::string_view::npos; ++at) {
    if (!is_header(recording, at)) continue;
    bool is_begun = field_of(recording.substr(at), header::kChunkSize) == 0;
    if (is_begun || is_followed(recording, at)) return at;
  }
  return recording.size();
}

// Of a header that is there as a whole.
Chunk read_header(std::string_view recording, size_t at) {
  std::string_view header = recording.substr(at);
  Chunk chunk;
  chunk.begin = at;
  chunk.constant_pools = field_of(header, header::kConstantPools);
  chunk.metadata = field_of(header, header::kMetadata);
  chunk.start_ns = static_cast<int64_t>(field_of(header, header::kStartNanos));
  chunk.duration_ns = std::max<int64_t>(0, static_cast<int64_t>(field_of(header, header::kDurationNanos)));
  chunk.start_ticks = field_of(header, header::kStartTicks);
  chunk.ticks_per_second = std::max<uint64_t>(1, field_of(header, header::kTicksPerSecond));
  chunk.is_compressed = (field_of(header, header::kFlags, 1) & kCompressedIntegers) != 0;
  uint64_t size = field_of(header, header::kChunkSize);
  size_t left = recording.size() - at;
  if (is_followed(recording, at)) {
    chunk.end = at + size;
    return chunk;
  }
  chunk.end = next_header(recording, at + header::kSize);
  if (size == 0)
    chunk.problem = "it was still being written";
  else if (size > left && chunk.end == recording.size())
    chunk.problem = formatted("it is cut short: {} of {} bytes are there", left, size);
  else
    chunk.problem = "its size is damaged";
  return chunk;
}

int64_t saturated(__int128 value) {
  if (value > INT64_MAX) return INT64_MAX;
  return value < INT64_MIN ? INT64_MIN : static_cast<int64_t>(value);
}

}  // namespace

int64_t Chunk::ticks_ns(int64_t ticks) const {
  constexpr __int128 kSecond = 1'000'000'000;
  return saturated(__int128{ticks} * kSecond / static_cast<__int128>(ticks_per_second));
}

int64_t Chunk::unix_ns(uint64_t ticks) const {
  return saturated(__int128{start_ns} + ticks_ns(static_cast<int64_t>(ticks - start_ticks)));
}

TimeChoice time_of(const std::vector<Chunk>& chunks) {
  TimeChoice time = {INT64_MAX, INT64_MIN};
  for (const Chunk& chunk : chunks) {
    time.from_ns = std::min(time.from_ns, chunk.start_ns);
    time.to_ns = std::max(time.to_ns, saturating_sum(chunk.start_ns, chunk.duration_ns));
  }
  return time;
}

std::vector<Chunk> chunks_of(std::string_view recording, const std::function<void(size_t, size_t)>& release) {
  if (recording.size() >= header::kSize && recording.substr(0, kMagic.size()) == kMagic) {
    uint64_t version = field_of(recording, header::kVersion, 2);
    if (version < kMajorVersion)
      throw FormatError("it is a recording of Oracle's JDK 7 or 8, in a format that hearth does not read");
    if (version > kMajorVersion)
      throw FormatError(formatted("it is a recording of a newer format, version {}", version));
  }
  std::vector<Chunk> chunks;
  for (size_t at = is_header(recording, 0) ? 0 : next_header(recording, 0); at < recording.size();) {
    chunks.push_back(read_header(recording, at));
    at = chunks.back().end;
    if (release) release(chunks.back().begin, at);
    // What follows may be no chunk.
    if (at < recording.size() && !is_header(recording, at)) at = next_header(recording, at);
  }
  if (chunks.empty()) throw FormatError("the recording is cut short: it has no chunk");
  return chunks;
}

}  // namespace hearth::profile::jfr::recorded
