// What people look at is simpler than what is stored: text shows one event of several, a state that is a label of the
// stored sample is a frame there, and of all samples those may be left that were chosen by their labels.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// The label that holds what a thread was doing (wall), and its word that needs no frame.
inline constexpr std::string_view kStateLabel = "state";
inline constexpr std::string_view kRunningState = "running";

// The events whose samples are objects, and the one whose samples are waits for contended locks.
inline constexpr const char* kAllocEvent = "alloc";
inline constexpr const char* kLiveEvent = "live";
inline constexpr const char* kLockEvent = "lock";

// An event of a profile, and which of its values are the event's.
struct ProfileEvent {
  std::string name;
  size_t count;
  size_t weight;
  bool counts_objects = false;  // or contentions, of which it is not known how many were met
};

// Of what hearth writes: each value after "samples" is an event of that name, "alloc_objects" and "alloc_space" are
// those of "alloc", "inuse_objects" and "inuse_space" of "live", "contentions" and "delay" of "lock". {} where other
// values show that somebody else wrote it.
std::vector<ProfileEvent> events_of(const Profile& profile);

// Null when none has that name.
const ProfileEvent* event_named(const std::vector<ProfileEvent>& events, std::string_view name);

// The name of the event that has this value type alone; "" where none has, or several.
std::string event_of_value(const Profile& profile, size_t value);

// The one of the profile's events that is shown when none is asked for: "live", which is all that whoever asks for it
// wants to see; else metadata.shown_event; else the first. There must be one.
const ProfileEvent& default_event(const Profile& profile, const std::vector<ProfileEvent>& events);

// The samples of these events alone, with their frames and values. Throws FormatError for one that is not there.
Profile only_events(const Profile& profile, const std::vector<std::string>& names);

// "cpu every 10.0 ms, wall every 50.0 ms"; without what is not known, "" when nothing is.
std::string events_text(const Profile& profile);

// The profile that `format` should be written from; none: it is `profile` itself, as of pprof unless labels are chosen.
// Throws FormatError when options.event is none of the profile's, and as only_labelled() does.
std::optional<Profile> view_of(const Profile& profile, Format format, const WriteOptions& options);

}  // namespace hearth::profile
