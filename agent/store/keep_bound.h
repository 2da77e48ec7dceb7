// Keeps a store within its limit: drops files that coarser files cover first, then the oldest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/window_files.h"

namespace hearth::store {

struct Bound {
  int64_t bytes = 0;
  size_t files = SIZE_MAX;  // if coarser files cover the dropped ones
};

// The files to drop so that the rest stays within the limit. Files of a level of the same hour (day) are dropped
// together. The newest window stays, whatever its size.
struct ToDrop {
  StoredWindow window;
  bool is_told;  // by a coarser file, which may have to be dropped as well
};
std::vector<ToDrop> to_drop(const std::vector<StoredWindow>& windows, const Bound& most);

// Size of all files of a store, including those of the flight recorder. Files of others do not count.
int64_t bytes_of(const std::string& store);

// Drops the oldest files of the flight recorder if they take more than `most`.
void drop_kept(const std::string& store, int64_t most);

struct Dropped {
  uint64_t files = 0;
  int64_t lost_until_ns = 0;  // end of the time that no coarser file covers; 0: nothing is lost
  int64_t bytes_left = 0;     // of the whole store
  size_t files_left = 0;      // windows and merged files
};
// Throws Error if the store cannot be read. `most.bytes`: limit of the whole store.
Dropped enforce_bound(const std::string& store, const Bound& most);

}  // namespace hearth::store
