#include "profile/page/transforms.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/formatted.h"
#include "base/nearest_word.h"
#include "profile/formats/formats.h"

namespace hearth::profile {
namespace {

enum class Wants { kNothing, kMaybePattern, kPattern, kReplacement, kLabel };

struct Form {
  std::string_view word;
  std::string_view type;
  Wants wants;
};
constexpr std::array<Form, 11> kForms = {{
    {"filter", "filter", Wants::kPattern},
    {"remove", "remove", Wants::kPattern},
    {"replace", "replace", Wants::kReplacement},
    {"hide", "hide", Wants::kPattern},
    {"fold", "fold", Wants::kPattern},
    {"keep-below", "keep-below", Wants::kPattern},
    {"keep-above", "keep-above", Wants::kPattern},
    {"collapse-recursion", "collapse-recursion", Wants::kMaybePattern},
    {"collapse-gaps", "collapse-recursion", Wants::kMaybePattern},
    {"merge-similar", "merge-similar", Wants::kNothing},
    {"group", "group", Wants::kLabel},
}};

const Form& form_of(std::string_view word) {
  const auto* form = std::find_if(kForms.begin(), kForms.end(), [&](const Form& one) { return one.word == word; });
  if (form != kForms.end()) return *form;
  std::vector<std::string_view> words;
  words.reserve(kForms.size());
  for (const Form& known : kForms) words.push_back(known.word);
  auto nearest = nearest_word(word, words);
  throw FormatError(formatted("there is no transform {}{}; transforms are {}", word,
                              nearest ? formatted(", did you mean {}?", *nearest) : "", kTransformForms));
}

// Takes the text before the next delimiter; a delimiter after \ is a part of the text.
std::string take_until(char delimiter, std::string_view* rest, std::string_view typed) {
  std::string taken;
  for (size_t at = 0; at < rest->size(); ++at) {
    char c = (*rest)[at];
    if (c == delimiter) {
      rest->remove_prefix(at + 1);
      return taken;
    }
    bool is_escaped = c == '\\' && at + 1 < rest->size();
    if (is_escaped && (*rest)[at + 1] != delimiter) taken += c;
    taken += is_escaped ? (*rest)[++at] : c;
  }
  throw FormatError(formatted("{} does not end with {}; write replace:/REGEX/TEXT/, or use another character for /",
                              typed, std::string(1, delimiter)));
}

// "/REGEX/TEXT/", with any character for /, and i at the end to ignore case.
void read_replacement(std::string_view value, std::string_view typed, Transform* transform) {
  constexpr std::string_view kNoDelimiters = "\\ ;";
  if (value.empty() || kNoDelimiters.find(value[0]) != std::string_view::npos)
    throw FormatError(formatted("{} has no expression and replacement; write replace:/REGEX/TEXT/", typed));
  char delimiter = value[0];
  value.remove_prefix(1);
  std::string regex = take_until(delimiter, &value, typed);
  transform->replacement = take_until(delimiter, &value, typed);
  if (regex.empty() || (!value.empty() && value != "i"))
    throw FormatError(formatted("{} is not replace:/REGEX/TEXT/", typed));
  transform->what = formatted("/{}/{}", regex, value);
}

}  // namespace

void check_pattern(std::string_view pattern) {
  if (pattern.empty()) throw FormatError("a pattern is empty; give a text, or /REGEX/");
  if (pattern[0] != '/') return;
  std::string_view regex = pattern.substr(1);
  if (!regex.empty() && regex.back() == 'i') regex.remove_suffix(1);
  if (regex.size() < 2 || regex.back() != '/')
    throw FormatError(
        formatted("pattern {} begins with / but does not end with /; write /REGEX/ or /REGEX/i", pattern));
}

Transform transform_of_text(std::string_view typed) {
  size_t colon = typed.find(':');
  const Form& form = form_of(typed.substr(0, colon));
  std::string_view value = colon == std::string_view::npos ? "" : typed.substr(colon + 1);
  Transform transform;
  transform.type = form.type;
  transform.gaps = form.word != form.type;
  if (form.wants == Wants::kReplacement) {
    read_replacement(value, typed, &transform);
    return transform;
  }
  transform.what = value;
  if (form.wants == Wants::kNothing && !value.empty())
    throw FormatError(formatted("transform {} takes no pattern, but {} was given", form.word, value));
  if (form.wants == Wants::kLabel && value.empty())
    throw FormatError("transform group needs a label, like group:thread");
  if (form.wants == Wants::kPattern && value.empty())
    throw FormatError(formatted("transform {0} needs a pattern, like {0}:text or {0}:/REGEX/", form.word));
  if (form.wants != Wants::kLabel && !value.empty()) check_pattern(value);
  return transform;
}

void add_highlight(std::string_view pattern, std::vector<std::string>* highlights) {
  check_pattern(pattern);
  if (highlights->size() == kMostHighlights)
    throw FormatError(formatted("at most {} highlights are possible; leave out {}", kMostHighlights, pattern));
  highlights->emplace_back(pattern);
}

}  // namespace hearth::profile
