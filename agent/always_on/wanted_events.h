// Which events the store samples itself and which it borrows. Pure functions. Names of events are those of
// options::event_names().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options/options.h"

namespace hearth::always_on {

// One step of the rule in store_sources.h, for another session with the options `there`.
struct Share {
  options::Options rest;          // the events that the store still has to sample
  std::vector<std::string> lent;  // the events that the session lends
  bool keeps_some = false;        // neither sampled nor lent: the session keeps the store from them
};
// `wanted`: the events that no session before has removed. `all`: the store's events as asked for.
Share share_of(const options::Options& wanted, const options::Options& all, const options::Options& there);

// The events that a session lends once it resumes `resumed`, in the order of the store's events. `lent`: by this
// session until now. `lent_by_others`: by all others.
std::vector<std::string> lent_after_resume(const options::Options& all, const options::Options& resumed,
                                           const std::vector<std::string>& lent,
                                           const std::vector<std::string>& lent_by_others);

// Whether the own session must end before a session of `starting` starts, which needs its resources.
bool is_in_the_way(const options::Options& own, const options::Options& starting);

// Whether a new session is to replace the own one. After the end of a window the limit of spans is half, so that those
// of the next window fit.
struct OwnSessionSize {
  uint64_t age_ns = 0;
  uint32_t spans = 0;
  int64_t bytes = 0;
};
bool is_too_young_to_replace(uint64_t age_ns);
bool has_grown(const OwnSessionSize& size, bool is_window_over);

}  // namespace hearth::always_on
