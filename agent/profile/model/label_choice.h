// Which samples are meant, by their labels: one meaning for files, the command line and HTTP.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

// Samples whose label `key` has this value; '*' at its start or end stands for anything, and "" for lacking the label.
struct LabelChoice {
  std::string key;
  std::string value;
};

// Of "KEY:VALUE", parted at the first colon. Throws FormatError.
LabelChoice label_choice(std::string_view text);

// "endpoint:/a or /b, state:parked"
std::string choices_text(const std::vector<LabelChoice>& choices);

// The samples that have any of the values chosen for one key, for every key that is chosen. Numbers go by their digits,
// with or without the unit. Quality and metadata are of the whole; the title and a note say that this is a part. Throws
// FormatError for a key that the profile has not, for a value that no sample has, and where no sample has all of them.
Profile only_labelled(const Profile& profile, const std::vector<LabelChoice>& choices);

// The same of one of several profiles, which may have none of them: without a word of that.
Profile labelled_of_many(const Profile& profile, const std::vector<LabelChoice>& choices);

}  // namespace hearth::profile
