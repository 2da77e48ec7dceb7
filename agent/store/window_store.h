// The store of one running JVM: writes its windows, merges and drops. One writer a directory, whoever reads. Thread
// safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/files.h"
#include "base/owned.h"
#include "profile/model/profile.h"
#include "store/time_range.h"
#include "store/window_levels.h"

namespace hearth::store {

class WindowStore {
 public:
  using Say = std::function<void(const std::string& line)>;
  // Makes the directory, and takes away what a killed process left half written. `say` gets a line where something is
  // dropped or does not go well. Throws Error where that cannot be, or another process writes there.
  WindowStore(std::string directory, int64_t most_bytes, Say say);

  // Writes one window of what its metadata says, and drops what there is no room for. Returns the name of its file; ""
  // where it became a part of a merged one, or the disk is full or gone: says so, once until it goes well again, and
  // counts what is lost.
  std::string add(const profile::Profile& profile);
  // Merges an hour or a day that is over, which takes a moment. Whether there was one: then call it again.
  bool merge_once();
  // Another thread's merge_once() breaks off, and none begins.
  void interrupt() { ends_ = true; }
  // Keeps a range apart, where nothing is merged. Returns the file. Throws Error.
  std::string keep(const TimeRange& range, const std::string& reason);

  const std::string& directory() const { return directory_; }
  uint64_t written() const { return written_; }
  uint64_t lost() const { return lost_; }  // windows that could not be written
  int64_t most_bytes() const { return most_bytes_; }
  int64_t bytes() const { return bytes_; }  // that it took when a window was written last

 private:
  void open();
  bool has_lock() const;
  void clear_leftovers() const;
  std::string write(const profile::Profile& profile);
  std::string free_name(const profile::Profile& profile);
  void put(const std::string& path, const std::string& content, Written written);
  PutFile put_merged();
  void make_room(int64_t bytes);
  int64_t drop_to(int64_t bytes);
  void recount();

  const std::string directory_;
  const int64_t most_bytes_;
  const Say say_;
  std::atomic<uint64_t> written_{0};
  std::atomic<uint64_t> lost_{0};
  std::atomic<int64_t> bytes_{0};
  std::atomic<bool> ends_{false};
  std::mutex mutex_;  // of all below, and of the files
  UniqueFd lock_;     // of the directory
  bool fails_ = false;
  bool fails_to_merge_ = false;
  int64_t last_end_ns_ = 0;    // of the window that came last
  int64_t newest_end_ns_ = 0;  // of all
  int64_t told_lost_until_ns_ = 0;
  size_t files_ = 0;             // of windows, as bytes_
  size_t files_to_look_at_ = 0;  // of more it is looked for what can go
  int64_t merged_until_ns_ = 0;  // the hour in which nothing was left to merge
};

}  // namespace hearth::store
