#include "session/session_notes.h"

#include <algorithm>
#include <utility>

namespace hearth::session {

void SessionNotes::add(std::string note) {
  if (note.empty()) return;
  std::lock_guard<std::mutex> lock(mutex_);
  notes_.push_back(std::move(note));
}

void SessionNotes::add_once(std::string note) {
  if (note.empty()) return;
  std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(std::move(note));
}

std::vector<std::string> SessionNotes::all() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return notes_;
}

}  // namespace hearth::session
