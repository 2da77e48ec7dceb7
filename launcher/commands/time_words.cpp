#include "launcher/commands/time_words.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/formatted.h"
#include "store/time_range.h"

namespace hearth::launcher {
namespace {

int64_t time_of(const std::string& word, const profile::TimeChoice& recorded) {
  if (std::optional<int64_t> after = store::duration_ns(word)) return recorded.from_ns + *after;
  if (word[0] == '-')
    if (std::optional<int64_t> before = store::duration_ns(std::string_view(word).substr(1)))
      return recorded.to_ns - *before;
  try {
    return store::parse_time(word, recorded.to_ns);
  } catch (const Error&) {
    throw Error(formatted("\"{}\" is not a time", word),
                "write 10s (after the start), -10s (before the end), 10:02:30 or 2026-11-23T10:02");
  }
}

}  // namespace

profile::TimeChoice choice_of(const TimeWords& words, const profile::TimeChoice& recorded) {
  profile::TimeChoice choice;
  if (!words.from.empty()) choice.from_ns = time_of(words.from, recorded);
  if (!words.to.empty()) choice.to_ns = time_of(words.to, recorded);
  if (choice.to_ns <= choice.from_ns)
    throw Error(formatted("the range from {} to {} ends before it begins", words.from, words.to));
  return choice;
}

}  // namespace hearth::launcher
