// Which threads are sampled. Built from the option's text, then only read, except for added threads: any thread,
// outside signals.
#pragma once

#include <regex.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hearth::options {

class ThreadFilter {
 public:
  // Every thread.
  ThreadFilter() = default;
  // Parts between semicolons: thread ids (120), ranges of them (120-127), or extended regular expressions (regex(7))
  // that match a whole thread name; a name is taken as it is, too. A thread that any part fits is sampled. Throws Error
  // with the part that cannot be used and why.
  explicit ThreadFilter(std::string_view text);
  // No thread but those that are added. Copies share them.
  static ThreadFilter of_added_threads();

  bool accepts(int tid, const std::string& name) const;
  bool accepts_all() const { return ids_.empty() && names_.empty() && !added_; }
  // False: its threads are chosen by the option's text alone.
  bool add_thread(int tid) const;
  bool remove_thread(int tid) const;
  // Names can change while a thread runs, ids cannot.
  bool asks_for_names() const { return !names_.empty(); }
  const std::string& text() const { return text_; }

 private:
  struct Name {
    std::string text;
    std::shared_ptr<const regex_t> pattern;
  };
  struct Added {
    std::mutex mutex;
    std::set<int> ids;
  };
  void add(std::string_view part, int64_t* weight);

  std::string text_;
  std::vector<std::pair<int, int>> ids_;  // first and last
  std::vector<Name> names_;
  std::shared_ptr<Added> added_;  // null: none can be added
};

}  // namespace hearth::options
