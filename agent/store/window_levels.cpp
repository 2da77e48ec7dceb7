#include "store/window_levels.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/files.h"
#include "base/formatted.h"
#include "profile/formats.h"
#include "profile/label_values.h"
#include "profile/merged_profile.h"
#include "store/figures_file.h"

namespace hearth::store {
namespace {

// Threads come and go: over hours their numbers say nothing, and would make every file larger than what it holds.
bool keep_label(profile::Label* label) {
  if (label->key == "tid") return false;
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

struct Span {
  std::vector<StoredWindow> parts;
  uint64_t windows = 0;
};

int64_t begin_of_span(int64_t time_ns, int64_t span_ns) {
  return time_ns / span_ns * span_ns;
}

profile::Profile merged_of(const std::string& store, const std::vector<StoredWindow>& parts) {
  profile::MergedProfile merged(keep_label);
  int64_t sampled_ns = 0;
  for (const StoredWindow& part : parts) {
    try {
      profile::Profile profile = profile::read(read_file(path_of(store, part)));
      sampled_ns += profile.metadata.duration_ns;
      merged.add(profile);
    } catch (const profile::FormatError& error) {
      profile::Profile nothing;
      nothing.metadata.start_unix_ns = part.begin_ns;
      nothing.quality.notes.push_back(formatted("{} could not be read: {}", part.name, error.what()));
      merged.add(nothing);
    }
  }
  profile::Profile profile = merged.take();
  profile.metadata.duration_ns = sampled_ns;
  return profile;
}

void write_span(const std::string& store, Level level, int64_t begin_ns, const Span& span) {
  profile::Profile profile = merged_of(store, span.parts);
  std::string folder = formatted("{}/{}", store, folder_of(level));
  ::mkdir(folder.c_str(), 0755);
  std::string name = window_name(level, begin_ns, span_of(level), span.windows);
  replace_file(formatted("{}/{}", folder, name), profile::write_pprof(profile, {}));
  add_figures(store, name, figures_of(profile));
}

// They stand for less than there is now: they were made before later windows came.
void remove_older(const std::string& store, const std::vector<StoredWindow>& made, int64_t begin_ns) {
  for (const StoredWindow& one : made)
    if (one.begin_ns == begin_ns) ::unlink(path_of(store, one).c_str());
}

bool merge_level(const std::string& store, Level from, Level to, int64_t now_ns) {
  std::map<int64_t, Span> spans;
  for (const StoredWindow& part : windows_of(store, from)) {
    Span& span = spans[begin_of_span(part.begin_ns, span_of(to))];
    span.parts.push_back(part);
    span.windows += part.windows;
  }
  std::vector<StoredWindow> made = windows_of(store, to);
  for (const auto& [begin_ns, span] : spans) {
    bool is_over = now_ns >= begin_ns + span_of(to);
    if (!is_over) continue;
    bool is_made = std::any_of(made.begin(), made.end(), [begin = begin_ns, &one_span = span](const StoredWindow& one) {
      return one.begin_ns == begin && one.windows >= one_span.windows;
    });
    if (is_made) continue;
    write_span(store, to, begin_ns, span);
    remove_older(store, made, begin_ns);
    return true;
  }
  return false;
}

}  // namespace

bool merge_one_span(const std::string& store, int64_t now_ns) {
  return merge_level(store, Level::kWindow, Level::kHour, now_ns) ||
         merge_level(store, Level::kHour, Level::kDay, now_ns);
}

}  // namespace hearth::store
