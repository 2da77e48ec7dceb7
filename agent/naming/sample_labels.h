// Labels of a sample, by the numbers that it has.
#pragma once

#include <cstdint>
#include <string_view>

#include "capture/store/span_table.h"
#include "events/event_traits.h"
#include "naming/frame_namer.h"
#include "profile/model/event_kinds.h"
#include "profile/model/profile.h"
#include "vm/label_sets.h"

namespace hearth::naming {

// Those of the program, and its span: of a sample with one, the program's own labels of that name are left out.
void add_program_labels(const vm::LabelSets& sets, uint32_t set, const capture::SpanTable& spans, uint16_t span,
                        profile::LabelSet* labels);

// The number in a sample's state that its labels come from: of a thread's state that of the JVM's operation.
uint16_t number_of_label(profile::SampleLabel meaning, uint16_t state);

// Those that a sample's state means. `word`: what its stack tells in addition, the word for a thread's state, or
// kHandshake of I/O; "": nothing. `number`: from number_of_label(). `namer`: null if the JVM has none for a while; then
// exceptions lack the code that catches them, and safepoints their operation.
void add_own_labels(profile::SampleLabel meaning, std::string_view word, uint16_t number,
                    const events::EventTraits& traits, FrameNamer* namer, profile::LabelSet* labels);

}  // namespace hearth::naming
