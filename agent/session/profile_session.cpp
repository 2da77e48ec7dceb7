#include "session/profile_session.h"

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <system_error>

#include "base/all_signals_blocked.h"
#include "base/error.h"
#include "base/formatted.h"
#include "events/allocation_weight.h"
#include "events/handlers/current_tid.h"
#include "events/profiling_signal.h"
#include "events/thread_clock.h"
#include "profile/event_view.h"
#include "session/allocation_engine.h"
#include "session/paced.h"

namespace hearth::session {
namespace {

using namespace std::chrono_literals;
using events::clock_ns;

constexpr uint32_t kMaxTreeWords = 1 << 25;  // 128 MB when full, and up to as much for the index
constexpr uint32_t kRingSamples = 1 << 14;
constexpr auto kDrainPeriod = 20ms;
constexpr auto kSlowDrainPeriod = 200ms;  // where rates are low
constexpr uint64_t kLibraryPeriodNs = 100'000'000;
constexpr uint64_t kShortestScanPeriodNs = 40'000'000;  // for new native threads
constexpr uint64_t kSlowScanPeriodNs = 1'000'000'000;
constexpr uint64_t kShortestNamesPeriodNs = 200'000'000;  // for a filter by name

capture::NativeStyle native_style(StackStyle style) {
  if (style == StackStyle::kNoNatives) return capture::NativeStyle::kNone;
  return style == StackStyle::kFramePointer ? capture::NativeStyle::kFramePointer : capture::NativeStyle::kDwarf;
}

capture::JavaStyle java_style(StackStyle style, const capture::VmLayout& vm) {
  if (style == StackStyle::kAsyncGetCallTrace || !vm.can_be_walked()) return capture::JavaStyle::kAsyncGetCallTrace;
  return style == StackStyle::kCompare ? capture::JavaStyle::kCompare : capture::JavaStyle::kVm;
}

}  // namespace

ProfileSession::ProfileSession(Vm* vm, Log* log, const Options& options, Hooks hooks)
    : vm_(vm),
      log_(log),
      options_(options),
      hooks_(std::move(hooks)),
      tree_(kMaxTreeWords),
      ring_(kRingSamples),
      recorder_(&plan_, &tree_, &ring_),
      account_(&options_.filter) {
  plan_.vm = vm->layout;
  plan_.access = vm->access;
  plan_.native_style = native_style(options.stacks);
  plan_.java_style = java_style(options.stacks, vm->layout);
  plan_.java_depth = std::min(options.java_depth, capture::kMaxJavaDepth);
  plan_.java_kept = std::min(options.java_kept, plan_.java_depth);
  plan_.pc_frames = options.pc_addresses;
  plan_.receivers = options.receivers;
  plan_.tells_virtual_threads = options.threads;
  plan_.compilations = options.compilations;
}

ProfileSession::~ProfileSession() {
  stop();
}

events::EventPlan ProfileSession::plan_of(size_t number, int64_t interval) {
  events::EventPlan plan;
  plan.event = static_cast<uint16_t>(number);
  plan.interval = interval;
  plan.recorder = &recorder_;
  plan.registry = &registry_;
  plan.some_threads = !options_.filter.accepts_all();
  plan.count = [this](const capture::Sample& sample, int64_t times) {
    std::lock_guard<std::mutex> lock(counts_mutex_);
    count(sample, times);
  };
  plan.make_room = [this] { drain(); };
  return plan;
}

void ProfileSession::start_source(const Maker& make, const char* event, int64_t interval) {
  std::unique_ptr<events::EventSource> source = make();
  source->start(plan_of(sources_.size(), interval));
  sources_.push_back({std::move(source), event, interval, make});
}

void ProfileSession::start_cpu() {
  auto start = [this](const Maker& make) { start_source(make, "cpu", options_.interval_ns); };
  switch (options_.engine) {
    case CpuEngine::kPerfEvents:
      return start(events::make_cpu_perf_event);
    case CpuEngine::kThreadTimer:
      return start(events::make_cpu_thread_timer);
    case CpuEngine::kProcessTimer:
      return start(events::make_cpu_process_timer);
    case CpuEngine::kAutomatic:
      break;
  }
  std::vector<std::string> refusals;
  for (const Maker& make : {Maker(events::make_cpu_perf_event), Maker(events::make_cpu_thread_timer)}) {
    try {
      start(make);
      break;
    } catch (const events::NoFreeSignal&) {
      throw;
    } catch (const Error& error) {
      refusals.emplace_back(error.what());
    }
  }
  if (sources_.empty()) start(events::make_cpu_process_timer);
  if (refusals.empty()) return;
  log_->warn(
      formatted("using {} instead of perf_events, without kernel frames: {}", engine(), joined(refusals, "; and ")));
  notes_.insert(notes_.end(), refusals.begin(), refusals.end());
}

void ProfileSession::start_sources() {
  try {
    if (options_.cpu) start_cpu();
    if (options_.wall_interval_ns > 0) {
      events::JavaThreadView java = {&plan_.vm, &plan_.access, vm_->osthread_offset, vm_->osthread_state_offset};
      start_source([java] { return events::make_wall_clock(java); }, "wall", options_.wall_interval_ns);
    }
    if (options_.allocation_interval) {
      alloc_number_ = static_cast<int>(sources_.size());
      collections_.start(vm_->java_vm);
      auto make = [this] { return make_allocation_engine(vm_, options_, plan_, &classes_, live_.objects()); };
      start_source(make, profile::kAllocEvent, *options_.allocation_interval);
      if (std::string unseen = blind_spot(*vm_, *sources_.back().source); !unseen.empty()) notes_.push_back(unseen);
      account_.begin(hooks_.java_threads);
    }
    if (options_.lock_interval_ns) {
      auto make = [this] { return events::make_lock_waits({vm_->java_vm, &plan_.vm, &classes_}); };
      start_source(make, profile::kLockEvent, *options_.lock_interval_ns);
    }
  } catch (...) {
    silence_sources();
    faults_.remove();
    throw;
  }
}

void ProfileSession::follow_threads() {
  std::vector<events::EventSource*> sources;
  for (const Source& one : sources_) sources.push_back(one.source.get());
  follower_ = std::make_unique<events::ThreadFollower>(sources, &registry_, &options_.filter);
  for (const events::EventSource* source : sources) {
    follower_->exclude(source->own_tid());  // there is no thread 0
    tell_own_thread(source->own_tid(), true);
  }
  for (int tid : hooks_.excluded) follower_->exclude(tid);
  // Before they are found in /proc, under other names.
  watch_names();
  // Now, not when the worker comes to it: who starts a session may count on every thread from then on.
  follower_->scan();
}

void ProfileSession::start() {
  notes_ = vm_->notes;
  if (!tree_.ok() || !ring_.ok() || !registry_.ok() || !recorder_.ok())
    throw Error("there is no memory for a session", "raise the limit on address space (ulimit -v) or overcommit");
  watch_libraries();
  window_.start(vm_, options_);
  if (!faults_.install())
    throw Error("other libraries have covered our fault handler again and again", "restart the JVM");
  began_unix_ns_ = clock_ns(CLOCK_REALTIME);
  began_ns_ = capture::now_ns();
  counts_.begin(began_ns_);
  start_sources();
  try {
    follow_threads();
    begun_before_ = registry_.begun();
    start_worker();
  } catch (...) {
    end_sampling();
    throw;
  }
  running_ = true;
}

void ProfileSession::start_worker() {
  AllSignalsBlocked blocked;
  try {
    worker_ = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    throw Error(formatted("no thread can be made ({})", error.what()),
                "raise the limit on threads (ulimit -u, pids cgroup)");
  }
}

// The account hears of threads also before the session runs.
void ProfileSession::thread_started(int tid, std::string name) {
  account_.thread_started(tid);
  if (running_) follower_->thread_started(tid, std::move(name));
}

void ProfileSession::thread_ended(int tid, std::string name) {
  capture::CurrentJavaThread thread(plan_.vm, plan_.access);
  if (options_.allocation_interval && thread.is_java())
    account_.thread_ended({tid, name, events::allocated_bytes(plan_.vm.allocations, thread.address())});
  if (running_) follower_->thread_ended(tid, std::move(name));
}

int64_t ProfileSession::duration_ns() const {
  return static_cast<int64_t>((running_ ? capture::now_ns() : ended_ns_) - began_ns_);
}

void ProfileSession::drain() {
  std::lock_guard<std::mutex> lock(counts_mutex_);
  capture::Sample sample;
  while (ring_.pop(&sample)) count(sample, std::nullopt);
  tree_.grow();
}

bool ProfileSession::has_counted(const capture::Sample& sample, std::optional<int64_t> repeated) {
  try {
    return repeated ? counts_.add_spread(sample, *repeated) : counts_.add(sample);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void ProfileSession::count(const capture::Sample& sample, std::optional<int64_t> repeated) {
  if (has_counted(sample, repeated)) {
    if (sample.event == alloc_number_) sampled_bytes_ += sample.weight;
    return;
  }
  crowded_out_ += static_cast<uint64_t>(repeated.value_or(1));
  crowded_out_weight_[sample.event] += sample.weight;
  crowded_out_objects_[sample.event] += std::llround(sample.objects);
}

void ProfileSession::watch_libraries() {
  std::lock_guard<std::mutex> lock(vm_->modules_mutex);
  // Once more a turn later: a handler that began with the map before may have put a rule of it into the cache.
  if (rules_are_mixed_) plan_.rules.clear();
  rules_are_mixed_ = false;
  vm_->modules.refresh();
  const capture::NativeMap* map = vm_->modules.map();  // another one when something has changed, whoever noticed
  if (map == plan_.natives.load(std::memory_order_relaxed)) return;
  plan_.natives.store(map, std::memory_order_release);
  plan_.rules.clear();
  rules_are_mixed_ = true;
}

void ProfileSession::watch_names() {
  if (!options_.filter.asks_for_names()) return;
  for (LivingThread& thread : hooks_.java_threads()) follower_->thread_started(thread.tid, std::move(thread.name));
}

// One turn of the worker.
void ProfileSession::work_once(Due* due) {
  uint64_t now = capture::now_ns();
  if (now >= due->scan)
    due->scan =
        paced(now, options_.always_on ? kSlowScanPeriodNs : kShortestScanPeriodNs, [this] { follower_->scan(); });
  if (now >= due->breakpoints) watch_breakpoints(now, due);
  if (now >= due->libraries) {
    watch_libraries();
    due->libraries = now + (options_.always_on ? kSlowScanPeriodNs : kLibraryPeriodNs);
  }
  if (now >= due->names) due->names = paced(now, kShortestNamesPeriodNs, [this] { watch_names(); });
  drain();
  worker_cpu_ns_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  if (now < due->timeout) return;
  hooks_.on_timeout();
  due->timeout = UINT64_MAX;
}

void ProfileSession::work() {
  pthread_setname_np(pthread_self(), "hearth");
  follower_->exclude(events::current_tid());
  tell_own_thread(events::current_tid(), true);
  Due due;
  if (options_.timeout_ns > 0) due.timeout = began_ns_ + static_cast<uint64_t>(options_.timeout_ns);
  if (options_.filter.asks_for_names()) due.names = began_ns_ + kShortestNamesPeriodNs;
  for (;;) {
    try {
      work_once(&due);
    } catch (const std::exception& error) {
      // No memory or no thread right now: the next turn tries again, and the ring says what was lost.
      log_->debug(error.what());
    }
    std::unique_lock<std::mutex> lock(worker_mutex_);
    if (worker_wake_.wait_for(lock, options_.always_on ? kSlowDrainPeriod : kDrainPeriod,
                              [this] { return worker_ends_; }))
      break;
  }
  tell_own_thread(events::current_tid(), false);
}

std::string ProfileSession::engine() const {
  std::vector<std::string> engines;
  for (const Source& one : sources_) engines.push_back(one.source->engine());
  return joined(engines, " and ");
}

std::string ProfileSession::events() const {
  std::vector<std::string> names;
  for (const Source& one : sources_) {
    bool names_engine = one.event == std::string_view("cpu") && !options_.said.event.empty();
    names.push_back(names_engine ? options_.said.event : one.event);
  }
  if (options_.live) names.emplace_back(profile::kLiveEvent);
  return joined(names, ", ");
}

}  // namespace hearth::session
