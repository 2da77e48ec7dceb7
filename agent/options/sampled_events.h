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
// The events of what is left of sampled ones, in the order in which a session numbers them after those.
std::vector<const char*> live_events(const Options& options);
bool samples_nothing(const Options& options);
// Whether it samples by a signal: cpu and wall.
// CPU samples with a property that timers cannot give.
bool needs_perf_events(const Options& options);
bool has_clock(const Options& options);
// The events that both sample.
std::vector<std::string> common_events(const Options& one, const Options& other);
// The first thing that both need, an event or its engine ("itimer"); null: there is none.
const char* common_event(const Options& one, const Options& other);
// The first event or engine that can serve only one of them; null: both can run.
const char* contended_event(const Options& one, const Options& other);
// The sentence about that.
std::string no_room_beside(std::string_view contended_event);
// The first event that is wanted and not there; null: all are.
const char* missing_event(const Options& there, const Options& wanted);
// `options` without the events that a session of `other` samples.
Options without_events_of(Options options, const Options& other);
// The same where only one session can have the event: both sample clocks.
Options without_contended_events(Options options, const Options& other);
// `event` as event_names() has it.
Options without_event(Options options, std::string_view event);
Options without_clocks(Options options);
Options without_allocations(Options options);
// Each interval `times` as long, at most the longest that the event accepts.
Options with_longer_intervals(Options options, int64_t times);

// Whether begin and end set breakpoints, which belong to the process.
bool has_breakpoints(const Options& options);
// Whether they exclude samples, which are then missing in all sessions.
bool samples_windows_only(const Options& options);
// Whether no clock that both sample is sampled more rarely `there` than is wanted.
bool is_as_fine(const Options& there, const Options& wanted);
// Whether `there` excludes no samples of its events: another user of the session would not know of the excluded ones.
bool samples_all(const Options& there);

}  // namespace hearth::options
