#include "session/session_state.h"

#include <chrono>
#include <utility>

#include "base/formatted.h"
#include "base/resident_set.h"
#include "options/event_table.h"
#include "options/sampled_events.h"
#include "profile/model/event_view.h"

namespace hearth::session {
namespace {

constexpr std::chrono::milliseconds kDrainPeriod(20);
constexpr std::chrono::milliseconds kSlowDrainPeriod(200);  // where rates are low

template <typename Part>
int64_t resident_of(const Part& part) {
  int64_t bytes = 0;
  part.visit_memory([&](const Mapping& mapping) { bytes += resident_bytes(mapping); });
  return bytes;
}

std::function<events::EventPlan(size_t, int64_t)> plan_maker(CaptureState* capture, SampleCounter* counter,
                                                             bool some_threads) {
  return [=](size_t number, int64_t interval) {
    events::EventPlan plan;
    plan.event = static_cast<uint16_t>(number);
    plan.interval = interval;
    plan.recorder = &capture->recorder;
    plan.tree = &capture->tree;
    plan.registry = &capture->registry;
    plan.some_threads = some_threads;
    plan.streams = counter->has_stream();
    plan.count = [counter](const capture::Sample& sample, int64_t times) { counter->add_repeated(sample, times); };
    plan.add = [counter](const capture::Sample& sample) { counter->add(sample); };
    plan.drain = [counter] { counter->drain(); };
    return plan;
  };
}

}  // namespace

SessionState::SessionState(vm::Vm* vm, Log* log, const options::Options& options, Hooks hooks,
                           std::function<void()> on_held_thread)
    : vm_(vm),
      log_(log),
      options_(options),
      hooks_(std::move(hooks)),
      capture_(*vm, options_),
      counter_(&capture_.ring, &capture_.tree, &capture_.recorder.counters()),
      sources_({plan_maker(&capture_, &counter_, !options_.filter.accepts_all()), hooks_.own_thread,
                std::move(on_held_thread)},
               &notes_),
      allocations_(&options_.filter, hooks_.java_threads),
      // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): sources_ holds the maker of plans.
      worker_(log, options.always_on ? kSlowDrainPeriod : kDrainPeriod) {}

std::vector<std::string> SessionState::paused() const {
  return running_ ? sources_.paused() : std::vector<std::string>();
}

options::Options SessionState::sampled() const {
  options::Options sampled = options_;
  for (const std::string& event : paused()) sampled = options::without_event(std::move(sampled), event);
  return sampled;
}

std::vector<int64_t> SessionState::paused_ns() const {
  return sources_.paused_ns(running_ ? capture::now_ns() : ended_ns_);
}

int64_t SessionState::duration_ns() const {
  return static_cast<int64_t>((running_ ? capture::now_ns() : ended_ns_) - began_ns_);
}

std::string SessionState::events() const {
  std::vector<std::string> names;
  for (const SampleSources::Source& one : sources_.all()) {
    bool names_engine = one.event == std::string_view("cpu") && !options_.raw.cpu.empty();
    names.push_back(names_engine ? options_.raw.cpu : one.event);
    std::string_view also = profile::kind_of_event(one.event).also;
    if (!also.empty()) names.emplace_back(also);
  }
  for (const char* event : options::live_events(options_)) names.emplace_back(event);
  return joined(names, ", ");
}

SessionState::Allocated SessionState::allocated() const {
  int64_t bytes = counter_.sampled_bytes();
  int event = counter_.allocation_event();
  if (event != SampleCounter::kNoEvent) bytes += counter_.lost_weight(static_cast<size_t>(event));
  return {bytes,
          options::samples(options_, options::Event::kAlloc) && running_ ? allocations_.collections().pause_ns : 0};
}

int64_t SessionState::own_cpu_ns() const {
  const capture::RecorderCounters& counters = capture_.recorder.counters();
  uint64_t measured = counters.handler_times.count();
  uint64_t mean = measured == 0 ? 0 : counters.handler_ns / measured;
  auto handlers = static_cast<int64_t>(mean) * static_cast<int64_t>(counters.handled);
  return handlers + worker_.cpu_ns() + sources_.own_cpu_ns() + commands_cpu_ns_;
}

std::map<std::string, int64_t> SessionState::memory() const {
  std::map<std::string, int64_t> parts;
  parts["tree"] = resident_of(capture_.tree);
  parts["ring"] = resident_of(capture_.ring);
  parts["walks"] = resident_of(capture_.recorder) + resident_of(capture_.plan.pcs);
  parts["spans"] = resident_of(capture_.recorder.spans());
  parts["threads"] = resident_of(capture_.registry);
  parts["names"] = resident_of(capture_.classes) + resident_of(capture_.traits.io);
  parts["live"] = static_cast<int64_t>(live_.bytes()) + resident_of(*live_.native());
  parts["counts"] = counter_.read([](const SampleCounts& counts) { return static_cast<int64_t>(counts.bytes()); });
  return parts;
}

std::vector<std::string> SessionState::troubles() const {
  std::vector<std::string> troubles;
  if (sources_.follower() == nullptr) return troubles;
  troubles = sources_.follower()->troubles();
  if (!window_.trouble().empty()) troubles.push_back(window_.trouble());
  return troubles;
}

}  // namespace hearth::session
