#include "naming/notes/allocation_notes.h"

#include <cmath>

#include "base/formatted.h"
#include "profile/formats/amount_text.h"

namespace hearth::naming {

std::vector<std::string> allocation_notes(const profile::Quality& quality, const AllocationFacts& facts) {
  std::vector<std::string> notes;
  auto samples = static_cast<double>(facts.samples);
  constexpr double kOff = 0.1;
  constexpr double kDeviations = 4;
  double sampled = static_cast<double>(quality.sampled_bytes);
  double share = quality.allocated_bytes == 0 ? 1 : sampled / static_cast<double>(quality.allocated_bytes);
  if (std::abs(share - 1) > kOff && std::abs(share - 1) * std::sqrt(samples) > kDeviations)
    notes.push_back(
        formatted("the samples account for {:.1f} % of the allocated bytes, which chance does not explain: "
                  "bounds of shares are too small",
                  100 * share));
  // ThreadHeapSampler's constructor sets the seed that all threads share (share/runtime/threadHeapSampler.hpp).
  constexpr uint64_t kMany = 100;
  constexpr uint64_t kPart = 4;
  if (facts.is_drawn_by_the_jvm && facts.threads_begun >= kMany && facts.threads_begun >= facts.samples / kPart)
    notes.push_back(
        formatted("{} threads started meanwhile, and with each the JVM restarts its random numbers: bounds are too "
                  "small, less so with a smaller alloc=N",
                  profile::grouped(facts.threads_begun)));
  return notes;
}

}  // namespace hearth::naming
