// The content of hearth report and its two formats: text for people, JSON for programs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "launcher/text/text_style.h"
#include "profile/analysis/request_path.h"
#include "profile/analysis/share_bounds.h"
#include "profile/analysis/summary.h"
#include "profile/analysis/waits_for_others.h"
#include "profile/model/quality.h"

namespace hearth::launcher {

// Sum of the label values without a row of their own.
struct OtherGroups {
  size_t count = 0;
  int64_t total = 0;
  int64_t samples = 0;
};

// Values of the shown event divided by those of another one.
struct Ratio {
  double self = 0, total = 0;
  double self_bound = 0;  // half the width of the 95 % interval; 0: unknown
};
struct Ratios {
  std::string event;  // of the divisor
  std::string unit;   // of its values
  double whole = 0;
  std::unordered_map<std::string, Ratio> of_methods;  // those with a value of both
};

struct Report {
  std::string file;
  profile::Metadata about;
  std::string events;               // with the interval of each
  std::vector<std::string> others;  // events of the file that are not shown here
  std::vector<profile::ValueType> values;
  bool filtered = false;  // by include, exclude or labels
  bool is_empty = false;  // the profile has no samples
  profile::Quality quality;
  std::vector<profile::QualityRow> shown;  // of the shown event
  std::optional<uint64_t> samples;         // of the shown event
  profile::ValueType value;                // the unit of all weights below
  int64_t total = 0;
  profile::ShareBounds bounds;                    // of shares of `total`
  std::vector<profile::MethodWeight> methods;     // for allocations the classes, which are innermost
  std::vector<profile::MethodWeight> allocating;  // for allocations the methods, by self value; else empty
  std::vector<profile::WaitForOther> waits;       // of "holders" and "wakers", in place of methods; else empty
  std::optional<Ratios> ratios;
  std::vector<profile::Path> paths;
  std::string label;  // of --by; empty: none
  std::vector<profile::LabelWeight> groups;
  OtherGroups other_groups;
};

std::string report_text(const Report& report, const TextStyle& style);

// Where the time of labelled work went.
struct PathReport {
  std::string file;
  std::string work;  // "endpoint:/checkout"
  profile::RequestPath path;
  size_t limit = 0;  // of steps that are shown
};
std::string path_text(const PathReport& report, const TextStyle& style);
std::string path_json(const PathReport& report);

// One object and a line break. Weights are integers in the value's unit, shares are of the total, 0 to 1.
std::string report_json(const Report& report);

}  // namespace hearth::launcher
