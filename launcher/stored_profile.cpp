#include "stored_profile.h"

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "profile/formats.h"

namespace hearth::launcher {
namespace {

constexpr std::string_view kGzip = "\x1F\x8B";

bool is_named_pprof(const std::string& path) {
  try {
    return profile::format_of_file(path) == profile::Format::kPprof;
  } catch (const profile::FormatError&) {
    return false;
  }
}

}  // namespace

profile::Profile read_stored_profile(const std::string& path) {
  std::string content = read_file(path);
  try {
    return profile::read(content);
  } catch (const profile::FormatError& error) {
    if (is_named_pprof(path) && !content.empty() && content.compare(0, kGzip.size(), kGzip) != 0)
      throw Error(formatted("cannot read {}: it is no pprof, whatever its name says", path),
                  "profile again, or give another file");
    throw Error(formatted("cannot read {}: {}", path, error.what()),
                "hearth reads collapsed stacks, pprof and its own HTML pages");
  }
}

}  // namespace hearth::launcher
