// Samples of the event "live": the session's sampled objects that are still reachable. One call at a time.
#pragma once

#include <jni.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "events/alloc/live_objects.h"
#include "events/vm/collection_cost.h"
#include "session/counting/native_live.h"
#include "session/counting/sample_counts.h"

namespace hearth::session {

// Of a sample of live memory: collections that its object has survived, or the time since its native allocation.
inline constexpr const char* kAgeLabel = "age";

class LiveProfile {
 public:
  events::LiveObjects* objects() { return &objects_; }
  // Of the event "native-live".
  NativeLive* native() { return &native_; }
  const NativeLive* native() const { return &native_; }

  // The objects that survive a collection now, or those that survived the last one. Leaves out objects allocated after
  // that collection, whose state is unknown, unless there was none yet. A JVM that ends makes no collection: then
  // kCollectedNow includes all objects that no collection has freed, and note() explains that.
  enum class As { kCollectedNow, kLastCollected };
  // `event`: the number of the event "live". After end() returns the objects at the end.
  // The time of a sample is that of its allocation.
  std::vector<SampleCounts::Part> samples(JNIEnv* env, uint16_t event, As as, const SampleCounts::StepOf& step_of);
  // Both stop following objects. end() finds the live ones, which takes a collection; forget() does not.
  void end(JNIEnv* env);
  void forget(JNIEnv* env);
  const std::string& note() const { return note_; }  // on the last samples() or end(); "" after a collection

  size_t bytes() const { return objects_.bytes() + at_end_.capacity() * sizeof(Aged); }
  int64_t threshold() const { return objects_.threshold(); }
  uint64_t missed() const { return objects_.missed(); }

 private:
  struct Aged {
    events::LiveObjects::Object object;
    uint64_t age;  // collections survived, without the one that was made to find it
  };
  std::vector<Aged> look(JNIEnv* env, As as);

  const uint64_t pauses_before_ = events::CollectionCost::pauses_so_far();  // of the JVM, at construction
  events::LiveObjects objects_;
  NativeLive native_;
  std::vector<Aged> at_end_;
  std::string note_;
  bool has_ended_ = false;
};

// A note for a profile made without a collection. `uncollected`: bytes allocated after the last collection; `ago_ns`:
// the time since then, nullopt if there was no collection.
std::string uncollected_note(int64_t uncollected, std::optional<int64_t> ago_ns);

// A sample's state: its age in collections, in coarser steps when older ("0", "1", "2", "3-4", "5-8", …), and its size.
uint16_t state_of_live(uint64_t collections, uint8_t size_class);
std::string age_word(uint16_t state);
uint8_t size_class_of_live(uint16_t state);

}  // namespace hearth::session
