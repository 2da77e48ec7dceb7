#include "store/window_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "profile/formats/amount_text.h"
#include "profile/formats/formats.h"
#include "store/figures_file.h"
#include "store/keep_bound.h"
#include "store/window_files.h"
#include "store/window_levels.h"
#include "store/window_reader.h"

namespace hearth::store {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMillisecond = 1'000'000;
constexpr size_t kMostFiles = 20'000;  // two weeks of minutes; listing them takes about 50 ms
constexpr int64_t kPartMore = 32;
constexpr int64_t kFiguresLine = 200;        // most bytes that a window takes in DIR/figures.csv
constexpr int64_t kSetBack = 1'000'000'000;  // of the clock; time servers correct less

std::string lock_path(const std::string& directory) {
  return directory + "/lock";
}

bool is_trusted(uid_t owner) {
  return owner == ::geteuid() || owner == 0;  // volumes of containers belong to root
}

// Throws Error if other users could put their files, or another directory, in its place.
void check_folder(const std::string& path, const struct stat& info) {
  struct stat link {};
  bool is_others_link = ::lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode) && !is_trusted(link.st_uid);
  if (!S_ISDIR(info.st_mode) || !is_trusted(info.st_uid) || is_others_link)
    throw Error(formatted("{} is not a directory of this user or root", path),
                "give such a directory, or one that does not exist yet");
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw Error(
        formatted("other users can change {}", path),
        formatted("give a directory in it that does not exist yet, such as {0}/hearth, or run chmod go-w {0}", path));
}

// Readable for its user only: profiles show the work of a process.
void make_folder(const std::string& path) {
  std::error_code error;
  fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) fs::create_directories(parent, error);
  if (!error && ::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) error.assign(errno, std::generic_category());
  struct stat info {};
  if (!error && ::stat(path.c_str(), &info) != 0) error.assign(errno, std::generic_category());
  if (error)
    throw FileError(error.value(), formatted("cannot make {}: {}", path, error.message()),
                    "give a directory that this user can write to");
  check_folder(path, info);
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "NAME.PID.tmp", a temporary file of replace_file() for NAME, and NAME is one of a store.
bool is_leftover(const std::string& name) {
  constexpr std::string_view kEnding = ".tmp";
  if (name.size() <= kEnding.size() || name.compare(name.size() - kEnding.size(), kEnding.size(), kEnding) != 0)
    return false;
  size_t end = name.size() - kEnding.size(), dot = name.rfind('.', end - 1);
  if (dot == std::string::npos || !is_digits(std::string_view(name).substr(dot + 1, end - dot - 1))) return false;
  return is_name_of_store(std::string_view(name).substr(0, dot));
}

// The range extended to all windows that overlap it, however little.
TimeRange with_all_windows(TimeRange range, const std::vector<StoredWindow>& windows) {
  TimeRange whole = range;
  for (const StoredWindow& window : windows) {
    if (range.overlap(window.begin_ns, window.end_ns()) <= 0) continue;
    whole.from_ns = std::min(whole.from_ns, window.moment_ns());
    whole.to_ns = std::max(whole.to_ns, window.moment_ns() + 1);
  }
  return whole;
}

}  // namespace

WindowStore::WindowStore(std::string directory, int64_t most_bytes, Log log)
    : directory_(std::move(directory)), most_bytes_(most_bytes), log_(std::move(log)) {
  open();
  clear_leftovers();
  tidy_figures(directory_);
  recount();
  // Only past windows are merged.
  for (const StoredWindow& window : all_windows(directory_)) newest_end_ns_ = std::max(newest_end_ns_, window.end_ns());
  last_end_ns_ = newest_end_ns_;
}

void WindowStore::recount() {
  files_ = all_windows(directory_).size();
  files_to_look_at_ = kMostFiles;
  bytes_ = bytes_of(directory_);
}

