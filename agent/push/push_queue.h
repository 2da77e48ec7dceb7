// Which window of a store goes next. What waits is the store itself, bounded as that is; DIR/pushed holds the name of
// the window that went last, so that the next process goes on there. Calls come one at a time.
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
  // A store that nothing was pushed from yet begins with the next window: what is old is not what a server wants.
  // Throws FileError where DIR/pushed cannot be written, Error where the store cannot be read.
  explicit PushQueue(std::string store);

  // None: all went. Throws Error where the store cannot be read.
  std::optional<store::StoredWindow> next();
  // It went, or is never to go. Throws FileError where that cannot be kept; it goes on all the same.
  void is_done_with(const store::StoredWindow& window);
  // The window of this name was written after others that begin later: the clock was set back. It goes by itself, as by
  // its name it would have gone before; the next process does not know of it.
  void add_late(std::string name) { late_.push_back(std::move(name)); }

 private:
  void look();
  std::optional<store::StoredWindow> next_late();
  void keep() const;

  const std::string store_;
  std::string last_;  // the name of the window
  std::deque<store::StoredWindow> found_;
  std::deque<std::string> late_;  // names
};

// How many there are after the one that went last. Any thread, any process.
uint64_t waiting_windows(const std::string& store);

}  // namespace hearth::push
