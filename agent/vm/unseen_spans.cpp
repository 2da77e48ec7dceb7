#include "vm/unseen_spans.h"

#include <utility>

#include "base/formatted.h"

namespace hearth::vm {

void UnseenSpans::set_trouble(std::string trouble) {
  std::lock_guard<std::mutex> lock(mutex_);
  trouble_ = std::move(trouble);
}

std::vector<std::string> UnseenSpans::notes() const {
  std::vector<std::string> notes;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!trouble_.empty()) notes.push_back(trouble_);
  }
  if (uint64_t ignored = ignored_threads_; ignored > 0)
    notes.push_back(
        formatted("spans of {} virtual threads are not seen: this JVM does not report the running one, or too many "
                  "have a span, or ended without closing it, or there are two copies of hearth.jar",
                  ignored));
  if (uint64_t failed = failures_; failed > 0)
    notes.push_back(formatted(
        "{} spans that became current are not seen: there was no memory or stack, or OpenTelemetry threw", failed));
  return notes;
}

}  // namespace hearth::vm
