// Labels of a sample, by the numbers that it has.
#pragma once

#include <cstdint>

#include "capture/store/span_table.h"
#include "events/exceptions/catchers.h"
#include "events/handlers/pointer_numbers.h"
#include "naming/frame_namer.h"
#include "profile/model/event_kinds.h"
#include "profile/model/profile.h"
#include "vm/label_sets.h"

namespace hearth::naming {

// Those of the program, and its span: of a sample with one, the program's own labels of that name are left out.
void add_program_labels(const vm::LabelSets& sets, uint32_t set, const capture::SpanTable& spans, uint16_t span,
                        profile::LabelSet* labels);

// What a thread at a safepoint waits for: the number of an operation.
void add_operation_label(uint16_t number, const events::PointerNumbers& operations, FrameNamer* namer,
                         profile::LabelSet* labels);

// Those that a state is the number of: size, wait, duration, age and size, or an exception's message and the code that
// catches it. `namer`: null if the JVM has none for a while; then exceptions lack the latter.
void add_number_labels(profile::SampleLabel meaning, uint16_t state, const events::ExceptionTraits& exceptions,
                       FrameNamer* namer, profile::LabelSet* labels);

}  // namespace hearth::naming
