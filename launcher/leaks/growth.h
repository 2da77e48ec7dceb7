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

// Live bytes by look, each divided by the look before which they were allocated: look N has N + 1 amounts.
using Generations = std::vector<std::vector<int64_t>>;

// True if memory leaks, by three facts, as hundreds of sites are tested and none may be named falsely: the growth is
// certain; the last quarter of the looks saw growth, too, so that it is no cache that was filled; and memory that was
// allocated in the first quarter and lived in the middle still lives, so that it is no cache that replaces the content
// that it had before the session.
bool leaks(const Generations& generations, const Growth& growth);

struct Site {
  std::vector<std::string> frames;  // outermost first
  std::vector<int64_t> amounts;     // by look
  Growth growth;
  bool leaks = false;
};

class LiveSites {
 public:
  // Adds the value of this type of all stacks, as the next look. A profile without the value has none; without times of
  // samples all is as old as the session. Memory that the JVM takes for its heap is in jvm_heap().
  void add(const profile::Profile& profile, std::string_view value_type);

  // Sites that leak, the fastest first, then the others by their live bytes.
  std::vector<Site> sites(double seconds_apart) const;
  // Their amounts together, and the growth of those that leak.
  Site total(double seconds_apart) const;
  // Bytes by look.
  const std::vector<int64_t>& jvm_heap() const { return jvm_heap_; }

 private:
  // When an amount was allocated, since the session's start.
  struct Time {
    int64_t begin_ns = 0, end_ns = 0;  // equal: not known
  };
  static std::vector<Time> dates_of(const profile::Profile& profile, const profile::ValueType& type);
  void divide(int64_t amount, Time time, std::vector<int64_t>* generations) const;

  std::map<std::vector<std::string>, Generations> sites_;
  std::vector<int64_t> jvm_heap_;
  std::vector<int64_t> look_ns_;  // time of each look since the session's start
};

}  // namespace hearth::launcher
