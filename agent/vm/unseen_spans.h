// Why spans that the program's Java code tells of are on no sample: of the whole process, as its label sets are. Thread
// safe; not signal safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace hearth::vm {

class UnseenSpans {
 public:
  // A virtual thread's are not seen.
  void ignore_thread() { ignored_threads_++; }
  // Java code could not have the span that became current.
  void fail() { failures_++; }
  // None is seen, and the Java code says why; "": they are.
  void set_trouble(std::string trouble);

  // One line each.
  std::vector<std::string> notes() const;

 private:
  mutable std::mutex mutex_;
  std::string trouble_;
  std::atomic<uint64_t> ignored_threads_{0};
  std::atomic<uint64_t> failures_{0};
};

}  // namespace hearth::vm
