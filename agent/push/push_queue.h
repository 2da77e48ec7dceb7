// Chooses the next window of a store to push. The queue is the store itself, with its limits; DIR/pushed holds the name
// of the last pushed window, so that the next process continues there. One call at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "store/window_files.h"

namespace hearth::push {

class PushQueue {
 public:
  // For a store that was never pushed it starts with the next window: a server does not want old ones. Throws FileError
  // if DIR/pushed cannot be written, Error if the store cannot be read.
  explicit PushQueue(std::string store);

  // Empty if all were pushed. Throws Error if the store cannot be read.
  std::optional<store::StoredWindow> next();
  // Marks a window as pushed, or as never to be pushed. Throws FileError if that cannot be stored; the queue continues
  // all the same.
  void is_done_with(const store::StoredWindow& window);
  // Adds a window that was written after others that begin later, since the clock was set back. It has to be queued by
  // name, as it comes before the last pushed one; the next process does not know this window.
  void add_late(std::string name) { late_.push_back(std::move(name)); }

 private:
  void look();
  std::optional<store::StoredWindow> next_late();
  void keep() const;

  const std::string store_;
  std::string last_;  // name of the last pushed window
  std::deque<store::StoredWindow> found_;
  std::deque<std::string> late_;  // names
};

// Number of windows after the last pushed one. Any thread, any process.
uint64_t waiting_windows(const std::string& store);

}  // namespace hearth::push
