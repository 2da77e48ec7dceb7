#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/formatted.h"
#include "launcher/commands/leaks_command.h"
#include "launcher/text/columns.h"
#include "profile/formats/amount_text.h"
#include "profile/model/event_view.h"
#include "store/time_range.h"

namespace hearth::launcher {
namespace {

constexpr double kHour = 3600, kSecond = 1e9;

std::string bytes(double amount) {
  return profile::amount_text(std::llround(amount), "bytes");
}

std::string rate_text(const Growth& growth) {
  return formatted("{} ± {}/h", bytes(growth.rate * kHour), bytes(growth.bound * kHour));
}

std::string summary(const LeakKind& kind, const Leaks& leaks) {
  Site total = kind.sites.total(leaks.seconds_apart);
  std::string text = formatted("{}: {} live", kind.title, bytes(static_cast<double>(total.amounts.back())));
  constexpr size_t kFewest = 3;
  if (leaks.looks < kFewest) return text + "; too few looks for its growth\n";
  if (!total.leaks) return text + ", and no site leaks as far as these looks show\n";
  return text + formatted(", grows by {} at the sites that leak\n", rate_text(total.growth));
}

constexpr size_t kIndent = 6;

// The calls of a site, on a terminal those at the ends that fit into some lines.
std::string calls(const Site& site, const TextStyle& style) {
  constexpr size_t kLines = 3, kAll = 1 << 20;
  if (!style.on_terminal) return chain_text(site.frames, kAll, false);
  size_t room = style.width > 2 * kIndent ? style.width - 2 * kIndent : 1;
  return wrapped(chain_text(site.frames, kLines * room, true), style.width, kIndent);
}

// The path by which most of the objects of a site are held.
std::string holder_lines(const Leaks& leaks, const LeakKind& kind, const Site& site, const TextStyle& style) {
  if (!leaks.holders || !site.leaks || kind.event != std::string_view(profile::kLiveEvent)) return "";
  const SiteHolders* found = holders_of(*leaks.holders, site);
  if (found == nullptr || found->searched == 0) return "";
  std::string text = "held by ";
  if (found->holders.empty()) {
    text += "nothing that the search found";
  } else {
    text += holder_text(found->holders[0]);
    size_t others = found->holders.size() - 1;
    if (others > 0) text += formatted(", and {} other {}", others, others == 1 ? "path" : "paths");
  }
  return formatted("{:{}}{}\n", "", kIndent, style.on_terminal ? wrapped(text, style.width, kIndent) : text);
}

std::string holder_notes(const HolderReport& report) {
  if (!report.failure.empty()) return formatted("\nHolders of the objects were not found: {}\n", report.failure);
  std::string text =
      formatted("\nThe search for holders of the objects met {:L} others in {:.1f} s", report.objects, report.seconds);
  for (const std::string& note : report.notes) text += "; " + note;
  return text + "\n";
}

std::string rows(const LeakKind& kind, const Leaks& leaks, size_t limit, const TextStyle& style) {
  std::string text;
  for (const Site& site : kind.sites.sites(leaks.seconds_apart)) {
    if (site.amounts.back() == 0 && !site.leaks) continue;
    if (limit-- == 0) break;
    text += formatted("  {} live", bytes(static_cast<double>(site.amounts.back())));
    if (site.leaks) text += formatted(", grows by {}", rate_text(site.growth));
    text += formatted("\n{:{}}{}\n", "", kIndent, calls(site, style));
    text += holder_lines(leaks, kind, site, style);
  }
  return text;
}

}  // namespace

std::string leaks_text(const Leaks& leaks, size_t limit, const TextStyle& style) {
  std::string text =
      formatted("{} looks, {} apart", leaks.looks, profile::duration_text(std::llround(leaks.seconds_apart * kSecond)));
  if (leaks.to_ns != 0) text += ", " + store::range_text(leaks.from_ns, leaks.to_ns);
  if (leaks.has_earlier_run)
    text +=
        formatted("\nThe program or its session began at {0}; only that run is compared. @..{0} selects those before",
                  store::time_text(leaks.followed_since_ns));
  text += "\n";
  for (const LeakKind& kind : leaks.kinds) text += "\n" + summary(kind, leaks) + rows(kind, leaks, limit, style);
  for (const LeakKind& kind : leaks.kinds) {
    int64_t heap = leaks.looks == 0 ? 0 : kind.sites.jvm_heap().back();
    if (heap > 0)
      text += formatted("\nThe JVM has taken {} for its heap, which grows with the objects in it and is no leak\n",
                        bytes(static_cast<double>(heap)));
  }
  if (leaks.holders) text += holder_notes(*leaks.holders);
  if (leaks.arenas)
    text += formatted(
        "\nThe C library holds {} resident for malloc, in {} arenas and [heap]; memory that is free there is no leak\n",
        bytes(static_cast<double>(leaks.arenas->resident)), leaks.arenas->count);
  if (!leaks.accounted.empty()) text += formatted("The JVM itself accounts (NMT): {}\n", leaks.accounted);
  return text;
}

}  // namespace hearth::launcher
