#include "session/live_profile.h"

#include <map>
#include <utility>

#include "base/formatted.h"

namespace hearth::session {
namespace {

constexpr int kAgeBits = 8;

}  // namespace

std::vector<LiveProfile::Aged> LiveProfile::look(jvmtiEnv* jvmti, JNIEnv* env, As as) {
  uint64_t now = events::CollectionCost::pauses_so_far();  // without our own
  if (as == As::kCollectedNow) jvmti->ForceGarbageCollection();
  bool only_survivors = as == As::kLastCollected && now > pauses_before_;
  std::vector<Aged> found;
  for (const events::LiveObjects::Object& object : objects_.living(env)) {
    uint64_t age = now > object.collections ? now - object.collections : 0;
    if (age > 0 || !only_survivors) found.push_back({object, age});
  }
  return found;
}

std::vector<SampleCounts::Part> LiveProfile::samples(jvmtiEnv* jvmti, JNIEnv* env, uint16_t event, As as) {
  // Together: a part of an object may be much of what one sample stands for.
  std::map<std::pair<SampleCounts::Key, uint16_t>, SampleCounts::Count> counts;
  for (const auto& [object, age] : has_ended_ ? at_end_ : look(jvmti, env, as)) {
    uint16_t state = state_of_live(age, object.size_class);
    SampleCounts::Key key = {object.thread, object.stack, event, state, object.labels};
    SampleCounts::Count& count = counts[{key, object.span}];
    count.samples++;
    count.weight += object.bytes;
    count.objects += object.objects;
  }
  std::vector<SampleCounts::Part> parts;
  for (const auto& [key, count] : counts) parts.push_back({key.first, profile::kNoTime, count, key.second});
  return parts;
}

void LiveProfile::end(jvmtiEnv* jvmti, JNIEnv* env) {
  if (has_ended_) return;
  at_end_ = look(jvmti, env, As::kCollectedNow);
  forget(env);
}

void LiveProfile::forget(JNIEnv* env) {
  if (has_ended_) return;
  objects_.clear(env);
  has_ended_ = true;
}

uint16_t state_of_live(uint64_t collections, uint8_t size_class) {
  uint16_t doublings = 0;
  while (doublings < 63 && uint64_t{1} << doublings < collections) doublings++;
  auto age = static_cast<uint16_t>(collections == 0 ? 0 : doublings + 1);
  return static_cast<uint16_t>(size_class << kAgeBits | age);
}

std::string age_word(uint16_t state) {
  constexpr uint16_t kFirstRange = 3;
  auto age = static_cast<uint16_t>(state % (1 << kAgeBits));
  if (age < kFirstRange) return std::to_string(age);
  return formatted("{}-{}", (uint64_t{1} << (age - 2)) + 1, uint64_t{1} << (age - 1));
}

uint8_t size_class_of_live(uint16_t state) {
  return static_cast<uint8_t>(state >> kAgeBits);
}

}  // namespace hearth::session
