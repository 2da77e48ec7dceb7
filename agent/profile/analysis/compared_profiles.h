// Brings profiles to a common form for comparison: their common values, and names without the numbers of one run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

inline constexpr const char* kSideNames[] = {"before", "after"};

// One run of a side of the comparison.
struct ComparedRun {
  const Profile* profile;
  size_t side;       // of kSideNames
  std::string name;  // value of the label `run` of its samples; empty: no label
};

// The event that all profiles have and the first one shows first; "" if one does not name its events. Throws
// FormatError if they have none in common.
std::string common_event(const std::vector<ComparedRun>& runs);

class ComparedProfiles {
 public:
  // Throws FormatError if they have no value in common ("one is of cpu, the other of alloc").
  explicit ComparedProfiles(const std::vector<ComparedRun>& runs);

  // Number of common values; a joined profile has them twice: before, then after.
  size_t width() const { return columns_[0].size(); }
  // Throws FormatError for negative values (a difference of profiles).
  Profile joined() const;
  // One of the profiles, in the same columns.
  Profile alone(size_t run) const;

 private:
  Profile empty() const;
  void add(size_t run, Profile* joined) const;

  const std::vector<ComparedRun>& runs_;
  std::vector<std::vector<size_t>> columns_;  // by run: indexes of the common values
};

}  // namespace hearth::profile
