#include "typed_values.h"

#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <sstream>
#include <utility>

#include "base/formatted.h"
#include "base/nearest_word.h"
#include "profile/formats.h"
#include "usage_error.h"

namespace hearth::launcher {
namespace {

constexpr const char* kText = "traces,flat";  // asprof's default
constexpr int64_t kLongest = 1000LL * 3600 * 24 * 365;

const char* agent_word(profile::Format format) {
  switch (format) {
    case profile::Format::kCollapsed:
      return "collapsed";
    case profile::Format::kPprof:
      return "pprof";
    case profile::Format::kFlameGraph:
      return "flamegraph";
    case profile::Format::kFlat:
      return "flat";
    default:
      return "traces";
  }
}

// "traces=5" -> "traces=5", "html" -> "flamegraph".
std::string agent_format(const std::string& typed) {
  size_t equals = typed.find('=');
  profile::Format format{};
  try {
    format = profile::format_of_word(typed.substr(0, equals));
  } catch (const profile::FormatError& error) {
    throw UsageError(formatted("-o {}: {}", typed, error.what()));
  }
  if (equals == std::string::npos) return agent_word(format);
  if (format != profile::Format::kFlat && format != profile::Format::kTraces)
    throw UsageError(formatted("-o {}: only flat and traces take a number", typed));
  return agent_word(format) + typed.substr(equals);
}

}  // namespace

std::chrono::milliseconds parse_duration(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, int64_t>, 6> kUnits = {
      {{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  for (const auto& [name, factor] : kUnits) {
    if (error == std::errc() && unit == name && number > 0 && number <= kLongest / factor)
      return std::chrono::milliseconds(number * factor);
  }
  throw UsageError(
      formatted("-d {}: not a duration; give seconds, or a number with ms, s, m, h or d, like 30 or 5m", text));
}

std::string format_words(const std::string& typed, const std::string& file) {
  if (!typed.empty()) {
    std::vector<std::string> words;
    std::istringstream stream(typed);
    for (std::string word; std::getline(stream, word, ',');) words.push_back(agent_format(word));
    for (const std::string& word : words) {
      bool text = word.compare(0, 4, "flat") == 0 || word.compare(0, 6, "traces") == 0;
      if (!text && words.size() > 1) throw UsageError(formatted("-o {}: only flat and traces go together", typed));
    }
    return joined(words, ",");
  }
  if (file.empty()) return kText;
  try {
    return agent_word(profile::format_of_file(file));
  } catch (const profile::FormatError&) {
    return kText;  // as asprof does with names it does not know
  }
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known) {
  std::optional<std::string_view> nearest = nearest_word(typed, {known.begin(), known.end()});
  return nearest ? formatted("; did you mean {}?", *nearest) : "; hearth --help shows what there is";
}

}  // namespace hearth::launcher
