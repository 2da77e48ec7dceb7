#include "session/source_specs.h"

#include <dlfcn.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "events/cpu/perf_counter.h"
#include "options/event_table.h"
#include "options/sampled_events.h"
#include "session/allocation_engine.h"
#include "session/import_patcher.h"
#include "symbols/jvm/vm_operations.h"

namespace hearth::session {
namespace {

using Makers = std::vector<SampleSources::Maker>;

Makers cpu_engines(const SourceContext& context) {
  const options::Options& options = *context.options;
  int signal = options.cpu_signal;
  events::PerfChoice choice = {options.user_code_only, options.target_cpu.value_or(-1), options.record_cpu, signal};
  auto perf_events = [choice] { return events::make_cpu_perf_event(choice); };
  auto thread_timer = [signal] { return events::make_cpu_thread_timer(signal); };
  switch (options.engine) {
    case options::CpuEngine::kPerfEvents:
      return {perf_events};
    case options::CpuEngine::kThreadTimer:
      return {thread_timer};
    case options::CpuEngine::kProcessTimer:
      return {events::make_cpu_process_timer};
    case options::CpuEngine::kAutomatic:
      break;
  }
  if (options::needs_perf_events(options)) return {perf_events};
  return {perf_events, thread_timer, events::make_cpu_process_timer};
}

// The tables of JNI's functions are libjvm's own data.
uintptr_t operation_variable(const vm::Vm& vm) {
  if (vm.java_vm == nullptr) return 0;
  static const uintptr_t kAddress =
      symbols::current_operation_variable(reinterpret_cast<uintptr_t>(vm.java_vm->functions));
  return kAddress;
}

Makers wall_clock(const SourceContext& context) {
  events::JavaThreadView java = {&context.plan->vm,
                                 &context.plan->access,
                                 context.vm->osthread_offset,
                                 context.vm->osthread_state_offset,
                                 operation_variable(*context.vm),
                                 &context.traits->operations};
  // One signal serves one clock.
  const options::Options& options = *context.options;
  int signal =
      options.wall_signal != 0 || samples(options, options::Event::kCpu) ? options.wall_signal : options.cpu_signal;
  return {[java, holders = context.holders, signal] { return events::make_wall_clock(java, holders, signal); }};
}

Makers lock_holders(const SourceContext& context) {
  return {[holders = context.holders] { return events::make_holder_counts(holders); }};
}

events::PerfChoice counter_choice(const SourceContext& context) {
  events::PerfChoice choice;
  choice.user_code_only = context.options->user_code_only;
  return choice;
}

Makers page_faults(const SourceContext& context) {
  return {[choice = counter_choice(context)] {
    return events::make_perf_counter({"page faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}, choice);
  }};
}

Makers context_switches(const SourceContext& context) {
  return {[choice = counter_choice(context)] {
    events::PerfCounter counter = {"context switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES};
    counter.is_of_kernel = true;
    return events::make_perf_counter(counter, choice);
  }};
}

// What programs link comes first: several libraries may have functions of a name, and some choose theirs at run time.
std::optional<uintptr_t> find_symbol(vm::Vm* vm, const std::string& library, const std::string& name) {
  void* linked = library.empty() ? dlsym(RTLD_DEFAULT, name.c_str()) : nullptr;
  if (linked != nullptr) return reinterpret_cast<uintptr_t>(linked);
  std::lock_guard<std::mutex> lock(vm->modules_mutex);
  std::string file = library.substr(library.rfind('/') + 1);
  for (const symbols::NativeFunction& function : vm->modules.find(name))
    if (file.empty() || function.library == file) return function.address;
  return std::nullopt;
}

SampleSources::Spec counter_spec(const options::CounterEvent& counter, const SourceContext& context) {
  auto make = [name = counter.name, vm = context.vm, choice = counter_choice(context)] {
    auto find = [vm](const std::string& library, const std::string& symbol) {
      return find_symbol(vm, library, symbol);
    };
    return events::make_perf_counter(events::perf_counter_of(name, find), choice);
  };
  return {counter.name, counter.interval, {make}};
}

Makers allocation_engine(const SourceContext& context) {
  return {[context] {
    return make_allocation_engine(context.vm, *context.options, *context.plan, context.classes, context.live);
  }};
}

Makers lock_waits(const SourceContext& context) {
  return {[context] { return events::make_lock_waits({context.vm->java_vm, &context.plan->vm, context.classes}); }};
}

Makers wakers(const SourceContext& context) {
  events::WakerView view = {{context.vm->java_vm, &context.plan->vm, context.classes}, &context.plan->access};
  return {[view] { return events::make_wakers(view); }};
}

Makers virtual_waits(const SourceContext& context) {
  events::VirtualWaitView view = {
      {context.vm->java_vm, &context.plan->vm, context.classes},
      &context.vm->ends,
      context.plan->distinguishes_virtual_threads ? &context.plan->virtual_threads : nullptr};
  return {[view] { return events::make_virtual_waits(view); }};
}

Makers native_memory(const SourceContext& context) {
  NativeLive* live = context.options->nofree ? nullptr : context.native_live;
  return {[live] {
    NativeLive::Begun begun = live == nullptr ? NativeLive::Begun{nullptr, false} : live->begin();
    return events::make_native_memory({begun.table, begun.goes_on, make_import_patcher});
  }};
}

Makers native_locks(const SourceContext&) {
  return {[] { return events::make_native_locks(make_import_patcher); }};
}

Makers native_io(const SourceContext& context) {
  events::IoView view = {&context.traits->io, !context.options->redact, make_import_patcher};
  return {[view] { return events::make_native_io(view); }};
}

Makers method_calls(const SourceContext& context, events::CallHook hook, std::vector<options::CallChoice> choices) {
  events::CallView view = {context.vm->java_vm,
                           &context.vm->ends,
                           hook,
                           std::move(choices),
                           context.options->trace_every,
                           std::make_shared<std::vector<events::CallCounts>>()};
  return {[view] { return events::make_method_calls(view); }};
}

Makers calls(const SourceContext& context) {
  return method_calls(context, events::CallHook::kEnter, context.options->called);
}

Makers traced_calls(const SourceContext& context) {
  return method_calls(context, events::CallHook::kLeave, context.options->traced);
}

Makers exceptions(const SourceContext& context) {
  events::ThrowableView view = {context.vm->java_vm,
                                &context.vm->ends,
                                &context.plan->vm,
                                context.classes,
                                context.options->messages,
                                &context.traits->exceptions,
                                std::make_shared<events::MadeExceptions>()};
  return {[view] { return events::make_exceptions(view); }};
}

// In the order of Event.
constexpr std::array<Makers (*)(const SourceContext&), options::kEventCount> kMakers = {
    cpu_engines, wall_clock, page_faults,  context_switches, allocation_engine, lock_waits, native_memory, native_locks,
    native_io,   calls,      traced_calls, exceptions,       lock_holders,      wakers,     virtual_waits};
static_assert(kMakers.back() != nullptr, "an event has no source");
static_assert(options::kEventCount <= capture::kMaxEvents);

}  // namespace

std::vector<SampleSources::Spec> source_specs(const SourceContext& context) {
  std::vector<SampleSources::Spec> specs;
  for (const options::EventRow& row : options::event_rows())
    if (auto interval = options::interval_of(*context.options, row.event))
      specs.push_back({row.name, *interval, kMakers[static_cast<size_t>(row.event)](context)});
  for (const options::CounterEvent& counter : context.options->counters)
    specs.push_back(counter_spec(counter, context));
  if (specs.size() > capture::kMaxEvents)
    throw Error(formatted("{} events were given", specs.size()),
                formatted("one session has {} at most", capture::kMaxEvents));
  return specs;
}

}  // namespace hearth::session
