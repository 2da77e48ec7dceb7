// Figures of each file of a store, one line per file, so that a line over days can be drawn without opening all files.
// A cache: contains only data of the files.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "profile/model/profile.h"

namespace hearth::store {

struct WindowFigures {
  int64_t sampled_ns = 0;  // recorded time
  uint64_t samples = 0;
  int64_t cpu_ns = 0;  // of the sampled threads
  int64_t allocated_bytes = 0;
  int64_t gc_pause_ns = 0;
};
WindowFigures figures_of(const profile::Profile& profile);

// By the name of the file; empty if there are none.
std::map<std::string, WindowFigures> read_figures(const std::string& store);
// Returns the number of bytes written. A failure loses nothing: readers then read the file itself.
int64_t add_figures(const std::string& store, const std::string& name, const WindowFigures& figures);
// Removes the lines of deleted files. Throws FileError.
void tidy_figures(const std::string& store);

}  // namespace hearth::store
