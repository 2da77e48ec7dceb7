// The table of events as profiles contain them: names and units of their values, and words for people. The rows of
// options/event_table.h refer to these; readers of profiles know no options.
#pragma once

#include <array>
#include <string_view>

namespace hearth::profile {

// The first value of events that count their samples; they share one such value.
inline constexpr std::string_view kSamplesType = "samples";

// The meaning of a sample's own label.
enum class SampleLabel { kThreadState, kSize, kWait, kDuration, kAge, kTimeAge, kMessage, kIo };

struct EventKind {
  const char* name;
  const char* count;   // value type of the samples, or of the objects that they represent
  const char* weight;  // value type of the amount
  const char* unit;    // of the weight
  SampleLabel label;
  const char* noun;          // for one of `count`
  const char* count_words;   // after an amount of `count`; "": the value type
  const char* weight_words;  // after an amount of `weight`; "": the value type
  const char* also = "";     // event that each sample counts for as well, with its bytes; "": none

  // Counts objects or waits, estimated from samples. Other events count samples, in the value that they share.
  constexpr bool counts_objects() const { return std::string_view(count) != kSamplesType; }
};

// In the order of values in a profile.
inline constexpr std::array kEventKinds = {
    EventKind{"cpu", "samples", "cpu", "nanoseconds", SampleLabel::kThreadState, "sample", "", ""},
    EventKind{"wall", "samples", "wall", "nanoseconds", SampleLabel::kThreadState, "sample", "", ""},
    EventKind{"page-faults", "samples", "page_faults", "count", SampleLabel::kThreadState, "sample", "", "page faults"},
    EventKind{"context-switches", "samples", "context_switches", "count", SampleLabel::kThreadState, "sample", "",
              "context switches"},
    EventKind{"calls", "samples", "calls", "count", SampleLabel::kThreadState, "sample", "", "calls"},
    EventKind{"exception", "samples", "exceptions", "count", SampleLabel::kMessage, "sample", "", "exceptions"},
    EventKind{"alloc", "alloc_objects", "alloc_space", "bytes", SampleLabel::kSize, "object", "objects allocated",
              "allocated"},
    EventKind{"lock", "contentions", "delay", "nanoseconds", SampleLabel::kWait, "contention", "", "waited for locks"},
    EventKind{"nativemem", "native_allocs", "native_alloc_space", "bytes", SampleLabel::kSize, "allocation",
              "native allocations", "allocated natively"},
    EventKind{"nativelock", "native_contentions", "native_delay", "nanoseconds", SampleLabel::kWait, "contention",
              "native contentions", "waited for native locks"},
    EventKind{"io", "io_calls", "io_time", "nanoseconds", SampleLabel::kIo, "call", "I/O calls", "in I/O", "io-bytes"},
    EventKind{"io-bytes", "io_transfers", "io_bytes", "bytes", SampleLabel::kIo, "transfer", "I/O transfers",
              "moved by I/O"},
    EventKind{"trace", "traced_calls", "traced_time", "nanoseconds", SampleLabel::kDuration, "call", "calls",
              "in traced calls"},
    EventKind{"holders", "samples", "holders", "nanoseconds", SampleLabel::kThreadState, "sample", "",
              "waited by others"},
    EventKind{"wakers", "wakeups", "wakers", "nanoseconds", SampleLabel::kWait, "wake-up", "wake-ups",
              "waited until woken"},
    EventKind{"vthreads", "vthread_waits", "vthreads", "nanoseconds", SampleLabel::kWait, "wait", "waits",
              "waited in virtual threads"},
    EventKind{"live", "inuse_objects", "inuse_space", "bytes", SampleLabel::kAge, "object", "objects live", "live"},
    EventKind{"native-live", "native_inuse_allocs", "native_inuse_space", "bytes", SampleLabel::kTimeAge, "allocation",
              "native allocations live", "live natively"},
};

// Whether it is an event that samples of another one count for as well.
constexpr bool is_also(const EventKind& kind) {
  for (const EventKind& other : kEventKinds)
    if (std::string_view(other.also) == kind.name) return true;
  return false;
}

// Of events without a row: each is counted, in a value of its own name.
inline constexpr EventKind kCounterKind{"", "samples", "", "count", SampleLabel::kThreadState, "sample", "", ""};

// Null for another name.
constexpr const EventKind* event_kind(std::string_view name) {
  for (const EventKind& kind : kEventKinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

// Of a session's event: its row, or that of counters.
constexpr const EventKind& kind_of_event(std::string_view name) {
  const EventKind* kind = event_kind(name);
  return kind == nullptr ? kCounterKind : *kind;
}

// The kind with a value of this type of its own; null for "samples" and for types of other tools.
constexpr const EventKind* kind_of_value(std::string_view type) {
  for (const EventKind& kind : kEventKinds)
    if (kind.weight == type || (kind.counts_objects() && kind.count == type)) return &kind;
  return nullptr;
}

}  // namespace hearth::profile
