// Notes of a session for its readers, one line each. Thread safe.
#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace hearth::session {

class SessionNotes {
 public:
  // Does nothing for an empty note.
  void add(std::string note);
  // Adds it unless the same note is there.
  void add_once(std::string note);
  std::vector<std::string> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> notes_;
};

}  // namespace hearth::session
