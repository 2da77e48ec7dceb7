#include "events/alloc/own_points.h"

#include <algorithm>
#include <ctime>

#include "base/clocks.h"
#include "capture/faults/safe_load.h"
#include "events/alloc/exponential.h"

namespace hearth::events {
namespace {

constexpr int64_t kWord = 8;

// Rounds down: the sampler sets the end of a TLAB by whole words.
int64_t whole_words(int64_t bytes) {
  return bytes / kWord * kWord;
}

uint64_t seed_of(const capture::OwnPoints* points) {
  auto now = static_cast<uint64_t>(clock_ns(CLOCK_MONOTONIC));
  return reinterpret_cast<uintptr_t>(points) ^ now << 32 ^ now >> 32;
}

// The JVM allocates an object outside of the TLAB if it does not fit and more than the waste limit is left. The sampler
// reports each such object if its point is no further away than the object is large: half of the rest, or the waste
// limit.
int64_t furthest_point(const capture::AllocationLayout& layout, uintptr_t thread) {
  auto waste_limit = static_cast<int64_t>(capture::load(thread + layout.waste_limit)) * kWord;
  uintptr_t top = capture::load(thread + layout.tlab_top);
  uintptr_t end = capture::load(thread + layout.tlab_end);
  int64_t left = top == 0 ? 0 : static_cast<int64_t>(end - top);
  return std::max(left / 2, waste_limit);
}

// Writes without synchronization: only the thread itself reads the word, after its callback.
void set_point(const capture::AllocationLayout& layout, uintptr_t thread, bool is_outside, int64_t distance) {
  int64_t point = layout.uses_tlabs ? std::min(distance, furthest_point(layout, thread)) : distance;
  // The TLAB has no point after such an object; the next object is reported at once.
  if (is_outside && layout.forgets_point) point = 1;
  *reinterpret_cast<int64_t*>(thread + layout.sample_point) = std::max<int64_t>(point, 1);
}

bool is_outside(const capture::AllocationLayout& layout, const ShownObject& shown) {
  return shown.address < capture::load(shown.thread + layout.tlab_start) ||
         shown.address >= capture::load(shown.thread + layout.tlab_top);
}

// Adds the missed points to the weight. Their objects are unknown; none was outside of a TLAB, and none large.
void add_missed(int64_t size, int64_t interval, capture::OwnPoints* points, AllocationWeight* weight) {
  auto bytes = static_cast<double>(points->missed * interval);
  weight->bytes += bytes;
  weight->objects += bytes / static_cast<double>(size);
  points->missed = 0;
}

}  // namespace

void begin_own_points(const capture::AllocationLayout& layout, uintptr_t thread, int64_t interval,
                      capture::OwnPoints* points) {
  points->have_begun = true;
  points->random = seed_of(points);
  points->bytes = allocated_bytes(layout, thread);
  points->distance = draw_distance(interval, &points->random);
  set_point(layout, thread, false, points->distance);
}

AllocationWeight weigh_by_own_points(const capture::AllocationLayout& layout, const ShownObject& shown,
                                     int64_t interval, capture::OwnPoints* points) {
  int64_t bytes = allocated_bytes(layout, shown.thread);
  int64_t passed = bytes - points->bytes - shown.size;
  bool outside = is_outside(layout, shown);
  points->bytes = bytes;
  for (; whole_words(points->distance) < passed; points->missed++)
    points->distance += draw_distance(interval, &points->random);
  AllocationWeight weight = weight_of_allocation(shown.size, interval);
  weight.counts = whole_words(points->distance) < passed + shown.size;
  if (weight.counts) {
    points->distance = draw_distance(interval, &points->random);
    if (!outside && shown.size < interval) add_missed(shown.size, interval, points, &weight);
  } else {
    points->distance -= passed + shown.size;
  }
  set_point(layout, shown.thread, outside, points->distance);
  return weight;
}

}  // namespace hearth::events
