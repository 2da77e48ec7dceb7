// A profile's account of its own truth in the three forms outputs need: comment lines, a JSON object, a sentence.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

// "hearth.KEY=VALUE" lines, as pprof comments carry them. Keys are the field names of Quality; a failure is
// hearth.failure.WORD=COUNT, code without symbols hearth.without_symbols.LIBRARY=COUNT, a note is hearth.note=TEXT and
// may come several times. Zeros are left out, but not that nothing was lost.
std::vector<std::string> quality_lines(const Quality& quality);

// Whether a line is a note, which is for people.
bool is_note(std::string_view line);

// Takes one such line in; false when it is not one of them (the quality is then unchanged).
bool read_quality_line(std::string_view line, Quality& quality);

// The fields of Quality by name, and two shares, null when there is nothing to have a share of: "whole_share" (whole of
// java_samples) and "without_symbols_share" (of samples).
nlohmann::json quality_json(const Quality& quality);

// The inverse; a missing or mistyped field stays at its default, and texts become what a terminal may print.
Quality quality_of_json(const nlohmann::json& object);

// "3,817 samples, 0 lost, 98.4 % whole stacks, engine perf_events, overhead 0.6 % CPU": one line for people. Where no
// engine is named (collapsed stacks, others' profiles) it says how many samples there are, and what it knows of the
// lost. `duration_ns` 0 leaves the overhead out.
std::string quality_text(const Quality& quality, int64_t duration_ns);

struct QualityRow {
  std::string label;
  std::string value;
};

// What the sentence leaves out, a row each, where there is something to say: what was allocated and what collecting it
// cost, walk failures by word, truncated stacks,
// code without symbols, the time a sample took, the profiling's own CPU time, notes.
std::vector<QualityRow> quality_rows(const Quality& quality, int64_t duration_ns);

// What was told between two tellings of the same session. Times of a sample, engine and notes are those of `now`.
Quality quality_since(const Quality& before, Quality now);

// What is said of allocations and collections, where they are no part of the profile.
void forget_allocations(Quality* quality);

uint64_t sum_of(const std::map<std::string, uint64_t>& counts);

}  // namespace hearth::profile
