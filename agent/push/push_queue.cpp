#include "push/push_queue.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/formatted.h"

namespace hearth::push {
namespace {

namespace fs = std::filesystem;
using store::Level;
using store::StoredWindow;

constexpr size_t kMostFound = 100;

std::string pushed_path(const std::string& store) {
  return store + "/pushed";
}

std::string read_last(const std::string& store) {
  std::string name = read_file(pushed_path(store));
  return name.substr(0, name.find('\n'));
}

// Empty if the file has no name.
std::optional<std::string> last_of(const std::string& store) {
  if (::access(pushed_path(store).c_str(), F_OK) != 0) return std::nullopt;
  std::string name = read_last(store);
  bool is_window = name.empty() || store::window_of_name(Level::kWindow, name);
  return is_window ? std::optional(name) : std::nullopt;
}

}  // namespace

PushQueue::PushQueue(std::string store) : store_(std::move(store)) {
  std::optional<std::string> last = last_of(store_);
  if (last) {
    last_ = *last;
    return;
  }
  std::vector<StoredWindow> windows = store::windows_of(store_, Level::kWindow);
  if (!windows.empty()) last_ = windows.back().name;
  keep();
}

void PushQueue::keep() const {
  replace_file(pushed_path(store_), last_ + "\n", Written::kInCache, Readers::kOwner);
}

void PushQueue::look() {
  for (StoredWindow& window : store::windows_of(store_, Level::kWindow)) {
    if (found_.size() == kMostFound) return;
    if (window.name > last_) found_.push_back(std::move(window));
  }
}

std::optional<StoredWindow> PushQueue::next_late() {
  for (; !late_.empty(); late_.pop_front()) {
    std::optional<StoredWindow> window = store::window_of_name(Level::kWindow, late_.front());
    if (!window || ::access(store::path_of(store_, *window).c_str(), F_OK) != 0) continue;
    if (window->name <= last_) return window;
    found_.clear();  // it comes later, and may have been written after the others were listed
  }
  return std::nullopt;
}

std::optional<StoredWindow> PushQueue::next() {
  if (std::optional<StoredWindow> late = next_late()) return late;
  if (found_.empty()) look();
  if (found_.empty()) return std::nullopt;
  return found_.front();
}

void PushQueue::is_done_with(const StoredWindow& window) {
  if (window.name <= last_) return late_.pop_front();
  last_ = window.name;
  found_.pop_front();
  keep();
}

uint64_t waiting_windows(const std::string& store) {
  uint64_t waiting = 0;
  try {
    std::string last = read_last(store);
    std::error_code error;
    fs::directory_iterator files(formatted("{}/{}", store, store::folder_of(Level::kWindow)), error);
    for (; !error && files != fs::directory_iterator(); files.increment(error)) {
      std::string name = files->path().filename().string();
      if (name > last && store::window_of_name(Level::kWindow, name)) waiting++;
    }
  } catch (const FileError&) {  // nothing can have been pushed
  }
  return waiting;
}

}  // namespace hearth::push
