#include "session/counting/live_profile.h"

#include <utility>

#include "base/formatted.h"
#include "capture/recorder.h"
#include "events/vm/forced_collections.h"
#include "profile/formats/amount_text.h"

namespace hearth::session {
namespace {

constexpr int kAgeBits = 6, kSizeBits = 8;
static_assert(kAgeBits + kSizeBits <= SampleCounts::kStateBits);
constexpr uint16_t kMostAge = (1 << kAgeBits) - 1;

}  // namespace

std::vector<LiveProfile::Aged> LiveProfile::look(JNIEnv* env, As as) {
  uint64_t now = events::CollectionCost::pauses_so_far();  // without our own
  int64_t last_pause_ns = events::CollectionCost::last_pause_ns();
  bool was_collected = now > pauses_before_;
  bool is_collected = as == As::kCollectedNow && events::ForcedCollections::instance().collect();
  bool only_survivors = as == As::kLastCollected && was_collected;
  std::vector<Aged> found;
  int64_t uncollected = 0;
  for (const events::LiveObjects::Object& object : objects_.living(env)) {
    uint64_t age = now > object.collections ? now - object.collections : 0;
    if (age == 0) uncollected += object.bytes;
    if (age > 0 || !only_survivors) found.push_back({object, age});
  }
  std::optional<int64_t> ago_ns;
  if (was_collected) ago_ns = static_cast<int64_t>(capture::now_ns()) - last_pause_ns;
  note_ = is_collected || as == As::kLastCollected ? "" : uncollected_note(uncollected, ago_ns);
  return found;
}

std::vector<SampleCounts::Part> LiveProfile::samples(JNIEnv* env, uint16_t event, As as,
                                                     const SampleCounts::StepOf& step_of) {
  // Together: a part of an object may be much of the weight of one sample.
  SampleCounts::Living living;
  for (const auto& [object, age] : has_ended_ ? at_end_ : look(env, as)) {
    uint16_t state = state_of_live(age, object.size_class);
    SampleCounts::Key key = {object.thread, object.stack, event, state, object.labels};
    living.add(key, object.span, step_of(object.time_ns), object.bytes, object.objects);
  }
  return living.parts();
}

void LiveProfile::end(JNIEnv* env) {
  if (has_ended_) return;
  at_end_ = look(env, As::kCollectedNow);
  forget(env);
}

void LiveProfile::forget(JNIEnv* env) {
  if (has_ended_) return;
  objects_.clear(env);
  has_ended_ = true;
}

std::string uncollected_note(int64_t uncollected, std::optional<int64_t> ago_ns) {
  if (!ago_ns)
    return "live contains every sampled object, garbage too: no garbage was collected while the session ran, and a JVM "
           "that ends collects none";
  return formatted(
      "live is as of the last collection, {} before the end, as a JVM that ends collects no garbage; {} were allocated "
      "after it (age 0), and some of that may be garbage",
      profile::duration_text(*ago_ns), profile::amount_text(uncollected, "bytes"));
}

uint16_t state_of_live(uint64_t collections, uint8_t size_class) {
  uint16_t doublings = 0;
  while (doublings + 1 < kMostAge && uint64_t{1} << doublings < collections) doublings++;
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
