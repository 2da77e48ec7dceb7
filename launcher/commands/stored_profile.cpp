#include "launcher/commands/stored_profile.h"

#include <unistd.h>

#include <ctime>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "profile/formats/formats.h"
#include "store/window_reader.h"

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

profile::Profile read_stored_profile(const std::string& path, const std::vector<profile::LabelChoice>& labels,
                                     const std::string& by) {
  constexpr int64_t kSecond = 1'000'000'000;
  if (auto stored = store::store_range(path, std::time(nullptr) * kSecond))
    return store::read_range(stored->store, stored->range, store::span_selection(labels, by, true));
  size_t at = path.rfind('@');
  if (at != std::string::npos && ::access(path.c_str(), F_OK) != 0)
    throw Error(formatted("cannot read {}: the file does not exist, and {} is not a store of profiles", path,
                          path.substr(0, at)),
                "DIR@FROM..TO is a time range of the store in DIR");
  FilePieces file(path);
  bool is_gzip = false, is_first = true;
  try {
    return profile::read_pieces([&] {
      std::string_view piece = file.next();
      if (std::exchange(is_first, false)) is_gzip = piece.substr(0, kGzip.size()) == kGzip;
      return piece;
    });
  } catch (const profile::FormatError& error) {
    if (is_named_pprof(path) && !is_gzip && file.size() > 0)
      throw Error(formatted("cannot read {}: its name ends as that of a pprof file, but it is not one", path),
                  "profile again, or give another file");
    throw Error(formatted("cannot read {}: {}", path, error.what()),
                "hearth reads collapsed stacks, pprof, OTLP and its own HTML pages");
  }
}

}  // namespace hearth::launcher
