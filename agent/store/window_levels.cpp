#include "store/window_levels.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>

#include "base/files.h"
#include "base/formatted.h"
#include "profile/formats/formats.h"
#include "profile/model/label_values.h"
#include "profile/model/merged_profile.h"
#include "store/figures_file.h"
#include "store/window_reader.h"

namespace hearth::store {
namespace {

// Threads and spans are short-lived: over hours their ids mean nothing, and would be larger than the rest of the file.
bool keep_label(profile::Label* label) {
  if (label->key == profile::kTidLabel || profile::is_span_label(label->key)) return false;
  if (label->key != profile::kThreadLabel) return true;
  std::string general;
  for (char letter : label->text) {
    bool is_digit = letter >= '0' && letter <= '9';
    if (!is_digit) general += letter;
    if (is_digit && (general.empty() || general.back() != '#')) general += '#';
  }
  label->text = general;
  return true;
}

// Permanently; otherwise it may be readable later.
bool is_broken(const std::runtime_error& error) {
  if (const auto* of_file = dynamic_cast<const FileError*>(&error); of_file != nullptr) {
    constexpr int kForGood[] = {EIO, EISDIR, ENOENT, ELOOP};
    return std::find(std::begin(kForGood), std::end(kForGood), of_file->number()) != std::end(kForGood);
  }
  return dynamic_cast<const profile::FormatError*>(&error) != nullptr;
}

struct Span {
  std::vector<StoredWindow> parts;
  uint64_t windows = 0;
};

// Empty if it is to end.
std::optional<profile::Profile> merged_of(const std::string& store, const std::vector<StoredWindow>& parts,
                                          const std::atomic<bool>& is_to_end) {
  profile::MergedProfile merged(keep_label, profile::MergedProfile::Live::kLatest);
  int64_t sampled_ns = 0;
  for (const StoredWindow& part : parts) {
    if (is_to_end) return std::nullopt;
    try {
      profile::Profile profile = read_window(store, part);
      sampled_ns += profile.metadata.duration_ns;
      merged.add(profile);
    } catch (const std::runtime_error& error) {
      if (!is_broken(error)) throw;
      profile::Profile nothing;
      nothing.metadata.start_unix_ns = part.begin_ns;
      nothing.quality.notes.push_back(formatted("{} could not be read: {}", part.name, error.what()));
      merged.add(nothing);
    }
  }
  profile::Profile profile = merged.take();
  profile.metadata.duration_ns = sampled_ns;
  return std::optional<profile::Profile>(std::move(profile));
}

struct Made {
  Level level;
  int64_t begin_ns;
  std::vector<StoredWindow> before;  // earlier files of that level
};

std::string write_span(const std::string& store, const Made& made, const Span& span, const profile::Profile& profile,
                       const PutFile& put) {
  std::string folder = formatted("{}/{}", store, folder_of(made.level));
  ::mkdir(folder.c_str(), 0700);
  std::string name = window_name(made.level, made.begin_ns, span_of(made.level), span.windows);
  put(formatted("{}/{}", folder, name), profile::write_pprof(profile, {}));
  // They contain fewer windows: they were merged before later windows came.
  for (const StoredWindow& one : made.before)
    if (one.begin_ns == made.begin_ns && one.name != name) ::unlink(path_of(store, one).c_str());
  add_figures(store, name, figures_of(profile));
  return name;
}

bool merge_level(const std::string& store, Level from, int64_t now_ns, const std::atomic<bool>& is_to_end,
                 const PutFile& put) {
  Level to = coarser(from);
  std::map<int64_t, Span> spans;
  for (const StoredWindow& part : windows_of(store, from)) {
    Span& span = spans[begin_of_span(part.begin_ns, to)];
    span.parts.push_back(part);
    span.windows += part.windows;
  }
  std::vector<StoredWindow> made = windows_of(store, to);
  std::exception_ptr failed;
  for (const auto& [begin_ns, span] : spans) {
    bool is_over = now_ns >= begin_ns + span_of(to);
    if (!is_over) continue;
    bool is_made = std::any_of(made.begin(), made.end(), [begin = begin_ns, &one_span = span](const StoredWindow& one) {
      return one.begin_ns == begin && one.windows >= one_span.windows;
    });
    if (is_made) continue;
    try {
      std::optional<profile::Profile> merged = merged_of(store, span.parts, is_to_end);
      if (merged) write_span(store, {to, begin_ns, made}, span, *merged, put);
      return merged.has_value();
    } catch (const FileError&) {  // for that hour; others may succeed
      failed = std::current_exception();
    }
  }
  if (failed) std::rethrow_exception(failed);
  return false;
}

}  // namespace

bool merge_one_span(const std::string& store, int64_t now_ns, const std::atomic<bool>& is_to_end, const PutFile& put) {
  return merge_level(store, Level::kWindow, now_ns, is_to_end, put) ||
         merge_level(store, Level::kHour, now_ns, is_to_end, put);
}

std::string add_late(const std::string& store, const profile::Profile& window, const PutFile& put) {
  int64_t at_ns = window.metadata.start_unix_ns;
  Level fine = Level::kWindow;
  for (Level level : {Level::kHour, Level::kDay}) {
    int64_t begin_ns = begin_of_span(at_ns, level);
    std::vector<StoredWindow> made = windows_of(store, level), parts = windows_of(store, fine);
    auto is_part = [&](const StoredWindow& one) { return begin_of_span(one.begin_ns, level) == begin_ns; };
    if (std::any_of(parts.begin(), parts.end(), is_part)) return "";
    const StoredWindow* alone = nullptr;
    for (const StoredWindow& one : made)
      if (one.begin_ns == begin_ns && (alone == nullptr || one.windows > alone->windows)) alone = &one;
    fine = level;
    if (alone == nullptr) continue;
    profile::Profile before = read_window(store, *alone);
    int64_t sampled_ns = before.metadata.duration_ns + window.metadata.duration_ns;
    profile::MergedProfile merged(keep_label, profile::MergedProfile::Live::kLatest);
    merged.add(before);
    merged.add(window);
    profile::Profile profile = merged.take();
    profile.metadata.duration_ns = sampled_ns;
    return write_span(store, {level, begin_ns, made}, {{}, alone->windows + 1}, profile, put);
  }
  return "";
}

}  // namespace hearth::store
