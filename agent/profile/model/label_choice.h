// Selects samples by their labels, in the same way for files, the command line and HTTP.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

// Samples with this value of label `key`; '*' at its start or end matches anything, and "" selects samples without the
// label.
struct LabelChoice {
  std::string key;
  std::string value;
};

// From "KEY:VALUE", split at the first colon. Throws FormatError.
LabelChoice label_choice(std::string_view text);

// "endpoint:/a or /b, state:parked"
std::string choices_text(const std::vector<LabelChoice>& choices);

// The samples with any of the values selected for a key, for every selected key. Numbers match by their digits, with or
// without unit. Quality and metadata are those of the whole profile; the title and a note report the selection. Throws
// FormatError for a key that the profile lacks, for a value that no sample has, and if no sample matches all.
Profile only_labelled(const Profile& profile, const std::vector<LabelChoice>& choices);

// As only_labelled(), for one of several profiles, which may have no matching sample: does not throw for that.
Profile labelled_of_many(const Profile& profile, const std::vector<LabelChoice>& choices);

}  // namespace hearth::profile
