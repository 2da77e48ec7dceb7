#include "store/window_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::store {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;
constexpr uint64_t kMostMilliseconds = 366ull * 24 * 3600 * 1000;
constexpr size_t kStampLength = std::string_view("20261123T100200.000Z").size();

std::string stamp_of(int64_t unix_ns) {
  time_t seconds = unix_ns / kSecond;
  tm utc{};
  gmtime_r(&seconds, &utc);
  return formatted("{:04}{:02}{:02}T{:02}{:02}{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                   utc.tm_hour, utc.tm_min, utc.tm_sec, unix_ns % kSecond / kMillisecond);
}

template <typename Number>
bool take_number(std::string_view* text, size_t digits, Number* number) {
  if (text->size() < digits) return false;
  auto [end, error] = std::from_chars(text->data(), text->data() + digits, *number);
  if (error != std::errc() || end != text->data() + digits) return false;
  text->remove_prefix(digits);
  return true;
}

bool take_char(std::string_view* text, char wanted) {
  if (text->empty() || text->front() != wanted) return false;
  text->remove_prefix(1);
  return true;
}

std::optional<int64_t> time_of_stamp(std::string_view text) {
  tm utc{};
  int64_t milliseconds = 0;
  bool is_whole = take_number(&text, 4, &utc.tm_year) && take_number(&text, 2, &utc.tm_mon) &&
                  take_number(&text, 2, &utc.tm_mday) && take_char(&text, 'T') && take_number(&text, 2, &utc.tm_hour) &&
                  take_number(&text, 2, &utc.tm_min) && take_number(&text, 2, &utc.tm_sec) && take_char(&text, '.') &&
                  take_number(&text, 3, &milliseconds) && take_char(&text, 'Z') && text.empty();
  if (!is_whole || utc.tm_year < 1970 || utc.tm_year > 2200) return std::nullopt;
  utc.tm_year -= 1900;
  utc.tm_mon -= 1;
  return int64_t{timegm(&utc)} * kSecond + milliseconds * kMillisecond;
}

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t number = 0;
  if (text.empty() || !take_number(&text, text.size(), &number)) return std::nullopt;
  return number;
}

}  // namespace

int64_t StoredWindow::moment_ns() const {
  int64_t middle = begin_ns + duration_ns / 2;
  if (level != Level::kWindow) return middle;
  return std::min(middle, begin_of_span(begin_ns, Level::kHour) + span_of(Level::kHour) - 1);
}

const char* folder_of(Level level) {
  constexpr const char* kFolders[] = {"windows", "hours", "days"};
  return kFolders[static_cast<size_t>(level)];
}

int64_t span_of(Level level) {
  constexpr int64_t kSpans[] = {0, 3600 * kSecond, 24 * int64_t{3600} * kSecond};
  return kSpans[static_cast<size_t>(level)];
}

Level coarser(Level level) {
  return level == Level::kWindow ? Level::kHour : Level::kDay;
}

int64_t begin_of_span(int64_t time_ns, Level level) {
  int64_t span = span_of(level);
  return time_ns / span * span;
}

std::string window_name(Level level, int64_t begin_ns, int64_t duration_ns, uint64_t windows) {
  std::string merged = level == Level::kWindow ? "" : formatted("-{}", windows);
  return formatted("{}-{}ms{}{}", stamp_of(begin_ns), duration_ns / kMillisecond, merged, kWindowEnding);
}

std::optional<StoredWindow> window_of_name(Level level, std::string_view name) {
  if (name.size() <= kStampLength + 1 + kWindowEnding.size()) return std::nullopt;
  if (name.substr(name.size() - kWindowEnding.size()) != kWindowEnding) return std::nullopt;
  std::optional<int64_t> begin = time_of_stamp(name.substr(0, kStampLength));
  std::string_view rest = name.substr(kStampLength, name.size() - kStampLength - kWindowEnding.size());
  if (!begin || !take_char(&rest, '-')) return std::nullopt;
  size_t unit = rest.find("ms");
  std::optional<uint64_t> length = whole_number(rest.substr(0, unit));
  if (unit == std::string_view::npos || !length || *length > kMostMilliseconds) return std::nullopt;
  rest.remove_prefix(unit + 2);
  std::optional<uint64_t> windows = 1;
  if (level != Level::kWindow) {
    if (!take_char(&rest, '-')) return std::nullopt;
    windows = whole_number(rest);
  } else if (!rest.empty()) {
    return std::nullopt;
  }
  if (!windows) return std::nullopt;
  return StoredWindow{level, *begin, static_cast<int64_t>(*length) * kMillisecond, *windows, std::string(name), 0};
}

std::string path_of(const std::string& store, const StoredWindow& window) {
  return formatted("{}/{}/{}", store, folder_of(window.level), window.name);
}

std::vector<StoredWindow> windows_of(const std::string& store, Level level) {
  std::vector<StoredWindow> windows;
  std::string folder = formatted("{}/{}", store, folder_of(level));
  std::error_code error;
  fs::directory_iterator files(folder, error);
  if (error == std::errc::no_such_file_or_directory) return windows;
  for (; !error && files != fs::directory_iterator(); files.increment(error)) {
    std::optional<StoredWindow> window = window_of_name(level, files->path().filename().string());
    struct stat info {};
    if (!window || ::stat(files->path().c_str(), &info) != 0) continue;  // or it was just dropped
    window->bytes = info.st_size;
    windows.push_back(std::move(*window));
  }
  if (error) throw Error(formatted("cannot read {}: {}", folder, error.message()));
  std::sort(windows.begin(), windows.end(),
            [](const StoredWindow& a, const StoredWindow& b) { return a.name < b.name; });
  return windows;
}

std::vector<StoredWindow> all_windows(const std::string& store) {
  std::vector<StoredWindow> all;
  for (Level level : kLevels) {
    std::vector<StoredWindow> windows = windows_of(store, level);
    all.insert(all.end(), windows.begin(), windows.end());
  }
  return all;
}

bool is_name_of_store(std::string_view name) {
  constexpr std::string_view kOthers[] = {"lock", "figures.csv", "pushed"};
  if (std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers)) return true;
  bool is_profile = name.size() > kStampLength &&
                    name.substr(name.size() - std::min(name.size(), kWindowEnding.size())) == kWindowEnding;
  return is_profile && time_of_stamp(name.substr(0, kStampLength)).has_value();
}

std::vector<std::string> folders_of(const std::string& store) {
  std::vector<std::string> folders = {store, store + "/kept"};
  for (Level level : kLevels) folders.push_back(formatted("{}/{}", store, folder_of(level)));
  return folders;
}

bool is_store(const std::string& path) {
  std::error_code error;
  return fs::is_directory(formatted("{}/{}", path, folder_of(Level::kWindow)), error);
}

}  // namespace hearth::store
