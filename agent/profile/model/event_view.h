// Simplifies a stored profile for people: text shows one event of several, the state label of a stored sample becomes a
// frame, and samples may be selected by their labels.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// The label of a thread's state (wall), and the value for which no frame is added.
inline constexpr std::string_view kStateLabel = "state";
inline constexpr std::string_view kRunningState = "running";

// Names of kEventKinds that have code of their own.
inline constexpr const char* kAllocEvent = "alloc";
inline constexpr const char* kLiveEvent = "live";
inline constexpr const char* kNativeMemoryEvent = "nativemem";
inline constexpr const char* kNativeLiveEvent = "native-live";
inline constexpr const char* kCallsEvent = "calls";
inline constexpr const char* kTraceEvent = "trace";

// An event of a profile, and its values.
struct ProfileEvent {
  std::string name;
  size_t count;
  size_t weight;
  bool counts_objects = false;  // or contentions; the number of samples is then unknown
};

// By kEventKinds; further values after "samples" are events of that name. {} if the values show that another
// program wrote the profile.
std::vector<ProfileEvent> events_of(const Profile& profile);

// Null if none has that name.
const ProfileEvent* event_named(const std::vector<ProfileEvent>& events, std::string_view name);

// The name of the only event with this value type; "" if none has it, or several.
std::string event_of_value(const Profile& profile, size_t value);

// The event shown by default: metadata.shown_event; else "live", since a session with it is about live objects; else
// the first. There must be one.
const ProfileEvent& default_event(const Profile& profile, const std::vector<ProfileEvent>& events);

// The samples of these events, with their frames and values. Throws FormatError for an unknown event.
Profile only_events(const Profile& profile, const std::vector<std::string>& names);

// "cpu every 10.0 ms, wall every 50.0 ms"; leaves out unknown intervals, "" if no event is known.
std::string events_text(const Profile& profile);

// The profile to write in `format`; empty: `profile` itself, as for pprof, JFR and OTLP unless labels are selected.
// Throws FormatError if options.event is not in the profile, and as only_labelled() does.
std::optional<Profile> view_of(const Profile& profile, Format format, const WriteOptions& options);

}  // namespace hearth::profile
