// The store of one running JVM: writes, merges and drops its windows. One writer per directory, any readers. Thread
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
  using Log = std::function<void(const std::string& line)>;
  // Creates the directory, and removes half-written files of a killed process. `say` logs a line if something is
  // dropped or fails. Throws Error if the directory cannot be used, or another process writes there.
  WindowStore(std::string directory, int64_t most_bytes, Log log);

  // Writes one window, named by its metadata, and drops others if there is no space. Returns the name of its file; ""
  // if it became a part of a merged file, or if the disk is full or gone: this is logged once until writing succeeds
  // again, and lost windows are counted.
  std::string add(const profile::Profile& profile);
  // Merges a past hour or day, which takes a moment. Returns whether there was one: then call it again.
  bool merge_once();
  // Stops another thread's merge_once(), and starts no more.
  void interrupt() { ends_ = true; }
  // Keeps a range in DIR/kept, where nothing is merged. Returns the file. Throws Error.
  std::string keep(const TimeRange& range, const std::string& reason);

  const std::string& directory() const { return directory_; }
  uint64_t written() const { return written_; }
  uint64_t lost() const { return lost_; }  // windows that could not be written
  int64_t most_bytes() const { return most_bytes_; }
  int64_t bytes() const { return bytes_; }  // size after the last write

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
  const Log log_;
  std::atomic<uint64_t> written_{0};
  std::atomic<uint64_t> lost_{0};
  std::atomic<int64_t> bytes_{0};
  std::atomic<bool> ends_{false};
  std::mutex mutex_;  // guards all below, and the files
  UniqueFd lock_;     // of the directory
  bool fails_ = false;
  bool fails_to_merge_ = false;
  int64_t last_end_ns_ = 0;    // of the last added window
  int64_t newest_end_ns_ = 0;  // of all windows
  int64_t told_lost_until_ns_ = 0;
  size_t files_ = 0;             // number of windows, as of bytes_
  size_t files_to_look_at_ = 0;  // above this number, files to drop are searched
  int64_t merged_until_ns_ = 0;  // the hour in which nothing remained to merge
};

}  // namespace hearth::store
