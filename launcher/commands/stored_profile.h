// Profiles that were written to a file before.
#pragma once

#include <string>
#include <vector>

#include "launcher/commands/time_words.h"
#include "profile/model/label_choice.h"
#include "profile/model/profile.h"

namespace hearth::launcher {

struct StoredSelection {
  std::vector<profile::LabelChoice> labels;
  TimeWords time;
};

// Reads a profile of any format, recognised by its content. "-" is standard input; DIR@FROM..TO a time range of an
// always-on store, DIR the whole store. Samples are those of the selected time. With `selection.labels` or `by` of
// spans of traces, reads the files of a store that have them; labels select nothing here. Throws Error.
profile::Profile read_stored_profile(const std::string& path, const StoredSelection& selection = {},
                                     const std::string& by = "");

}  // namespace hearth::launcher
