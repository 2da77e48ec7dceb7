// What is compared, brought to one form: the values that all have, names without the numbers of one run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

inline constexpr const char* kSideNames[] = {"before", "after"};

// Of each of its runs a profile; the other side stands beside it.
struct ComparedRun {
  const Profile* profile;
  size_t side;       // of kSideNames
  std::string name;  // of its samples' label `run`; empty: they get none
};

// The event that all have and the first one shows first; "" where one does not tell its events. Throws FormatError
// where they have none in common.
std::string common_event(const std::vector<ComparedRun>& runs);

class ComparedProfiles {
 public:
  // Throws FormatError where they have no value in common ("one is of cpu, the other of alloc").
  explicit ComparedProfiles(const std::vector<ComparedRun>& runs);

  // Values that all have; a joined profile has them for what was before, and once more for what is after.
  size_t width() const { return columns_[0].size(); }
  // Throws FormatError where there are negative values (a difference of profiles).
  Profile joined() const;
  // One of them, in the same columns.
  Profile alone(size_t run) const;

 private:
  Profile empty() const;
  void add(size_t run, Profile* joined) const;

  const std::vector<ComparedRun>& runs_;
  std::vector<std::vector<size_t>> columns_;  // by run: where its values are that all have
};

}  // namespace hearth::profile
