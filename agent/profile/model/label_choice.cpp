#include "profile/model/label_choice.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/formatted.h"
#include "base/nearest_word.h"
#include "profile/analysis/summary.h"
#include "profile/codec/utf8.h"
#include "profile/formats/formats.h"
#include "profile/model/label_values.h"
#include "profile/model/stack_copier.h"
#include "profile/model/stack_filter.h"

namespace hearth::profile {
namespace {

using ValuesByKey = std::map<std::string, std::vector<std::string>>;

bool has_value(const Label& label, const std::string& pattern) {
  auto matches = [&](std::string_view text) { return matches_pattern(pattern, text); };
  bool is_number = label.text.empty();
  return matches(is_number ? std::to_string(label.number) : label.text) || matches(label_text(label));
}

class Matcher {
 public:
  Matcher(const Profile& profile, const std::string& key, std::string value)
      : value_(std::move(value)), shown_(profile, key) {
    for (const LabelSet& set : profile.label_sets()) {
      auto has_it = [&](const Label& label) { return label.key == key && has_value(label, value_); };
      labelled_.push_back(!value_.empty() && std::any_of(set.begin(), set.end(), has_it));
    }
  }

  bool takes(const Profile::Sample& sample) {
    bool is_taken = labelled_[sample.labels] || is_so_as_shown(sample);
    has_taken_ |= is_taken;
    return is_taken;
  }
  bool has_taken() const { return has_taken_; }
  const std::string& value() const { return value_; }

 private:
  bool is_so_as_shown(const Profile::Sample& sample) const {
    std::string_view text = shown_.of(sample);
    return value_.empty() ? text.empty() : !text.empty() && matches_pattern(value_, text);
  }

  std::string value_;
  LabelValues shown_;
  std::vector<bool> labelled_;  // by label set
  bool has_taken_ = false;
};

// The heaviest first.
std::vector<std::string> values_of_label(const Profile& profile, const std::string& key) {
  std::vector<std::string> values;
  if (profile.value_types.empty()) return values;
  for (const LabelWeight& one : label_weights(profile, {}, key, profile.value_types.size() - 1))
    if (!one.label.empty()) values.push_back(one.label);
  return values;
}

[[noreturn]] void refuse_value(const Profile& profile, const std::string& key, const std::string& value) {
  constexpr size_t kMostGuessed = 1000;
  std::vector<std::string> values = values_of_label(profile, key);
  if (value.empty()) throw FormatError(formatted("no sample lacks label {}; values are {}", key, some_of(values)));
  std::string some = values.empty() ? "none has a weight" : formatted("values are {}", some_of(values));
  if (values.size() > kMostGuessed) values.resize(kMostGuessed);
  auto nearest = nearest_word(value, {values.begin(), values.end()});
  std::string guess = nearest ? formatted("did you mean {}? ", some_of({std::string(*nearest)})) : "";
  throw FormatError(formatted("no sample has label {}:{}; {}{}", key, value, guess, some));
}

ValuesByKey values_by_key(const std::vector<LabelChoice>& choices) {
  ValuesByKey values;
  for (const LabelChoice& choice : choices) values[choice.key].push_back(choice.value);
  return values;
}

void refuse_unknown_keys(const Profile& profile, const ValuesByKey& chosen) {
  std::vector<std::string> known = label_keys(profile);
  for (const auto& [key, values] : chosen)
    if (!std::binary_search(known.begin(), known.end(), key))
      throw FormatError(formatted("the profile has no label {}; {}", key, label_keys_text(profile, key)));
}

std::vector<std::vector<Matcher>> matchers_of(const Profile& profile, const ValuesByKey& chosen) {
  std::vector<std::vector<Matcher>> matchers;
  for (const auto& [key, values] : chosen) {
    matchers.emplace_back();
    for (const std::string& value : values) matchers.back().emplace_back(profile, key, value);
  }
  return matchers;
}

// By sample. Every matcher sees each sample, so that matchers without a match are known.
std::vector<bool> chosen_samples(const Profile& profile, std::vector<std::vector<Matcher>>* matchers) {
  std::vector<bool> taken(profile.sample_count());
  for (size_t index = 0; index < taken.size(); ++index) {
    bool has_all = true;
    for (std::vector<Matcher>& any_of : *matchers) {
      bool has_one = false;
      for (Matcher& matcher : any_of) has_one |= matcher.takes(profile.sample(index));
      has_all &= has_one;
    }
    taken[index] = has_all;
  }
  return taken;
}

void refuse_untaken(const Profile& profile, const ValuesByKey& chosen,
                    const std::vector<std::vector<Matcher>>& matchers) {
  auto key = chosen.begin();
  for (const std::vector<Matcher>& any_of : matchers) {
    for (const Matcher& matcher : any_of)
      if (!matcher.has_taken()) refuse_value(profile, key->first, matcher.value());
    ++key;
  }
}

void add_samples(const Profile& whole, const std::vector<bool>& taken, Profile* part) {
  StackCopier stacks(&whole, part);
  for (size_t index = 0; index < taken.size(); ++index) {
    if (!taken[index]) continue;
    const Profile::Sample& sample = whole.sample(index);
    part->add(stacks.copy(sample.stack), part->label_set(whole.label_sets()[sample.labels]), whole.values(index),
              sample.time);
  }
}

Profile empty_part(const Profile& whole) {
  Profile part;
  part.value_types = whole.value_types;
  part.metadata = whole.metadata;
  part.quality = whole.quality;
  return part;
}

void note_choice(const std::string& what, Profile* part) {
  std::string only = "only " + what;
  part->metadata.title += part->metadata.title.empty() ? only : ", " + only;
  part->quality.notes.push_back(only + "; quality figures cover all samples of the profile");
}

}  // namespace

LabelChoice label_choice(std::string_view text) {
  size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0)
    throw FormatError(formatted("cannot use \"{}\"; write KEY:VALUE, like thread:main", text));
  return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

std::string choices_text(const std::vector<LabelChoice>& choices) {
  std::vector<std::string> texts;
  for (const auto& [key, values] : values_by_key(choices))
    texts.push_back(formatted("{}:{}", key, joined(values, " or ")));
  return shown_text(joined(texts, ", "));
}

Profile only_labelled(const Profile& profile, const std::vector<LabelChoice>& choices) {
  ValuesByKey chosen = values_by_key(choices);
  refuse_unknown_keys(profile, chosen);
  std::vector<std::vector<Matcher>> matchers = matchers_of(profile, chosen);
  std::vector<bool> taken = chosen_samples(profile, &matchers);
  refuse_untaken(profile, chosen, matchers);
  Profile part = empty_part(profile);
  note_choice(choices_text(choices), &part);
  add_samples(profile, taken, &part);
  if (part.sample_count() == 0) throw FormatError(formatted("no sample has {} at once", choices_text(choices)));
  return part;
}

Profile labelled_of_many(const Profile& profile, const std::vector<LabelChoice>& choices) {
  std::vector<std::vector<Matcher>> matchers = matchers_of(profile, values_by_key(choices));
  Profile part = empty_part(profile);
  add_samples(profile, chosen_samples(profile, &matchers), &part);
  return part;
}

}  // namespace hearth::profile
