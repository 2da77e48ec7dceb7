#include "options/process_options.h"

#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "options/option_table.h"

namespace hearth::options {
void check_for_client(std::string_view command) {
  while (!command.empty()) {
    std::string_view part = command.substr(0, command.find(','));
    command.remove_prefix(std::min(part.size() + 1, command.size()));
    std::string_view key = part.substr(0, part.find('='));
    // The parser refuses a word that is no option.
    if (option_named(key) != nullptr && !comes_by(key, kByMBean))
      throw Error(formatted("option {} is not for clients of this process", key),
                  "leave it out; the process itself, and hearth on its machine, may give it");
  }
}

}  // namespace hearth::options
