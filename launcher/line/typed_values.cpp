#include "launcher/line/typed_values.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <utility>

#include "base/formatted.h"
#include "base/nearest_word.h"
#include "launcher/line/usage_error.h"
#include "profile/formats/formats.h"

namespace hearth::launcher {
namespace {

constexpr const char* kText = "traces,flat";  // asprof's default
constexpr std::string_view kTree = "tree";    // the page, opened on its tree
constexpr int64_t kLongest = 1000LL * 3600 * 24 * 365;

bool is_text(profile::Format format) {
  return format == profile::Format::kFlat || format == profile::Format::kTraces;
}

// "traces=5", "html".
TypedFormat parse_format(const std::string& word, const std::string& typed) {
  constexpr int kMostRows = 1'000'000'000;
  size_t equals = word.find('=');
  TypedFormat format{};
  if (word == kTree) return {profile::Format::kFlameGraph, 0, true};
  try {
    format.format = profile::format_of_word(word.substr(0, equals));
  } catch (const profile::FormatError& error) {
    throw UsageError(formatted("-o {}: {}", typed, error.what()));
  }
  if (equals == std::string::npos) return format;
  if (!is_text(format.format)) throw UsageError(formatted("-o {}: only flat and traces take a number", typed));
  const char* last = word.data() + word.size();
  auto [end, error] = std::from_chars(word.data() + equals + 1, last, format.rows);
  if (error != std::errc() || end != last || format.rows < 1 || format.rows > kMostRows)
    throw UsageError(formatted("-o {}: not a number of rows, 1 or more", typed));
  return format;
}

std::string agent_words(const TypedFormat& format) {
  std::string word(format.opens_tree ? kTree : profile::word_of(format.format));
  return format.rows == 0 ? word : formatted("{}={}", word, format.rows);
}

// Ignores dashes: they are common to all flags.
std::string_view without_dashes(std::string_view flag) {
  return flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
}

}  // namespace

std::chrono::milliseconds parse_duration(std::string_view flag, const std::string& text) {
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
      formatted("{} {}: not a duration; give whole seconds, or a whole number with ms, s, m, h or d, like 30 or 500ms",
                flag, text));
}

std::vector<TypedFormat> parse_formats(const std::string& typed) {
  std::vector<TypedFormat> formats;
  std::istringstream stream(typed);
  for (std::string word; std::getline(stream, word, ',');) formats.push_back(parse_format(word, typed));
  for (const TypedFormat& format : formats)
    if (!is_text(format.format) && formats.size() > 1)
      throw UsageError(formatted("-o {}: only flat and traces can be combined", typed));
  return formats;
}

profile::Transform parse_transform(const std::string& typed) {
  try {
    return profile::transform_of_text(typed);
  } catch (const profile::FormatError& error) {
    throw UsageError(formatted("--transform {}: {}", typed, error.what()));
  }
}

void parse_highlight(const std::string& typed, std::vector<std::string>* highlights) {
  try {
    profile::add_highlight(typed, highlights);
  } catch (const profile::FormatError& error) {
    throw UsageError(formatted("--highlight {}: {}", typed, error.what()));
  }
}

bool parse_sort(const std::string& typed) {
  if (typed != "name" && typed != "width")
    throw UsageError(formatted("--sort {}: siblings are ordered by name or by width", typed));
  return typed == "width";
}

std::string format_words(const std::string& typed, const std::string& file) {
  if (!typed.empty()) {
    std::vector<std::string> words;
    for (const TypedFormat& format : parse_formats(typed)) words.push_back(agent_words(format));
    return joined(words, ",");
  }
  try {
    std::optional<profile::Format> format = profile::format_of_output(file);
    return format ? std::string(profile::word_of(*format)) : kText;
  } catch (const profile::FormatError& error) {
    throw UsageError(formatted("-f: {}", error.what()));
  }
}

size_t parse_rows(const std::string& text) {
  size_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0)
    throw UsageError(formatted("--top {}: not a number of rows, 1 or more", text));
  return number;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known) {
  std::vector<std::string_view> words;
  words.reserve(known.size());
  for (const std::string& one : known) words.push_back(without_dashes(one));
  std::optional<std::string_view> nearest = nearest_word(without_dashes(typed), words);
  if (!nearest) return "; hearth --help lists them";
  auto place = std::find(words.begin(), words.end(), *nearest) - words.begin();
  return formatted("; did you mean {}?", known[static_cast<size_t>(place)]);
}

}  // namespace hearth::launcher
