// Bounds the stored profiles: drops the oldest when there are too many, and files that killed processes left half
// written. Files with other names than the store's are neither counted nor dropped. Thread safe; several processes may
// bound one folder.
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "options/options.h"

namespace hearth::http {

inline constexpr std::string_view kProfileEnding = ".pb.gz";
inline constexpr std::string_view kDescriptionEnding = ".json";

struct StoredFile {
  std::string id;
  int64_t bytes = 0;  // with its description
  timespec written{};
};
// Whether ProfileStore::new_id() of any process made it: DATE-TIME-PID-NUMBER-RANDOM.
bool is_made_id(std::string_view text);
// All profiles of a folder, in no order. Throws Error where it cannot be read.
std::vector<StoredFile> stored_files(const std::string& folder);

struct StoreFigures {
  int64_t profiles = 0;
  int64_t bytes = 0;
  uint64_t dropped = 0;  // by this object
};

class StoreBound {
 public:
  // `log` gets a line when profiles are dropped.
  StoreBound(std::string folder, const options::StoreLimits& limits, std::function<void(const std::string&)> log);

  // Drops the oldest until the limits hold, but never `newest` (default: the one written last). Where that alone is too
  // large it is not counted, or all others would be dropped for it; it is dropped first when it is no longer the
  // newest. A profile that is being read stays open for its reader; one that is being written has no name yet.
  void enforce(const std::string& newest = "");
  // Removes files that killed processes left half written.
  void clear_leftovers() const;
  // Cheap while nothing changes.
  StoreFigures figures();
  const options::StoreLimits& limits() const { return limits_; }

 private:
  std::vector<StoredFile> made_files() const;
  void drop(const StoredFile& file);

  const std::string folder_;
  const options::StoreLimits limits_;
  const std::function<void(const std::string&)> log_;
  std::mutex mutex_;
  StoreFigures figures_;
  timespec seen_{};  // the folder's last change that figures_ know
};

}  // namespace hearth::http
