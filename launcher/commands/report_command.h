// Reports on a stored profile.
#pragma once

#include <string>
#include <vector>

#include "launcher/commands/time_words.h"
#include "profile/formats/formats.h"
#include "profile/formats/name_style.h"
#include "profile/model/label_choice.h"

namespace hearth::launcher {

struct ReportRequest {
  std::string file;               // "-": standard input
  profile::WriteOptions options;  // lens, include, exclude, annotate
  profile::NameStyle names;
  TimeWords time;
  bool json = false;
  std::vector<profile::LabelChoice> path_of;  // shows the path of these samples instead; empty: no
  bool is_of_locks = false;                   // the event that tells most about waits for other threads
  std::string label;                          // break down by its values; empty: none
  std::string ratio;                          // the event to divide by; empty: none
  size_t limit = 20;                          // rows of each table
};

// To standard output. Throws Error.
void run_report_command(const ReportRequest& given);

}  // namespace hearth::launcher
