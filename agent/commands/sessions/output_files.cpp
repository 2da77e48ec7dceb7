#include "commands/sessions/output_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace hearth::commands {
namespace {

// The same for each way to spell it.
std::string key_of(const std::string& path) {
  std::error_code error;
  std::filesystem::path key = std::filesystem::weakly_canonical(path, error);
  return error ? path : key.string();
}

}  // namespace

OutputFiles::Announced::Announced(OutputFiles* files, std::string path, std::string key, uint64_t number)
    : files_(files), path_(std::move(path)), key_(std::move(key)), number_(number) {}

OutputFiles::Announced::Announced(Announced&& other) noexcept
    : files_(std::exchange(other.files_, nullptr)),
      path_(std::move(other.path_)),
      key_(std::move(other.key_)),
      number_(other.number_) {}

OutputFiles::Announced::~Announced() {
  if (files_ != nullptr) files_->is_done(key_, number_);
}

void OutputFiles::Announced::wait() const {
  files_->wait_for(key_, number_);
}

OutputFiles::Announced OutputFiles::announce(const std::string& path) {
  std::string key = key_of(path);
  std::lock_guard<std::mutex> lock(mutex_);
  writers_[key].push_back(++last_number_);
  return {this, path, key, last_number_};
}

bool OutputFiles::wait_for_all(std::chrono::milliseconds most) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changes_.wait_for(lock, most, [this] { return writers_.empty(); });
}

void OutputFiles::wait_for(const std::string& key, uint64_t number) {
  std::unique_lock<std::mutex> lock(mutex_);
  changes_.wait(lock, [&] { return writers_[key].front() == number; });
}

void OutputFiles::is_done(const std::string& key, uint64_t number) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = writers_.find(key);
  std::deque<uint64_t>& numbers = found->second;
  numbers.erase(std::find(numbers.begin(), numbers.end(), number));
  if (numbers.empty()) writers_.erase(found);
  changes_.notify_all();
}

}  // namespace hearth::commands
