// Which references keep the objects of leaking sites on the heap, as the agent finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "launcher/leaks/growth.h"

namespace hearth::launcher {

// A path from a root of the collector, outermost first, that some of the searched objects of a site have.
struct Holder {
  std::vector<std::string> path;
  size_t objects = 0;
};

struct SiteHolders {
  std::vector<Holder> holders;  // those of most objects first
  size_t searched = 0;          // objects
};

struct HolderReport {
  std::map<uint64_t, SiteHolders> sites;  // by profile::stack_key()
  size_t objects = 0;                     // that the search met
  double seconds = 0, pause_seconds = 0;
  std::vector<std::string> notes;  // limits that the search met
  std::string failure;             // why there was none; "": there was
};

// The agent's reply. Throws Error.
HolderReport parse_holders(const std::string& reply);

// The command for the sites that leak, at most `limit`; "": none leaks.
std::string holders_command(const std::vector<Site>& sites, size_t limit, const std::string& session);

// Null: nothing is known of the site's.
const SiteHolders* holders_of(const HolderReport& report, const Site& site);

// A path in one line, without the packages of the JDK.
std::string holder_text(const Holder& holder);

}  // namespace hearth::launcher
