// The quality of a profile in the three forms of outputs: comment lines, a JSON object, a sentence.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

// "hearth.KEY=VALUE" lines for pprof comments. Keys are the field names of Quality; a failure is
// hearth.failure.WORD=COUNT, code without symbols hearth.without_symbols.LIBRARY=COUNT, a note is hearth.note=TEXT and
// may be repeated. Zeros are left out, except for lost samples.
std::vector<std::string> quality_lines(const Quality& quality);

// Whether a line is a note, which is for people.
bool is_note(std::string_view line);

// Reads one such line; returns false and leaves the quality unchanged for any other line.
bool read_quality_line(std::string_view line, Quality& quality);

// The fields of Quality by name, and two shares, null without a whole: "whole_share" (whole of java_samples) and
// "without_symbols_share" (of samples).
nlohmann::json quality_json(const Quality& quality);

// The inverse; a missing or mistyped field keeps its default, and texts are escaped for terminals.
Quality quality_of_json(const nlohmann::json& object);

// "3,817 samples, 0 lost, 98.4 % whole stacks, engine perf_events, overhead 0.6 % CPU": one line for people. Without an
// engine (collapsed stacks, profiles of others) it has the number of samples and of known losses. `duration_ns` 0
// leaves out the overhead.
std::string quality_text(const Quality& quality, int64_t duration_ns);

struct QualityRow {
  std::string label;
  std::string value;
};

// Rows with further details, if there are any: allocations and the cost of collections, walk failures by word,
// truncated stacks, code without symbols, the time per sample, the profiler's CPU time, notes.
std::vector<QualityRow> quality_rows(const Quality& quality, int64_t duration_ns);

// The difference between two states of the same session. Times of a sample, engine and notes are those of `now`.
Quality quality_since(const Quality& before, Quality now);

// Clears the figures of allocations and collections, for profiles without these.
void forget_allocations(Quality* quality);

uint64_t sum_of(const std::map<std::string, uint64_t>& counts);

}  // namespace hearth::profile
