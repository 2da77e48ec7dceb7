// --from and --to: a part of the time of a stored profile.
#pragma once

#include <string>

#include "profile/model/time_choice.h"

namespace hearth::launcher {

// As typed: "10s" after the profile's start, "-10s" before its end, or a time of day or a date as those of a store.
struct TimeWords {
  std::string from;  // "": open at that end
  std::string to;
  bool are_given() const { return !from.empty() || !to.empty(); }
};

// `recorded`: from the start of the profile to its end. Throws Error for a word that is no time, and for an end that is
// not after the beginning.
profile::TimeChoice choice_of(const TimeWords& words, const profile::TimeChoice& recorded);

}  // namespace hearth::launcher
