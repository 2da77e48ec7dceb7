// What each file of a store comes to, a line each, so that nobody opens all of them to draw a line over days. It holds
// nothing that the files do not.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "profile/model/profile.h"

namespace hearth::store {

struct WindowFigures {
  int64_t sampled_ns = 0;  // how long it was recorded for
  uint64_t samples = 0;
  int64_t cpu_ns = 0;  // of the sampled threads
  int64_t allocated_bytes = 0;
  int64_t gc_pause_ns = 0;
};
WindowFigures figures_of(const profile::Profile& profile);

// By the name of the file; empty where there are none.
std::map<std::string, WindowFigures> read_figures(const std::string& store);
// Returns how many bytes that took. Where it cannot be written nothing is lost: who asks reads the file itself.
int64_t add_figures(const std::string& store, const std::string& name, const WindowFigures& figures);
// Forgets files that are there no more. Throws FileError.
void tidy_figures(const std::string& store);

}  // namespace hearth::store
