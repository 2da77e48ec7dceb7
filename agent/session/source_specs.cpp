#include "session/source_specs.h"

#include "profile/model/event_view.h"
#include "session/allocation_engine.h"

namespace hearth::session {
namespace {

std::vector<SampleSources::Maker> cpu_engines(options::CpuEngine engine) {
  switch (engine) {
    case options::CpuEngine::kPerfEvents:
      return {events::make_cpu_perf_event};
    case options::CpuEngine::kThreadTimer:
      return {events::make_cpu_thread_timer};
    case options::CpuEngine::kProcessTimer:
      return {events::make_cpu_process_timer};
    case options::CpuEngine::kAutomatic:
      break;
  }
  return {events::make_cpu_perf_event, events::make_cpu_thread_timer, events::make_cpu_process_timer};
}

}  // namespace

std::vector<SampleSources::Spec> source_specs(const SourceContext& context) {
  const options::Options& options = *context.options;
  std::vector<SampleSources::Spec> specs;
  if (options.cpu) specs.push_back({"cpu", options.interval_ns, cpu_engines(options.engine)});
  if (options.wall_interval_ns > 0) {
    events::JavaThreadView java = {&context.plan->vm, &context.plan->access, context.vm->osthread_offset,
                                   context.vm->osthread_state_offset};
    specs.push_back({"wall", options.wall_interval_ns, {[java] { return events::make_wall_clock(java); }}});
  }
  if (options.allocation_interval) {
    auto make = [context] {
      return make_allocation_engine(context.vm, *context.options, *context.plan, context.classes, context.live);
    };
    specs.push_back({profile::kAllocEvent, *options.allocation_interval, {make}});
  }
  if (options.lock_interval_ns) {
    auto make = [context] {
      return events::make_lock_waits({context.vm->java_vm, &context.plan->vm, context.classes});
    };
    specs.push_back({profile::kLockEvent, *options.lock_interval_ns, {make}});
  }
  return specs;
}

}  // namespace hearth::session
