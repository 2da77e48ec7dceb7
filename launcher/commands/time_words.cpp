#include "launcher/commands/time_words.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "store/time_range.h"

namespace hearth::launcher {
namespace {

// "10s", "1500ms", "2m", "1.5h"; a number without unit is refused: it could be seconds or milliseconds.
std::optional<int64_t> duration_ns(std::string_view text) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number >= 0 && number < 1e6)) return std::nullopt;
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  for (auto [name, ns] : kUnits)
    if (unit == name) return static_cast<int64_t>(number * ns);
  return std::nullopt;
}

int64_t time_of(const std::string& word, const profile::TimeChoice& recorded) {
  if (std::optional<int64_t> after = duration_ns(word)) return recorded.from_ns + *after;
  if (word[0] == '-')
    if (std::optional<int64_t> before = duration_ns(std::string_view(word).substr(1))) return recorded.to_ns - *before;
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
