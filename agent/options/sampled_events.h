// Which events options sample, and where two of them would sample the same one. CPU and wall clocks are sampled by any
// number of sessions, each at its own interval by a signal of its own; the process's timer, and the JVM's hooks of
// allocations and locks, serve one at a time. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/options.h"

namespace hearth::options {

std::vector<std::string> event_names(const Options& options);
bool samples_nothing(const Options& options);
// Whether it samples by a signal: cpu and wall.
bool has_clock(const Options& options);
// The events that both sample.
std::vector<std::string> common_events(const Options& one, const Options& other);
// The first thing that both need, an event or its engine ("itimer"); null: there is none.
const char* common_event(const Options& one, const Options& other);
// The first of those that can serve one session only; null: both can run.
const char* contended_event(const Options& one, const Options& other);
// The sentence about that.
std::string no_room_beside(std::string_view contended_event);
// The first event that is wanted and not there; null: all are.
const char* missing_event(const Options& there, const Options& wanted);
// Of `options` what a session of `other` leaves to others.
Options without_events_of(Options options, const Options& other);
// The same where it shares nothing with them: clocks are sampled beside it.
Options without_contended_events(Options options, const Options& other);
// `event` as event_names() has it.
Options without_event(Options options, std::string_view event);
Options without_clocks(Options options);
Options without_allocations(Options options);
// Each interval `times` as long, at most the longest that the event accepts.
Options with_longer_intervals(Options options, int64_t times);

// Breakpoints are the process's: what they shut out is missing everywhere.
bool has_breakpoints(const Options& options);
// Whether no clock that both sample is sampled more rarely `there` than is wanted.
bool is_as_fine(const Options& there, const Options& wanted);
// Whether what `there` samples is all that there is of its events: who looks at a session of somebody else does not
// know what was left out.
bool samples_all(const Options& there);

}  // namespace hearth::options
