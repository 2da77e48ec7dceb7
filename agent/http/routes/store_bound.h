// How much the stored profiles may take: the oldest are dropped when there are more, and what killed processes left
// half written goes, too. Files that have no name of the store's making are neither counted nor dropped. Thread safe;
// several processes may look after one folder.
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
// Whether new_id() of some process made it: DATE-TIME-PID-NUMBER-RANDOM.
bool is_made_id(std::string_view text);
// The profiles of a folder, whoever put them there, in no order. Throws Error where it cannot be read.
std::vector<StoredFile> stored_files(const std::string& folder);

struct StoreFigures {
  int64_t profiles = 0;
  int64_t bytes = 0;
  uint64_t dropped = 0;  // by this object
};

class StoreBound {
 public:
  // `log` takes a line for each dropping.
  StoreBound(std::string folder, const options::StoreLimits& limits, std::function<void(const std::string&)> log);

  // Drops the oldest as long as there is too much, but never `newest` (by itself the one written last), which is not
  // counted either where that alone is too large: it would take all others with it. Such ones are the first to go once
  // they are the newest no more. Who reads a profile has opened it, and reads it to its end all the same; one that is
  // being written has no name yet.
  void enforce(const std::string& newest = "");
  // What killed processes left half written.
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