void WindowStore::open() {
  make_folder(directory_);
  for (Level level : kLevels) make_folder(formatted("{}/{}", directory_, folder_of(level)));
  std::string path = lock_path(directory_);
  UniqueFd lock(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock) throw FileError(errno, formatted("cannot write {}: {}", path, std::strerror(errno)));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    throw Error(formatted("another JVM (pid {}) writes its profiles to {}", read_file(path), directory_),
                "give each JVM its own directory, for example with %p, the process id");
  std::string pid = formatted("{}", ::getpid());
  if (::ftruncate(lock.get(), 0) != 0 || ::pwrite(lock.get(), pid.data(), pid.size(), 0) < 0)
    throw FileError(errno, formatted("cannot write {}: {}", path, std::strerror(errno)));
  lock_ = std::move(lock);
}

void WindowStore::clear_leftovers() const {
  for (const std::string& folder : folders_of(directory_)) {
    std::error_code error;
    fs::directory_iterator files(folder, error);
    std::vector<fs::path> leftovers;
    for (; !error && files != fs::directory_iterator(); files.increment(error))
      if (is_leftover(files->path().filename().string())) leftovers.push_back(files->path());
    for (const fs::path& leftover : leftovers) fs::remove(leftover, error);
  }
}

// A millisecond later if the name exists: the clock was set back.
std::string WindowStore::free_name(const profile::Profile& profile) {
  int64_t begin = profile.metadata.start_unix_ns / kMillisecond * kMillisecond;
  for (;; begin += kMillisecond) {
    std::string name = window_name(Level::kWindow, begin, profile.metadata.duration_ns, 1);
    if (::access(formatted("{}/{}/{}", directory_, folder_of(Level::kWindow), name).c_str(), F_OK) != 0) return name;
  }
}

std::string WindowStore::write(const profile::Profile& profile) {
  int64_t begin = profile.metadata.start_unix_ns;
  if (begin + kSetBack < last_end_ns_)
    log_(formatted("the clock was set back by {}: windows of {} overlap with those before",
                   profile::duration_text(last_end_ns_ - begin), time_text(begin)));
  last_end_ns_ = begin + profile.metadata.duration_ns;
  if (begin + kSetBack < newest_end_ns_) {
    merged_until_ns_ = 0;
    if (!add_late(directory_, profile, put_merged()).empty()) {
      recount();
      return "";
    }
  }
  newest_end_ns_ = std::max(newest_end_ns_, last_end_ns_);
  std::string name = free_name(profile), content = profile::write_pprof(profile, {});
  put(formatted("{}/{}/{}", directory_, folder_of(Level::kWindow), name), content, Written::kInCache);
  files_++;
  bytes_ += static_cast<int64_t>(content.size()) + add_figures(directory_, name, figures_of(profile));
  return name;
}

void WindowStore::put(const std::string& path, const std::string& content, Written written) {
  auto size = static_cast<int64_t>(content.size());
  make_room(size + kFiguresLine);
  try {
    replace_file(path, content, written, Readers::kOwner);
  } catch (const FileError& error) {
    // Others need the disk, too: drops as many old files as are needed, but not more and more if that does not help.
    if (!error.is_full_disk() || fails_) throw;
    int64_t lost_until_ns = drop_to(bytes_of(directory_) - 2 * size);
    if (lost_until_ns > 0)
      log_(
          formatted("the disk of {} is full: files from before {} were deleted", directory_, time_text(lost_until_ns)));
    replace_file(path, content, written, Readers::kOwner);
  }
}

// Synced to the disk, since its parts may be dropped at any time.
PutFile WindowStore::put_merged() {
  return [this](const std::string& path, const std::string& content) { put(path, content, Written::kOnDisk); };
}

