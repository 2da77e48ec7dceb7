#include "session/live_profile.h"

#include <map>

#include "base/formatted.h"
#include "events/collection_cost.h"

namespace hearth::session {

std::vector<LiveProfile::Aged> LiveProfile::look(jvmtiEnv* jvmti, JNIEnv* env) {
  uint64_t now = events::CollectionCost::pauses_so_far();  // without our own
  jvmti->ForceGarbageCollection();
  std::vector<Aged> found;
  for (const events::LiveObjects::Object& object : objects_.living(env))
    found.push_back({object, now > object.collections ? now - object.collections : 0});
  return found;
}

std::vector<SampleCounts::Entry> LiveProfile::samples(jvmtiEnv* jvmti, JNIEnv* env, uint16_t event) {
  // Together: a part of an object may be much of what one sample stands for.
  std::map<SampleCounts::Key, SampleCounts::Count> counts;
  for (const auto& [object, age] : has_ended_ ? at_end_ : look(jvmti, env)) {
    SampleCounts::Count& count = counts[{object.thread, object.stack, event, state_of_age(age)}];
    count.samples++;
    count.weight += object.bytes;
    count.objects += object.objects;
  }
  std::vector<SampleCounts::Entry> entries;
  for (const auto& [key, count] : counts) entries.push_back({key, count});
  return entries;
}

void LiveProfile::end(jvmtiEnv* jvmti, JNIEnv* env) {
  if (has_ended_) return;
  at_end_ = look(jvmti, env);
  objects_.clear(env);
  has_ended_ = true;
}

uint16_t state_of_age(uint64_t collections) {
  uint16_t doublings = 0;
  while (doublings < 63 && uint64_t{1} << doublings < collections) doublings++;
  return collections == 0 ? 0 : static_cast<uint16_t>(doublings + 1);
}

std::string age_word(uint16_t state) {
  constexpr uint16_t kFirstRange = 3;
  if (state < kFirstRange) return std::to_string(state);
  return formatted("{}-{}", (uint64_t{1} << (state - 2)) + 1, uint64_t{1} << (state - 1));
}

}  // namespace hearth::session
