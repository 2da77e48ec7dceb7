#include "naming/notes/withheld_note.h"

#include <utility>
#include <vector>

#include "base/formatted.h"

namespace hearth::naming {

std::string withheld_note(const events::WithheldSums& withheld, int64_t duration_ns) {
  constexpr double kLeast = 0.01, kPercent = 100;
  if (duration_ns <= 0) return "";
  auto share = [duration_ns](int64_t part_ns) {
    return static_cast<double>(part_ns) / static_cast<double>(duration_ns);
  };
  std::vector<std::string> parts;
  if (double throttled = share(withheld.throttled_ns); throttled >= kLeast)
    parts.push_back(formatted("for {:.0f} % of the time no thread could run, as the cgroup's CPU limit was used up",
                              throttled * kPercent));
  if (double stolen = share(withheld.stolen_ns); stolen >= kLeast)
    parts.push_back(formatted("the host of this virtual machine took {:.0f} % of the CPU time", stolen * kPercent));
  std::string note;
  for (std::string& part : parts) note += (note.empty() ? "" : "; ") + std::move(part);
  return note;
}

}  // namespace hearth::naming
