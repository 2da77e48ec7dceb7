#include "naming/span_labels.h"

#include "base/formatted.h"
#include "profile/model/label_values.h"
#include "session/counting/sample_counts.h"
#include "vm/label_sets.h"

namespace hearth::naming {

using capture::SpanTable;

void add_span_labels(const SpanTable& spans, uint16_t number, profile::LabelSet* labels) {
  if (number == SpanTable::kNone) return;
  capture::SpanIds ids = spans.of(number);
  bool is_other = number == SpanTable::kOther;
  std::string trace = is_other ? vm::kOtherLabels : formatted("{:016x}{:016x}", ids.trace_high, ids.trace_low);
  std::string span = is_other ? vm::kOtherLabels : formatted("{:016x}", ids.span);
  labels->push_back({std::string(profile::kTraceIdLabel), trace, 0, ""});
  labels->push_back({std::string(profile::kSpanIdLabel), span, 0, ""});
}

std::vector<std::string> span_notes(const MissedSpans& missed) {
  std::vector<std::string> notes;
  if (missed.other > 0)
    notes.push_back(
        formatted("trace_id and span_id of {} samples are {}: a session keeps {} spans, and {} stacks in a span",
                  missed.other, vm::kOtherLabels, SpanTable::kMost, session::SampleCounts::kMostBySpan));
  if (missed.torn > 0)
    notes.push_back(formatted(
        "{} samples have no trace_id and span_id: their threads went from one span to another just then", missed.torn));
  return notes;
}

}  // namespace hearth::naming
