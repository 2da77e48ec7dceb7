#include "http/routes/store_bound.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/error.h"
#include "base/formatted.h"
#include "profile/formats/amount_text.h"

namespace hearth::http {
namespace {

namespace fs = std::filesystem;

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() > ending.size() && text.substr(text.size() - ending.size()) == ending;
}

std::string without(const std::string& text, std::string_view ending) {
  return text.substr(0, text.size() - ending.size());
}

template <typename Visit>
void each_file(const std::string& folder, Visit visit) {
  std::error_code error;
  fs::directory_iterator files(folder, error);
  if (error)
    throw Error(formatted("cannot read the store {}: {}", folder, error.message()), "POST /api/start makes it again");
  for (; files != fs::directory_iterator(); files.increment(error)) {
    if (error) return;
    visit(files->path().filename().string());
  }
}

bool is_before(const timespec& a, const timespec& b) {
  return std::tie(a.tv_sec, a.tv_nsec) < std::tie(b.tv_sec, b.tv_nsec);
}

int64_t size_of(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 ? info.st_size : 0;
}

}  // namespace

bool is_made_id(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789", kHexadecimal = "0123456789abcdef";
  struct Part {
    size_t shortest, longest;
    std::string_view signs;
  };
  constexpr Part kParts[] = {
      {8, 8, kDigits}, {6, 6, kDigits}, {1, 20, kDigits}, {1, 20, kDigits}, {8, 8, kHexadecimal}};
  std::string rest = std::string(text) + "-";
  for (const Part& part : kParts) {
    size_t length = rest.find_first_not_of(part.signs);  // a '-' at the latest, or there is none left
    if (length == std::string::npos || length < part.shortest || length > part.longest || rest[length] != '-')
      return false;
    rest.erase(0, length + 1);
  }
  return rest.empty();
}

std::vector<StoredFile> stored_files(const std::string& folder) {
  std::vector<StoredFile> files;
  each_file(folder, [&](const std::string& name) {
    struct stat info {};
    if (!ends_with(name, kProfileEnding) || lstat((folder + "/" + name).c_str(), &info) != 0) return;
    if (!S_ISREG(info.st_mode)) return;
    std::string id = without(name, kProfileEnding);
    int64_t description = size_of(formatted("{}/{}{}", folder, id, kDescriptionEnding));
    files.push_back({id, info.st_size + description, info.st_mtim});
  });
  return files;
}

StoreBound::StoreBound(std::string folder, const options::StoreLimits& limits,
                       std::function<void(const std::string&)> log)
    : folder_(std::move(folder)), limits_(limits), log_(std::move(log)) {}

std::vector<StoredFile> StoreBound::made_files() const {
  std::vector<StoredFile> files = stored_files(folder_);
  auto is_foreign = [](const StoredFile& file) { return !is_made_id(file.id); };
  files.erase(std::remove_if(files.begin(), files.end(), is_foreign), files.end());
  return files;
}

// Writing a file takes seconds at most.
void StoreBound::clear_leftovers() const {
  constexpr time_t kLongAgoSeconds = 600;
  time_t now = time(nullptr);
  each_file(folder_, [&](const std::string& name) {
    std::string id = name.substr(0, name.find('.'));
    if (!is_made_id(id)) return;
    std::string path = folder_ + "/" + name, profile = formatted("{}/{}{}", folder_, id, kProfileEnding);
    bool is_orphan = name == formatted("{}{}", id, kDescriptionEnding) && access(profile.c_str(), F_OK) != 0;
    struct stat info {};
    if ((!is_orphan && !ends_with(name, ".tmp")) || lstat(path.c_str(), &info) != 0) return;
    if (now - info.st_mtim.tv_sec > kLongAgoSeconds) unlink(path.c_str());
  });
}

void StoreBound::drop(const StoredFile& file) {
  if (unlink(formatted("{}/{}{}", folder_, file.id, kProfileEnding).c_str()) == 0) figures_.dropped++;
  unlink(formatted("{}/{}{}", folder_, file.id, kDescriptionEnding).c_str());
}

void StoreBound::enforce(const std::string& newest) {
  std::lock_guard<std::mutex> lock(mutex_);
  clear_leftovers();
  std::vector<StoredFile> files = made_files();
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return is_before(a.written, b.written); });
  const std::string kept = newest.empty() && !files.empty() ? files.back().id : newest;
  auto is_too_large = [&](const StoredFile& file) { return file.bytes > limits_.bytes; };
  auto count = static_cast<int64_t>(files.size());
  int64_t bytes = 0;
  for (const StoredFile& file : files) bytes += file.id == kept && is_too_large(file) ? 0 : file.bytes;
  std::stable_partition(files.begin(), files.end(), is_too_large);
  uint64_t dropped_before = figures_.dropped;
  std::string last;
  for (const StoredFile& file : files) {
    if (bytes <= limits_.bytes && count <= limits_.count) break;
    if (file.id == kept) continue;
    drop(file);
    bytes -= file.bytes;
    count--;
    last = file.id;
  }
  if (figures_.dropped == dropped_before) return;
  log_(formatted(
      "http: {} of the oldest stored profiles dropped, up to {}: {} keeps {} in at most {}; keep= sets the limits",
      figures_.dropped - dropped_before, last, folder_, limits_.count, profile::amount_text(limits_.bytes, "bytes")));
}

StoreFigures StoreBound::figures() {
  std::lock_guard<std::mutex> lock(mutex_);
  struct stat folder {};
  bool is_there = stat(folder_.c_str(), &folder) == 0;
  // Clocks of file systems tick slowly: a second change may wear the time of the first.
  constexpr time_t kTickSeconds = 1;
  bool is_settled = time(nullptr) - folder.st_mtim.tv_sec > kTickSeconds;
  bool is_known = is_settled && folder.st_mtim.tv_sec == seen_.tv_sec && folder.st_mtim.tv_nsec == seen_.tv_nsec;
  if (is_known) return figures_;
  figures_.profiles = figures_.bytes = 0;
  seen_ = folder.st_mtim;
  if (!is_there) return figures_;
  for (const StoredFile& file : made_files()) {
    figures_.profiles++;
    figures_.bytes += file.bytes;
  }
  return figures_;
}

}  // namespace hearth::http
