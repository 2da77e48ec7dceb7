#include "events/handlers/tlab_handlers.h"

#include "capture/arch/processor.h"
#include "capture/faults/safe_load.h"
#include "capture/signal_room.h"
#include "events/alloc/size_class.h"
#include "events/handlers/published.h"
#include "events/handlers/symbol_text.h"

namespace hearth::events {
namespace {

using capture::AllocationPlace;
using capture::Frame;
using capture::ThreadSlot;

Published<TlabSampling> g_sampling;
thread_local CachedSlot t_known = {0, nullptr, 0};

int64_t argument(const ucontext_t& called, int index) {
  return static_cast<int64_t>(capture::argument_register(&called, index));
}

// In JVMTI's form: "Ljava/lang/String;", "[I". The class cannot be unloaded while one of its objects is being made.
uint32_t number_of_class(uintptr_t klass, const capture::ClassNameLayout& layout, capture::NameTable* classes) {
  constexpr uint32_t kLongest = 1022;
  char text[kLongest + 2];
  if (!layout.known) return capture::NameTable::kNone;
  uintptr_t symbol = capture::load(klass + layout.name);
  uint32_t length = symbol_length(layout, symbol);
  if (length == 0 || length > kLongest) return capture::NameTable::kNone;
  copy_symbol(layout, symbol, length, text + 1);
  if (text[1] == '[') return classes->number_of({text + 1, length});
  text[0] = 'L';
  text[length + 1] = ';';
  return classes->number_of({text, length + 2});
}

void record(TlabSampling* sampling, const ucontext_t* called, bool is_outside) {
  uint64_t entered = capture::now_ns();
  const capture::VmLayout& layout = *sampling->layout;
  capture::CurrentJavaThread thread(layout, *sampling->access);
  if (!thread.is_java()) return;
  ThreadSlot* slot = slot_of_this_thread(sampling->number, sampling->slots_by_thread, &t_known);
  if (slot == nullptr) return;
  auto allocated = static_cast<int64_t>(capture::load(thread.address() + layout.allocations.allocated_bytes));
  int64_t size = argument(*called, (is_outside ? 1 : 2) + (sampling->passes_object ? 1 : 0));
  if (!sampling->recorder->records(*slot)) {
    slot->allocated = {};
    slot->allocated.bytes = slot->allocated.counter = allocated;
    return;
  }
  TlabWeight weight = weigh_traced_object(size, is_outside, sampling->interval, allocated, &slot->allocated);
  if (weight.bytes == 0) return;
  capture::SampleInfo info;
  info.entered_ns = entered;
  info.weight = weight.bytes;
  info.objects = weight.objects;
  info.event = sampling->event;
  info.state = size_class(size);
  auto klass = static_cast<uintptr_t>(argument(*called, 0));
  uint32_t number = number_of_class(klass, layout.class_names, sampling->classes);
  Frame innermost = number == capture::NameTable::kNone
                        ? Frame::marker(capture::Marker::kUnknown)
                        : Frame::allocated(number, is_outside ? AllocationPlace::kOutside : AllocationPlace::kInTlab);
  sampling->recorder->record_call(slot, info, innermost, called);
}

void on_new_tlab(const ucontext_t* interrupted) {
  Published<TlabSampling>::Entry entry(&g_sampling);
  if (entry.sampling() != nullptr) record(entry.sampling(), interrupted, false);
}

void on_outside_of_tlab(const ucontext_t* interrupted) {
  Published<TlabSampling>::Entry entry(&g_sampling);
  if (entry.sampling() != nullptr) record(entry.sampling(), interrupted, true);
}

}  // namespace

constexpr capture::TrapAction kOnNewTlab = capture::SignalRoom::safe(on_new_tlab);
constexpr capture::TrapAction kOnOutsideOfTlab = capture::SignalRoom::safe(on_outside_of_tlab);

void publish(TlabSampling* sampling) {
  g_sampling.publish(sampling);
}

TlabWeight weigh_traced_object(int64_t size, bool is_outside, int64_t interval, int64_t allocated,
                               capture::AllocationMark* last) {
  constexpr TlabWeight kNothing;
  if (size <= 0) return kNothing;
  // A counter below its last value belongs to a thread that attached again.
  bool is_first = last->bytes == 0 || allocated < last->counter;
  last->counter = allocated;
  if (is_first) {
    last->bytes = allocated + (is_outside ? 0 : size);  // the new TLAB is counted when it is retired
    return {size, 1};
  }
  if (is_outside && size >= interval) {
    last->bytes += size;
    return {size, 1};
  }
  int64_t bytes = allocated - last->bytes;
  if (bytes <= 0 || bytes < interval) return kNothing;
  last->bytes = allocated;
  return {bytes, static_cast<double>(bytes) / static_cast<double>(size)};
}

}  // namespace hearth::events
