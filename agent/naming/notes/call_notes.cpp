#include "naming/notes/call_notes.h"

#include <cmath>
#include <numeric>

#include "base/formatted.h"
#include "base/text_parts.h"
#include "events/alloc/size_class.h"
#include "profile/formats/amount_text.h"

namespace hearth::naming {
namespace {

constexpr size_t kCellsOfPower = 4;

std::string calls_text(int64_t calls) {
  return formatted("{} call{}", profile::grouped(static_cast<uint64_t>(calls)), calls == 1 ? "" : "s");
}

// The times of a cell begin here.
std::string begin_of(size_t cell) {
  return profile::duration_text(events::least_size(static_cast<uint8_t>(cell + 1)));
}

// The cell that has the call which so many are shorter than.
size_t cell_of(const std::vector<int64_t>& by_time, int64_t shorter) {
  size_t cell = 0;
  for (; cell + 1 < by_time.size() && shorter >= by_time[cell]; cell++) shorter -= by_time[cell];
  return cell;
}

// "3 from 512 ns on, 12 from 1.02 us on": calls by the power of two that their time begins with.
std::string histogram(const std::vector<int64_t>& by_time) {
  std::vector<std::string> parts;
  for (size_t cell = 0; cell < by_time.size(); cell += kCellsOfPower) {
    size_t end = std::min(cell + kCellsOfPower, by_time.size());
    int64_t calls = std::accumulate(by_time.begin() + static_cast<ptrdiff_t>(cell),
                                    by_time.begin() + static_cast<ptrdiff_t>(end), int64_t{0});
    if (calls > 0)
      parts.push_back(formatted("{} from {} on", profile::grouped(static_cast<uint64_t>(calls)), begin_of(cell)));
  }
  return joined(parts, ", ");
}

std::string traced_note(const events::CallCounts& one) {
  int64_t calls = std::accumulate(one.by_time.begin(), one.by_time.end(), int64_t{0});
  std::string text = formatted("trace {}: {}", one.pattern, calls_text(calls));
  if (calls == 0) return text;
  if (one.shortest_ns > 0)
    text += formatted(", {} of them of {} or more", profile::grouped(static_cast<uint64_t>(one.reported)),
                      profile::duration_text(one.shortest_ns));
  constexpr int64_t kHundred = 100;
  size_t half = cell_of(one.by_time, calls / 2), most = cell_of(one.by_time, calls - calls / kHundred - 1),
         last = cell_of(one.by_time, calls - 1);
  return text + formatted("; half take less than {}, 99 % less than {}, all less than {}; {}", begin_of(half + 1),
                          begin_of(most + 1), begin_of(last + 1), histogram(one.by_time));
}

}  // namespace

std::vector<std::string> call_notes(const std::vector<events::CallCounts>& counts, int64_t every) {
  std::vector<std::string> notes;
  for (const events::CallCounts& one : counts) {
    bool is_traced = !one.by_time.empty() || !one.is_counted;
    if (!one.is_matched)
      notes.push_back(formatted("{} {}: no loaded class that can be changed has such a method with code",
                                is_traced ? "trace" : "calls", one.pattern));
    else if (!one.is_counted)
      notes.push_back(formatted(
          "trace {}: the number of calls is not known, as the JVM had no memory or time to report it", one.pattern));
    else if (is_traced)
      notes.push_back(traced_note(one));
    else
      notes.push_back(formatted("calls {}: {}", one.pattern, calls_text(one.reported)));
    if (is_traced && every > 1 && &one == &counts.back())
      notes.push_back(formatted("trace samples one of {} calls that take long enough", every));
  }
  return notes;
}

std::string exception_note(const events::MadeExceptions& made) {
  constexpr double kSecond = 1e9;
  std::string text = formatted("exceptions: {} made", profile::grouped(static_cast<uint64_t>(made.count)));
  if (made.time_ns <= 0) return text;
  double rate = static_cast<double>(made.count) / (static_cast<double>(made.time_ns) / kSecond);
  constexpr double kFew = 10;
  if (rate < kFew) return text + formatted(", {:.2f} a second", rate);
  return text + formatted(", {} a second", profile::grouped(static_cast<uint64_t>(std::llround(rate))));
}

}  // namespace hearth::naming
