// Where the time of requests went, over all their threads: labelled samples of wall time by state and method, each with
// what it waited for, from the profile's other events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/model/label_choice.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// What a step waited for, or who ended the wait.
struct PathCause {
  enum class Kind { kHolder, kWaker, kIo, kSafepoint };
  Kind kind{};
  std::string what;    // a method; for kIo "read db:5432"; an operation of the JVM
  std::string object;  // class of the lock or of what was waited for; "": unknown, or none
  int64_t time_ns = 0;
  double share = 0;  // of the time of all causes of its kind that the method has
};

struct PathStep {
  std::string state;   // of the thread, as "running", "parked"
  std::string method;  // of the program, innermost
  int64_t time_ns = 0;
  std::vector<PathCause> causes;  // heaviest first within a kind
};

struct RequestPath {
  int64_t time_ns = 0;
  size_t threads = 0;                // 0: the profile does not tell threads apart
  std::vector<PathStep> steps;       // heaviest first
  std::vector<std::string> missing;  // events that the profile lacks, and with them causes
};

// Of the samples that the choices select. Holders and wakers are those of the same methods in the whole profile: their
// samples have the labels of the thread that holds or wakes. Throws FormatError if the profile has no wall time, and as
// only_labelled() does.
RequestPath request_path(const Profile& profile, const std::vector<LabelChoice>& choices);

}  // namespace hearth::profile