// Drops files before a write, so that the store never exceeds its limit, and after it, since the newest file then may
// be dropped. Drops more than needed, so that not every window causes a listing of all files. A full store drops files
// all the time: it is logged once a day.
void WindowStore::make_room(int64_t bytes) {
  if (bytes_ + bytes <= most_bytes_ && files_ <= files_to_look_at_) return;
  int64_t lost_until_ns = drop_to(most_bytes_ - most_bytes_ / kPartMore - bytes);
  bool is_told = std::abs(lost_until_ns - told_lost_until_ns_) < span_of(Level::kDay);
  if (lost_until_ns == 0 || is_told) return;
  told_lost_until_ns_ = lost_until_ns;
  log_(formatted("{} is full (keep={}): files from before {} were deleted", directory_,
                 profile::amount_text(most_bytes_, "bytes"), time_text(lost_until_ns)));
}

// Returns the end of the time that is lost; 0: none.
int64_t WindowStore::drop_to(int64_t bytes) {
  Dropped dropped = enforce_bound(directory_, {bytes, kMostFiles - kMostFiles / kPartMore});
  bytes_ = dropped.bytes_left;
  files_ = dropped.files_left;
  files_to_look_at_ = std::max(kMostFiles, files_ + kMostFiles / kPartMore);  // short windows may all be needed
  if (dropped.files == 0) return 0;
  tidy_figures(directory_);
  bytes_ = bytes_of(directory_);
  return dropped.lost_until_ns;
}

// False if another file of that name exists now.
bool WindowStore::has_lock() const {
  struct stat mine {
  }, there{};
  return ::fstat(lock_.get(), &mine) == 0 && ::stat(lock_path(directory_).c_str(), &there) == 0 &&
         mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

std::string WindowStore::add(const profile::Profile& profile) {
  std::lock_guard<std::mutex> lock(mutex_);
  try {
    // Somebody may have deleted or replaced the directory.
    if (!is_store(directory_) || !has_lock()) {
      lock_.reset();
      open();
      recount();
      log_(formatted("{} was deleted: it is created again, its content is lost", directory_));
    }
    std::string name = write(profile);
    make_room(0);
    written_++;
    if (std::exchange(fails_, false)) log_(formatted("{} can be written again", directory_));
    return name;
  } catch (const std::exception& error) {
    lost_++;
    if (!std::exchange(fails_, true))
      log_(formatted("the window of {} is lost, and so are the next ones until this is fixed: {}",
                     time_text(profile.metadata.start_unix_ns), error.what()));
    return "";
  }
}

bool WindowStore::merge_once() {
  std::lock_guard<std::mutex> lock(mutex_);
  int64_t hour_ns = begin_of_span(last_end_ns_, Level::kHour);
  if (hour_ns == merged_until_ns_) return false;
  try {
    bool was_one = merge_one_span(directory_, last_end_ns_, ends_, put_merged());
    if (!was_one && !ends_) merged_until_ns_ = hour_ns;
    if (was_one) recount();
    if (was_one) make_room(0);
    if (was_one) fails_to_merge_ = false;
    return was_one;
  } catch (const std::exception& error) {
    if (!std::exchange(fails_to_merge_, true)) log_(formatted("hours are not merged: {}", error.what()));
    return false;
  }
}

std::string WindowStore::keep(const TimeRange& range, const std::string& reason) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::string folder = directory_ + "/kept";
  make_folder(folder);
  profile::Profile profile = read_range(directory_, with_all_windows(range, windows_of(directory_, Level::kWindow)));
  profile.metadata.title = formatted("{}: {}", reason, profile.metadata.title);
  std::string word;
  for (char letter : reason.substr(0, reason.find_first_of("<>: "))) word += std::isalnum(letter) ? letter : '_';
  std::string name = window_name(Level::kWindow, profile.metadata.start_unix_ns, profile.metadata.duration_ns, 1);
  name.insert(name.size() - kWindowEnding.size(), "." + word);
  std::string path = formatted("{}/{}", folder, name);
  std::string content = profile::write_pprof(profile, {});
  drop_kept(directory_, most_bytes_ / 4 - static_cast<int64_t>(content.size()));
  put(path, content, Written::kOnDisk);
  recount();
  make_room(0);
  return path;
}

}  // namespace hearth::store
