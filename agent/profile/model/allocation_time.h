// The time of an allocation as a label of live memory, which windows of a store have: coarser for older ones, so that
// months are few labels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::profile {

inline constexpr std::string_view kAllocatedLabel = "allocated";

// Length of the step that contains an allocation of this age, both in seconds: at most a sixteenth of the age, or 1.
int64_t allocation_step(int64_t age);
// Begin of that step; steps begin at multiples of their length, so steps of any length never overlap in part.
int64_t coarse_allocation(int64_t allocated, int64_t now);

// "2026-11-23T10:02:00Z"
std::string allocation_text(int64_t unix_seconds);
// Empty for another text.
std::optional<int64_t> allocation_of_text(std::string_view text);

}  // namespace hearth::profile
