#include "naming/notes/withheld_note.h"

#include "base/formatted.h"

namespace hearth::naming {

std::vector<std::string> withheld_notes(const events::Withheld& withheld, int64_t duration_ns) {
  constexpr double kPercent = 100;
  std::vector<std::string> notes;
  auto counts = [duration_ns](double share, int64_t part_ns) { return share >= 0.01 && part_ns >= duration_ns / 100; };
  if (counts(withheld.throttled_share, withheld.throttled_ns))
    notes.push_back(formatted(
        "threads got no CPU for {:.0f} % of the time that they wanted one, as the cgroup's CPU limit was used up",
        withheld.throttled_share * kPercent));
  if (counts(withheld.stolen_share, withheld.stolen_ns))
    notes.push_back(formatted("the host of this virtual machine took {:.0f} % of the CPU time that was wanted",
                              withheld.stolen_share * kPercent));
  return notes;
}

}  // namespace hearth::naming
