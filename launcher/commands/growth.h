// Growth of live memory, by the sites that allocated it, from several looks at one session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::launcher {

// Bytes a second. `bound`: 95 of 100 sessions of a program that grows as fast find a rate that is off by less.
struct Growth {
  double rate = 0;
  double bound = 0;

  bool is_certain() const { return rate > bound; }
};

// From amounts at equal distances. The amount after an interval is that before it and what was allocated and kept
// meanwhile, which differs by chance, as do the samples: the bound follows from how much the intervals differ. With
// fewer than three looks nothing is known: 0.
Growth growth_of(const std::vector<int64_t>& amounts, double seconds_apart);

struct Site {
  std::vector<std::string> frames;  // outermost first
  std::vector<int64_t> amounts;     // by look
  Growth growth;
};

class LiveSites {
 public:
  // Adds the value of this type of all stacks, as the next look. A profile without the value has none.
  void add(const profile::Profile& profile, std::string_view value_type);

  // Sites that grow for certain, the fastest first, then the others by their live bytes.
  std::vector<Site> sites(double seconds_apart) const;
  // All sites together.
  Site total(double seconds_apart) const;

 private:
  std::map<std::vector<std::string>, std::vector<int64_t>> sites_;
  size_t looks_ = 0;
};

}  // namespace hearth::launcher
