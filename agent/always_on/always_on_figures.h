// Figures of an always-on store, for status, metrics and HTTP.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hearth::always_on {

struct AlwaysOnFigures {
  std::string directory;
  std::vector<std::string> events;  // as they were asked for
  int64_t window_ns = 0;
  int64_t keep_bytes = 0;  // bound of its files
  int64_t bytes = 0;       // its files when the last window was written
  uint64_t written = 0;    // windows, since it was started
  uint64_t lost = 0;       // of them, those that could not be written
  double budget = 0;       // bound of its cost, as a share of one CPU
  double cost = 0;         // its cost at the last measurement
  int64_t slowdown = 1;    // by how much its rates are lower than asked for
  std::string unsampled;   // why an event is missing now; "": none is
};

}  // namespace hearth::always_on
