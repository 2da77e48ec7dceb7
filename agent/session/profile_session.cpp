#include "session/profile_session.h"

#include <algorithm>
#include <ctime>
#include <mutex>
#include <utility>

#include "base/clocks.h"
#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "events/alloc/allocation_weight.h"
#include "options/event_table.h"
#include "options/sampled_events.h"
#include "profile/model/event_view.h"
#include "session/allocation_engine.h"
#include "session/counting/inherited_stacks.h"
#include "session/duty_cycle.h"
#include "session/foreign_agent.h"
#include "session/source_specs.h"

namespace hearth::session {
namespace {

constexpr uint64_t kLibraryPeriodNs = 100'000'000;
constexpr uint64_t kShortestScanPeriodNs = 40'000'000;  // for new native threads
constexpr uint64_t kSlowScanPeriodNs = 1'000'000'000;
constexpr uint64_t kTickPeriodNs = 1'000'000'000;
constexpr uint64_t kShortestNamesPeriodNs = 200'000'000;  // for a filter by name

std::mutex g_faults_mutex;  // of all FaultHandlers

void inherit_native(const SessionState& before, CaptureState* capture, NativeLive* live) {
  InheritedStacks stacks(before.capture(), capture);
  live->inherit(*before.live().native(), [&](events::LiveAllocations::Allocation* one) {
    one->stack = stacks.of(one->stack);
    one->thread = 0;  // it has another number now, or has ended
    one->span = capture::SpanTable::kNone;
    return one->stack != capture::StackTree::kFull;
  });
}

}  // namespace

ProfileSession::ProfileSession(vm::Vm* vm, Log* log, const options::Options& options, Hooks hooks)
    : SessionState(vm, log, options, std::move(hooks), [this] { retain_for_held_thread(); }),
      breakpoint_watch_({options::has_breakpoints(options), [this] { return window_.remove_breakpoints(); },
                         events::thread_that_blocks_sigtrap},
                        &sources_, &notes_) {
  counter_.set_label_resolver(
      [vm](uint16_t number) { return ForeignAgent::instance().label_set(number, &vm->labels); });
}

ProfileSession::~ProfileSession() {
  stop();
}

void ProfileSession::start_sources() {
  bool has_native_live = options::samples(options_, options::Event::kNativeMemory) && !options_.nofree;
  if (hooks_.before != nullptr && has_native_live) inherit_native(*hooks_.before, &capture_, live_.native());
  std::shared_ptr<events::LockHolders> holders;
  if (options::samples(options_, options::Event::kHolders)) holders = events::make_lock_holders(capture_.plan.vm);
  for (const SampleSources::Spec& spec : source_specs({vm_, &options_, &capture_.plan, &capture_.classes,
                                                       &capture_.traits, live_.objects(), live_.native(), holders})) {
    bool is_alloc = spec.event == std::string_view(profile::kAllocEvent);
    if (is_alloc) counter_.set_allocation_event(static_cast<int>(sources_.all().size()));
    if (is_alloc) allocations_.begin_collections(vm_->java_vm);
    std::vector<std::string> refusals = sources_.start(spec);
    const events::EventSource& source = *sources_.all().back().source;
    if (!refusals.empty())
      log_->warn(formatted("using {} instead of perf_events, without kernel frames: {}", source.engine(),
                           joined(refusals, "; and ")));
    for (std::string& refusal : refusals) notes_.add(std::move(refusal));
    if (!is_alloc) continue;
    notes_.add(blind_spot(*vm_, source));
    allocations_.begin_threads();
  }
}

void ProfileSession::name_java_threads() {
  if (!options_.filter.asks_for_names()) return;
  for (LivingThread& thread : hooks_.java_threads()) name_thread(thread.tid, std::move(thread.name));
}

void ProfileSession::follow_threads() {
  sources_.follow(&capture_.registry, &options_.filter, hooks_.excluded);
  name_java_threads();          // before the scan finds them in /proc, under other names
  sources_.follower()->scan();  // every thread is sampled when start() returns
}

void ProfileSession::start() {
  for (const std::string& note : vm_->notes) notes_.add(note);
  capture_.require_memory();
  capture_.refresh_libraries(vm_);
  window_.start(vm_, options_);
  try {
    if (std::lock_guard<std::mutex> lock(g_faults_mutex); !faults_.install())
      throw Error("other libraries have covered our fault handler again and again", "restart the JVM");
    began_unix_ns_ = clock_ns(CLOCK_REALTIME);
    began_ns_ = capture::now_ns();
    capture_.withheld.begin();
    counter_.begin(began_ns_);
    if (hooks_.stream) stream_ = hooks_.stream(this);
    counter_.set_stream(stream_.get());
    start_sources();
    follow_threads();
    begun_before_ = capture_.registry.begun();
    start_worker();
  } catch (...) {
    end_sampling();
    end_stream(false);
    throw;
  }
  running_ = true;
}

std::vector<SessionWorker::Task> ProfileSession::worker_tasks() {
  uint64_t scan_period_ns = options_.always_on ? kSlowScanPeriodNs : kShortestScanPeriodNs;
  uint64_t library_period_ns = options_.always_on ? kSlowScanPeriodNs : kLibraryPeriodNs;
  auto scan = [=](uint64_t now) {
    return run_with_duty_cycle(now, scan_period_ns, [this] { sources_.follower()->scan(); });
  };
  auto refresh_libraries = [=](uint64_t now) {
    capture_.refresh_libraries(vm_);
    sources_.visit_running([](events::EventSource* source) { source->libraries_changed(); });
    return now + library_period_ns;
  };
  auto name_threads = [this](uint64_t now) {
    return run_with_duty_cycle(now, kShortestNamesPeriodNs, [this] { name_java_threads(); });
  };
  auto tick = [this](uint64_t now) {
    return run_with_duty_cycle(now, kTickPeriodNs,
                               [this] { sources_.visit_running([](events::EventSource* source) { source->tick(); }); });
  };
  auto drain = [this](uint64_t) {
    counter_.drain();
    return uint64_t{0};  // in every round
  };
  auto write_stream = [this](uint64_t now) {
    stream_->write_due(now);
    return uint64_t{0};
  };
  auto time_out = [this](uint64_t) {
    hooks_.on_timeout();
    return SessionWorker::kNever;
  };
  auto check_breakpoints = [this](uint64_t now) { return breakpoint_watch_.check(now, began_ns_); };
  std::vector<SessionWorker::Task> tasks = {{0, scan}, {0, check_breakpoints}, {0, refresh_libraries}};
  auto renew_faults = [this](uint64_t) {
    std::unique_lock<std::mutex> lock(g_faults_mutex);
    if (faults_.renew()) return uint64_t{0};
    lock.unlock();
    log_->warn("the session ends: the program has set handlers of its own for SIGSEGV and SIGBUS again and again");
    hooks_.on_timeout();
    return SessionWorker::kNever;
  };
  if (vm_->java_vm == nullptr) tasks.push_back({0, renew_faults});  // a JVM may come, with handlers of its own
  if (options_.filter.asks_for_names()) tasks.push_back({began_ns_ + kShortestNamesPeriodNs, name_threads});
  tasks.push_back({0, drain});
  if (stream_ != nullptr) tasks.push_back({0, write_stream});
  if (options::samples(options_, options::Event::kVirtualThreads)) tasks.push_back({began_ns_ + kTickPeriodNs, tick});
  int64_t timeout_ns = options_.timeout_ns;
  if (options_.loop_ns > 0) timeout_ns = timeout_ns > 0 ? std::min(timeout_ns, options_.loop_ns) : options_.loop_ns;
  if (timeout_ns > 0) tasks.push_back({began_ns_ + static_cast<uint64_t>(timeout_ns), time_out});
  return tasks;
}

void ProfileSession::start_worker() {
  auto announce = [this](int tid, bool begins) {
    if (hooks_.own_thread) hooks_.own_thread(tid, begins);
  };
  auto on_begin = [this, announce](int tid) {
    exclude(tid);
    announce(tid, true);
  };
  worker_.start(worker_tasks(), {on_begin, [announce](int tid) { announce(tid, false); }});
}

// The account of allocations needs threads also before the session runs.
void ProfileSession::thread_started(int tid, std::string name) {
  allocations_.thread_started(tid);
  if (running_) name_thread(tid, std::move(name));
}

void ProfileSession::thread_ended(int tid, std::string name) {
  const capture::WalkPlan& plan = capture_.plan;
  capture::CurrentJavaThread thread(plan.vm, plan.access);
  if (options::samples(options_, options::Event::kAlloc) && thread.is_java())
    allocations_.thread_ended({tid, name, events::allocated_bytes(plan.vm.allocations, thread.address())});
  if (running_) sources_.follower()->thread_ended(tid, std::move(name));
}

bool ProfileSession::pause(const std::string& event) {
  if (sources_.is_paused(event)) return false;
  if (event == profile::kAllocEvent) allocations_.end();
  return sources_.pause(event);
}

bool ProfileSession::resume(const std::string& event) {
  if (!sources_.resume(event)) return false;
  bool is_alloc = event == profile::kAllocEvent;
  try {
    if (is_alloc) allocations_.begin_collections(vm_->java_vm);
    if (is_alloc) allocations_.begin_threads();
    sources_.follower()->scan();
  } catch (...) {
    if (is_alloc) allocations_.end();
    sources_.pause(event);
    throw;
  }
  return true;
}

std::map<std::string, int64_t> ProfileSession::lost_weights() const {
  std::map<std::string, int64_t> weights;
  const std::vector<SampleSources::Source>& sources = sources_.all();
  for (size_t event = 0; event < sources.size(); event++) weights[sources[event].event] = counter_.lost_weight(event);
  return weights;
}

// Keeps the session in memory permanently.
void ProfileSession::retain() {
  static auto* retained = new std::vector<std::shared_ptr<ProfileSession>>;
  retained->push_back(shared_from_this());
}

// Nothing reports when the suspended thread goes on.
void ProfileSession::retain_for_held_thread() {
  retain();
  constexpr const char* kNote =
      "a thread is held in the midst of a sample, by a debugger or a long pause of the JVM: this session's memory is "
      "not given back; resume threads before a stop";
  log_->warn(kNote);
  notes_.add(kNote);
}

void ProfileSession::end_sampling() {
  if (options::samples(options_, options::Event::kAlloc)) allocations_.end();
  running_ = false;
  sources_.stop();
  window_.stop();
  {
    std::lock_guard<std::mutex> lock(g_faults_mutex);
    faults_.remove();
  }
  ended_ns_ = capture::now_ns();
  capture_.withheld.end();
}

void ProfileSession::stop() {
  if (!running_) return;
  bool worker_ended = worker_.end(vm_->ends);
  if (!worker_ended) retain();
  end_sampling();
  counter_.drain();
  if (options_.live) {
    JvmAttachment attachment(vm_->java_vm, "hearth");
    if (attachment.env() != nullptr) live_.end(attachment.env());
  }
  end_stream(worker_ended);
}

// `is_free`: no other thread may be in the midst of a write, which waits for the JVM.
void ProfileSession::end_stream(bool is_free) {
  counter_.set_stream(nullptr);
  if (stream_ != nullptr && is_free) stream_->end();
}

}  // namespace hearth::session
