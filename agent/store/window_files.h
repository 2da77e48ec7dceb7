// The always-on profile on disk: a directory with one pprof file for each window of time, and coarser ones with the
// same samples merged. A file's name has the begin and length of its window, so listing a directory is enough.
//   DIR/windows/20261123T100200.000Z-60000ms.pb.gz       as it was recorded
//   DIR/hours/20261123T100000.000Z-3600000ms-58.pb.gz    of 58 windows
//   DIR/days/20261123T000000.000Z-86400000ms-1377.pb.gz
//   DIR/kept/20261123T100200.000Z-300000ms.REASON.pb.gz  kept by the flight recorder: never merged
//   DIR/figures.csv                                      figures of the windows; created again from them if missing
// All times are UTC by the machine's clock. Functions here keep no state: any thread, any process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::store {

enum class Level { kWindow, kHour, kDay };
inline constexpr Level kLevels[] = {Level::kWindow, Level::kHour, Level::kDay};
const char* folder_of(Level level);
int64_t span_of(Level level);  // nanoseconds; 0 for windows, which have any length
// The level that files of this one are merged to; days stay.
Level coarser(Level level);
// Begin of the hour (day) that contains this time; for levels with a span only.
int64_t begin_of_span(int64_t time_ns, Level level);

struct StoredWindow {
  Level level = Level::kWindow;
  int64_t begin_ns = 0;  // since 1970
  int64_t duration_ns = 0;
  uint64_t windows = 1;  // number of windows it was merged from
  std::string name;      // of the file
  int64_t bytes = 0;

  int64_t end_ns() const { return begin_ns + duration_ns; }
  // The moment that represents the window: a range that contains it contains the window. It is the middle, or the last
  // moment of the hour that the window is merged to.
  int64_t moment_ns() const;
};

inline constexpr std::string_view kWindowEnding = ".pb.gz";

std::string window_name(Level level, int64_t begin_ns, int64_t duration_ns, uint64_t windows);
// Empty for a name of another form.
std::optional<StoredWindow> window_of_name(Level level, std::string_view name);
std::string path_of(const std::string& store, const StoredWindow& window);

// Of one level, oldest first; empty if the folder does not exist. Throws Error if it cannot be read.
std::vector<StoredWindow> windows_of(const std::string& store, Level level);
std::vector<StoredWindow> all_windows(const std::string& store);

// Whether a file of that name belongs to a store, anywhere in it.
bool is_name_of_store(std::string_view name);
// All directories of a store, itself first.
std::vector<std::string> folders_of(const std::string& store);

// Whether a path is the directory of a store.
bool is_store(const std::string& path);

}  // namespace hearth::store
