#include "session/source_specs.h"

#include <linux/perf_event.h>

#include <array>

#include "capture/recorder.h"
#include "options/event_table.h"
#include "options/sampled_events.h"
#include "session/allocation_engine.h"
#include "session/import_patcher.h"

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

Makers wall_clock(const SourceContext& context) {
  events::JavaThreadView java = {&context.plan->vm, &context.plan->access, context.vm->osthread_offset,
                                 context.vm->osthread_state_offset};
  // One signal serves one clock.
  const options::Options& options = *context.options;
  int signal =
      options.wall_signal != 0 || samples(options, options::Event::kCpu) ? options.wall_signal : options.cpu_signal;
  return {[java, signal] { return events::make_wall_clock(java, signal); }};
}

Makers page_faults(const SourceContext&) {
  return {[] { return events::make_perf_counter({PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "page faults"}); }};
}

Makers context_switches(const SourceContext&) {
  return {[] {
    return events::make_perf_counter({PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, "context switches"});
  }};
}

Makers allocation_engine(const SourceContext& context) {
  return {[context] {
    return make_allocation_engine(context.vm, *context.options, *context.plan, context.classes, context.live);
  }};
}

Makers lock_waits(const SourceContext& context) {
  return {[context] { return events::make_lock_waits({context.vm->java_vm, &context.plan->vm, context.classes}); }};
}

Makers native_memory(const SourceContext& context) {
  NativeLive* live = context.options->nofree ? nullptr : context.native_live;
  return {[live] {
    return events::make_native_memory({live == nullptr ? nullptr : live->begin(), make_import_patcher});
  }};
}

Makers native_locks(const SourceContext&) {
  return {[] { return events::make_native_locks(make_import_patcher); }};
}

// In the order of Event.
constexpr std::array<Makers (*)(const SourceContext&), options::kEventCount> kMakers = {
    cpu_engines, wall_clock, page_faults, context_switches, allocation_engine, lock_waits, native_memory, native_locks};
static_assert(kMakers.back() != nullptr, "an event has no source");
static_assert(options::kEventCount <= capture::kMaxEvents);

}  // namespace

std::vector<SampleSources::Spec> source_specs(const SourceContext& context) {
  std::vector<SampleSources::Spec> specs;
  for (const options::EventRow& row : options::event_rows())
    if (auto interval = options::interval_of(*context.options, row.event))
      specs.push_back({row.name, *interval, kMakers[static_cast<size_t>(row.event)](context)});
  return specs;
}

}  // namespace hearth::session
