// Reasons why spans of the program's Java code are missing from samples; for the whole process, as its label sets are.
// Thread safe; not signal safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace hearth::vm {

class UnseenSpans {
 public:
  // Counts a virtual thread without visible spans.
  void ignore_thread() { ignored_threads_++; }
  // Counts a span that became current, but that the Java code could not read.
  void fail() { failures_++; }
  // Sets the Java code's reason why no span is seen; "": spans are seen.
  void set_trouble(std::string trouble);

  // Returns one line for each reason.
  std::vector<std::string> notes() const;

 private:
  mutable std::mutex mutex_;
  std::string trouble_;
  std::atomic<uint64_t> ignored_threads_{0};
  std::atomic<uint64_t> failures_{0};
};

}  // namespace hearth::vm
