// A store never takes more than it may: first goes what coarser files tell, too, then what is oldest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/window_files.h"

namespace hearth::store {

struct Bound {
  int64_t bytes = 0;
  size_t files = SIZE_MAX;  // as far as coarser files tell what they do
};

// Which files have to go so that the rest takes no more. Of a level, the files of one hour (day) go
// together. The newest window stays, whatever it takes.
struct ToDrop {
  StoredWindow window;
  bool is_told;  // by a coarser file, which may have to go as well
};
std::vector<ToDrop> to_drop(const std::vector<StoredWindow>& windows, const Bound& most);

// All that a store takes, by its files' sizes: what was kept by the flight recorder, too. Others' files do not count.
int64_t bytes_of(const std::string& store);

// Of what the flight recorder keeps, the oldest go where it takes more than `most`.
void drop_kept(const std::string& store, int64_t most);

struct Dropped {
  uint64_t files = 0;
  int64_t lost_until_ns = 0;  // of what no coarser file tells; 0: nothing is lost
  int64_t bytes_left = 0;     // of all that the store takes
  size_t files_left = 0;      // of windows
};
// Throws Error where the store cannot be read.
// `most.bytes`: of all that the store takes.
Dropped enforce_bound(const std::string& store, const Bound& most);

}  // namespace hearth::store
