// How much the stored profiles may take: the oldest are dropped when there are more, and what killed processes left
// half written goes, too. Thread safe; several processes may look after one folder.
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "session/options.h"

namespace hearth::http {

inline constexpr std::string_view kProfileEnding = ".pb.gz";
inline constexpr std::string_view kDescriptionEnding = ".json";

struct StoredFile {
  std::string id;
  int64_t bytes = 0;  // with its description
  timespec written{};
};
// The profiles of a folder, in no order. Throws Error where it cannot be read.
std::vector<StoredFile> stored_files(const std::string& folder);

struct StoreFigures {
  int64_t profiles = 0;
  int64_t bytes = 0;
  uint64_t dropped = 0;  // by this object
};

class StoreBound {
 public:
  // `log` takes a line for each dropping.
  StoreBound(std::string folder, const session::StoreLimits& limits, std::function<void(const std::string&)> log);

  // Drops the oldest as long as there is too much, but never `newest`, not even where that alone is too large. Who
  // reads a profile has opened it, and reads it to its end all the same; one that is being written has no name yet.
  void enforce(const std::string& newest = "");
  // Cheap while nothing changes.
  StoreFigures figures();
  const session::StoreLimits& limits() const { return limits_; }

 private:
  void drop(const StoredFile& file);
  void clear_leftovers() const;

  const std::string folder_;
  const session::StoreLimits limits_;
  const std::function<void(const std::string&)> log_;
  std::mutex mutex_;
  StoreFigures figures_;
  timespec seen_{};  // the folder's last change that figures_ know
};

}  // namespace hearth::http
