#include "naming/sample_labels.h"

#include "events/alloc/size_class.h"
#include "events/wall/thread_state.h"
#include "naming/io_labels.h"
#include "naming/span_labels.h"
#include "profile/analysis/sampling_variance.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"
#include "session/counting/live_profile.h"

namespace hearth::naming {
namespace {

// A number of 0 is not known.
void add_number(std::string_view key, uint8_t size_class, const char* unit, profile::LabelSet* labels) {
  int64_t number = events::least_size(size_class);
  if (number != 0) labels->push_back({std::string(key), "", number, unit});
}

// Returns "" if it is not known.
std::string catcher_text(const events::Catcher& catcher, FrameNamer* namer) {
  using Kind = events::Catcher::Kind;
  if (catcher.kind == Kind::kNobody) return "[nobody]";
  if (catcher.kind == Kind::kUnknown || namer == nullptr) return "";
  std::string text = namer->java_text(catcher.method, catcher.bci);
  return text.empty() || catcher.kind == Kind::kHandler ? text : text + " [native]";
}

void add_exception_labels(uint16_t number, const events::ExceptionTraits& exceptions, FrameNamer* namer,
                          profile::LabelSet* labels) {
  auto [message, catcher] = exceptions.of(number);
  if (message != events::MessageShapes::kNone)
    labels->push_back({std::string(profile::kMessageLabel), exceptions.messages.text(message), 0, ""});
  std::string caught = catcher_text(catcher, namer);
  if (!caught.empty()) labels->push_back({std::string(profile::kCatcherLabel), caught, 0, ""});
}

// What a thread at a safepoint waits for.
void add_operation_label(uint16_t number, const events::PointerNumbers& operations, FrameNamer* namer,
                         profile::LabelSet* labels) {
  if (number == events::PointerNumbers::kNone || namer == nullptr) return;
  std::string operation = namer->operation_text(operations.of(number));
  if (!operation.empty()) labels->push_back({std::string(profile::kSafepointLabel), operation, 0, ""});
}

}  // namespace

void add_program_labels(const vm::LabelSets& sets, uint32_t set, const capture::SpanTable& spans, uint16_t span,
                        profile::LabelSet* labels) {
  for (const auto& [name, value] : sets.of(set))
    if (span == capture::SpanTable::kNone || !profile::is_span_label(name)) labels->push_back({name, value, 0, ""});
  add_span_labels(spans, span, labels);
}

uint16_t number_of_label(profile::SampleLabel meaning, uint16_t state) {
  return meaning == profile::SampleLabel::kThreadState ? events::operation_of(state) : state;
}

void add_own_labels(profile::SampleLabel meaning, std::string_view word, uint16_t number,
                    const events::EventTraits& traits, FrameNamer* namer, profile::LabelSet* labels) {
  switch (meaning) {
    case profile::SampleLabel::kAge:
      labels->push_back({session::kAgeLabel, session::age_word(number), 0, ""});
      return add_number(profile::kSizeLabel, session::size_class_of_live(number), "bytes", labels);
    case profile::SampleLabel::kTimeAge:
      labels->push_back({session::kAgeLabel, session::native_age_word(number), 0, ""});
      return add_number(profile::kSizeLabel, session::size_class_of_native_live(number), "bytes", labels);
    case profile::SampleLabel::kSize:
      return add_number(profile::kSizeLabel, static_cast<uint8_t>(number), "bytes", labels);
    case profile::SampleLabel::kWait:
      return add_number(profile::kWaitLabel, static_cast<uint8_t>(number), "nanoseconds", labels);
    case profile::SampleLabel::kDuration:
      return add_number(profile::kDurationLabel, static_cast<uint8_t>(number), "nanoseconds", labels);
    case profile::SampleLabel::kMessage:
      return add_exception_labels(number, traits.exceptions, namer, labels);
    case profile::SampleLabel::kIo:
      return add_io_labels(number, !word.empty(), traits.io, labels);
    case profile::SampleLabel::kThreadState:
      if (!word.empty()) labels->push_back({std::string(profile::kStateLabel), std::string(word), 0, ""});
      return add_operation_label(number, traits.operations, namer, labels);
  }
}

}  // namespace hearth::naming
