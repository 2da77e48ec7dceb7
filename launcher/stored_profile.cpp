#include "stored_profile.h"

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "profile/formats.h"

namespace hearth::launcher {

profile::Profile read_stored_profile(const std::string& path) {
  std::string content = read_file(path);
  try {
    return profile::read(content);
  } catch (const profile::FormatError& error) {
    throw Error(formatted("cannot read {}: {}", path, error.what()),
                "hearth reads collapsed stacks, pprof and its own HTML pages");
  }
}

}  // namespace hearth::launcher
