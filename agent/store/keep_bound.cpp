#include "store/keep_bound.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "store/window_cover.h"

namespace hearth::store {
namespace {

namespace fs = std::filesystem;

// Files that are dropped together: those of one level that one coarser file may cover.
struct Group {
  Level level;
  int64_t begin_ns;
  bool is_told = false;  // by a coarser file
  std::vector<StoredWindow> files;
};

std::vector<Group> groups_of(const std::vector<StoredWindow>& windows) {
  std::map<std::pair<Level, int64_t>, Group> groups;
  for (const StoredWindow& window : windows) {
    int64_t begin = begin_of_span(window.begin_ns, coarser(window.level));
    Group& group = groups[{window.level, begin}];
    group.level = window.level;
    group.begin_ns = begin;
    group.files.push_back(window);
  }
  std::set<std::pair<Level, int64_t>> coarse;
  for (const StoredWindow& window : without_outdated(windows)) coarse.insert({window.level, window.begin_ns});
  std::vector<Group> ordered;
  for (auto& [key, group] : groups) {
    group.is_told = group.level != Level::kDay && coarse.count({coarser(group.level), group.begin_ns}) > 0;
    ordered.push_back(std::move(group));
  }
  // Fine levels first, which hold the least time for their size.
  std::stable_sort(ordered.begin(), ordered.end(), [](const Group& a, const Group& b) {
    if (a.is_told != b.is_told) return a.is_told;
    if (a.is_told && a.level != b.level) return a.level < b.level;
    return a.begin_ns < b.begin_ns;
  });
  return ordered;
}

}  // namespace

std::vector<ToDrop> to_drop(const std::vector<StoredWindow>& windows, const Bound& most) {
  int64_t bytes = 0;
  size_t files = windows.size();
  const StoredWindow* newest = nullptr;
  for (const StoredWindow& window : windows) {
    bytes += window.bytes;
    if (window.level == Level::kWindow && (newest == nullptr || newest->begin_ns <= window.begin_ns)) newest = &window;
  }
  std::vector<ToDrop> dropped;
  for (const Group& group : groups_of(windows)) {
    for (const StoredWindow& file : group.files) {
      // An hour that is not merged yet is dropped window by window.
      bool is_within = bytes <= most.bytes && (files <= most.files || !group.is_told);
      if (is_within && (!group.is_told || &file == &group.files.front())) return dropped;
      if (newest != nullptr && file.level == newest->level && file.name == newest->name) continue;
      bytes -= file.bytes;
      files--;
      dropped.push_back({file, group.is_told});
    }
  }
  return dropped;
}

int64_t bytes_of(const std::string& store) {
  int64_t bytes = 0;
  for (const std::string& folder : folders_of(store)) {
    std::error_code error;
    fs::directory_iterator files(folder, error);
    for (; !error && files != fs::directory_iterator(); files.increment(error)) {
      if (!is_name_of_store(files->path().filename().string())) continue;
      std::error_code gone;
      auto size = static_cast<int64_t>(files->is_regular_file(gone) ? files->file_size(gone) : 0);
      if (!gone) bytes += size;
    }
  }
  return bytes;
}

void drop_kept(const std::string& store, int64_t most) {
  std::map<std::string, int64_t> files;  // by name, which begins with the time
  int64_t bytes = 0;
  std::error_code error;
  fs::directory_iterator entries(store + "/kept", error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    std::error_code gone;
    auto size = static_cast<int64_t>(entries->file_size(gone));
    if (!gone) bytes += files[entries->path().string()] = size;
  }
  for (const auto& [path, size] : files) {
    if (bytes <= most) return;
    ::unlink(path.c_str());
    bytes -= size;
  }
}

Dropped enforce_bound(const std::string& store, const Bound& most) {
  std::vector<StoredWindow> windows = all_windows(store);
  int64_t held = 0;
  for (const StoredWindow& window : windows) held += window.bytes;
  int64_t other = std::max<int64_t>(bytes_of(store) - held, 0);
  Dropped dropped;
  dropped.bytes_left = held + other;
  dropped.files_left = windows.size();
  for (const auto& [window, is_told] : to_drop(windows, {most.bytes - other, most.files})) {
    ::unlink(path_of(store, window).c_str());
    dropped.files++;
    dropped.files_left--;
    dropped.bytes_left -= window.bytes;
    if (!is_told) dropped.lost_until_ns = std::max(dropped.lost_until_ns, window.end_ns());
  }
  return dropped;
}

}  // namespace hearth::store
