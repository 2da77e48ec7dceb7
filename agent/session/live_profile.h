// What of a session's allocations is still reachable, as samples of an event of their own. One call at a time.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>
#include <vector>

#include "events/collection_cost.h"
#include "events/live_objects.h"
#include "session/sample_counts.h"

namespace hearth::session {

inline constexpr const char* kAgeLabel = "age";  // of a sample: collections that it has outlived

class LiveProfile {
 public:
  events::LiveObjects* objects() { return &objects_; }

  // What is live: what a collection now leaves, or what the last one left. What came after that is not known to live
  // or not, and left out, unless there was none yet.
  enum class As { kCollectedNow, kLastCollected };
  // Counts it; `event`: the number of this one. After end() what there was at the end.
  std::vector<SampleCounts::Part> samples(jvmtiEnv* jvmti, JNIEnv* env, uint16_t event, As as);
  // Nothing is followed any more. forget() does not ask what lives at the end, which takes a collection.
  void end(jvmtiEnv* jvmti, JNIEnv* env);
  void forget(JNIEnv* env);

  size_t bytes() const { return objects_.bytes() + at_end_.capacity() * sizeof(Aged); }
  int64_t threshold() const { return objects_.threshold(); }
  uint64_t missed() const { return objects_.missed(); }

 private:
  struct Aged {
    events::LiveObjects::Object object;
    uint64_t age;  // collections that it has outlived, but for the one that tells
  };
  std::vector<Aged> look(jvmtiEnv* jvmti, JNIEnv* env, As as);

  const uint64_t pauses_before_ = events::CollectionCost::pauses_so_far();  // of the JVM, when this was made
  events::LiveObjects objects_;
  std::vector<Aged> at_end_;
  bool has_ended_ = false;
};

// A sample's state: its age, the longer the coarser ("0", "1", "2", "3-4", "5-8", … collections), and its size.
uint16_t state_of_live(uint64_t collections, uint8_t size_class);
std::string age_word(uint16_t state);
uint8_t size_class_of_live(uint16_t state);

}  // namespace hearth::session
