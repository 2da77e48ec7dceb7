#include "launcher/commands/stored_profile.h"

#include <unistd.h>

#include <ctime>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/mapped_file.h"
#include "profile/formats/formats.h"
#include "profile/jfr/read_jfr.h"
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

// Of a profile whose samples have times.
profile::Profile part_of(const profile::Profile& whole, const TimeWords& words) {
  const profile::Metadata& about = whole.metadata;
  int64_t end_ns = profile::saturating_sum(about.start_unix_ns, about.duration_ns);
  return profile::only_between(whole, choice_of(words, {about.start_unix_ns, end_ns}));
}

void add_time(const TimeWords& words, profile::Profile* part) {
  std::string& title = part->metadata.title;
  title += formatted("{}only {} to {}", title.empty() ? "" : ", ", words.from.empty() ? "the start" : words.from,
                     words.to.empty() ? "the end" : words.to);
}

// Recordings may be larger than memory. Empty if the file is none.
std::optional<profile::Profile> read_recording(const std::string& path, const TimeWords& words) {
  if (path == "-") return std::nullopt;
  MappedFile file(path);
  if (!profile::jfr::is_recording(file.bytes())) return std::nullopt;
  profile::TimeChoice choice;
  if (words.are_given()) choice = choice_of(words, profile::jfr::recorded_time(file.bytes()));
  return profile::jfr::read(file.bytes(), choice, [&](size_t begin, size_t end) { file.release(begin, end); });
}

profile::Profile read_file(const std::string& path, const TimeWords& words) {
  if (std::optional<profile::Profile> recording = read_recording(path, words)) return std::move(*recording);
  FilePieces file(path);
  bool is_gzip = false, is_first = true;
  try {
    profile::Profile profile = profile::read_pieces([&] {
      std::string_view piece = file.next();
      if (std::exchange(is_first, false)) is_gzip = piece.substr(0, kGzip.size()) == kGzip;
      return piece;
    });
    return words.are_given() ? part_of(profile, words) : std::move(profile);
  } catch (const profile::FormatError&) {
    if (is_named_pprof(path) && !is_gzip && file.size() > 0)
      throw Error(formatted("cannot read {}: its name ends as that of a pprof file, but it is not one", path),
                  "profile again, or give another file");
    throw;
  }
}

}  // namespace

profile::Profile read_stored_profile(const std::string& path, const StoredSelection& selection, const std::string& by) {
  constexpr int64_t kSecond = 1'000'000'000;
  if (auto stored = store::store_range(path, std::time(nullptr) * kSecond)) {
    if (selection.time.are_given())
      throw Error(formatted("{} is a store, which --from and --to do not select from", path), "give DIR@FROM..TO");
    return store::read_range(stored->store, stored->range, store::span_selection(selection.labels, by, true));
  }
  size_t at = path.rfind('@');
  if (at != std::string::npos && ::access(path.c_str(), F_OK) != 0)
    throw Error(formatted("cannot read {}: the file does not exist, and {} is not a store of profiles", path,
                          path.substr(0, at)),
                "DIR@FROM..TO is a time range of the store in DIR");
  try {
    profile::Profile profile = read_file(path, selection.time);
    if (selection.time.are_given()) add_time(selection.time, &profile);
    return profile;
  } catch (const profile::FormatError& error) {
    throw Error(formatted("cannot read {}: {}", path, error.what()),
                "hearth reads collapsed stacks, pprof, OTLP, JFR recordings and its own HTML pages");
  }
}

}  // namespace hearth::launcher
