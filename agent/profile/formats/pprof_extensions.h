// Stores data in a pprof profile that profile.proto has no field for. A frame's kind is the mapping of its location,
// with the kind's word as file name: pprof shows it nowhere in its tables, and the mapping declares that functions are
// known, so that no tool searches for symbols. Metadata are comments, "#hearth.KEY=VALUE": pprof prints comments above
// its tables, except those that begin with #. Notes, which are for people, have no #, and in older files no comment has
// one. With several events, "hearth.interval.TYPE=NUMBER" is the interval of each (the period is that of the last), and
// "hearth.threshold.TYPE=NUMBER", "hearth.followed_since_ns.TYPE=NUMBER" and "hearth.looked_at_ns.TYPE=NUMBER" are the
// other fields of ValueType. A sample's time is its numeric label "time", in nanoseconds since the profile's start, and
// "hearth.time_step_ns=NUMBER" is its resolution.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

// By FrameKind.
inline constexpr std::string_view kKindWords[kFrameKinds] = {
    "java_interpreted", "java_c1", "java_jit", "java_inlined", "native", "cpp",
    "kernel",           "stub",    "thread",   "marker",       "class",
};

inline constexpr char kHiddenComment = '#';
inline constexpr std::string_view kIntervalPrefix = "hearth.interval.";
inline constexpr std::string_view kThresholdPrefix = "hearth.threshold.";
inline constexpr std::string_view kFollowedPrefix = "hearth.followed_since_ns.";
inline constexpr std::string_view kLookedPrefix = "hearth.looked_at_ns.";
inline constexpr std::string_view kTimeStepPrefix = "hearth.time_step_ns=";
inline constexpr std::string_view kTimeLabel = "time";
inline constexpr std::string_view kTimeUnit = "nanoseconds";

struct MetadataComment {
  std::string_view prefix;
  std::string Metadata::*field;
};
inline constexpr MetadataComment kMetadataComments[] = {
    {"hearth.event=", &Metadata::event},       {"hearth.title=", &Metadata::title},
    {"hearth.producer=", &Metadata::producer}, {"hearth.runtime=", &Metadata::runtime},
    {"hearth.program=", &Metadata::program},   {"hearth.pid=", &Metadata::pid},
    {"hearth.host=", &Metadata::host},
};

// All comments of a profile; `title` "": its own.
std::vector<std::string> pprof_comments(const Profile& profile, const std::string& title);

}  // namespace hearth::profile
