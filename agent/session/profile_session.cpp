#include "session/profile_session.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <system_error>

#include "base/error.h"
#include "base/formatted.h"
#include "events/handlers/current_tid.h"
#include "events/thread_clock.h"
#include "session/frame_namer.h"
#include "session/model_builder.h"

namespace hearth::session {
namespace {

using namespace std::chrono_literals;
using events::clock_ns;

constexpr uint32_t kMaxNodes = 1 << 24;  // 256 MB when full
constexpr uint32_t kRingSamples = 1 << 14;
constexpr auto kDrainPeriod = 20ms;
constexpr uint64_t kLibraryPeriodNs = 100'000'000;
// Looking for new native threads may take this share of one CPU, so its period follows from what it costs.
constexpr uint64_t kScanShare = 400;
constexpr uint64_t kShortestScanPeriodNs = 40'000'000;

// Threads made in its scope take no signals: the application's must not land on ours.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

capture::NativeStyle native_style(StackStyle style) {
  if (style == StackStyle::kNoNatives) return capture::NativeStyle::kNone;
  return style == StackStyle::kFramePointer ? capture::NativeStyle::kFramePointer : capture::NativeStyle::kDwarf;
}

}  // namespace

ProfileSession::ProfileSession(Vm* vm, Log* log, const Options& options, std::function<void()> on_timeout)
    : vm_(vm),
      log_(log),
      options_(options),
      on_timeout_(std::move(on_timeout)),
      tree_(kMaxNodes),
      ring_(kRingSamples),
      recorder_(&plan_, &tree_, &ring_) {
  plan_.vm = vm->layout;
  plan_.access = vm->access;
  plan_.native_style = native_style(options.stacks);
  plan_.java_depth = std::min(options.java_depth, capture::kMaxJavaDepth);
}

ProfileSession::~ProfileSession() {
  stop();
}

void ProfileSession::start_source(std::unique_ptr<events::EventSource> source) {
  source->start({options_.interval_ns, &recorder_, &registry_});
  source_ = std::move(source);
}

void ProfileSession::choose_engine() {
  switch (options_.engine) {
    case CpuEngine::kPerfEvents:
      return start_source(events::make_cpu_perf_event());
    case CpuEngine::kThreadTimer:
      return start_source(events::make_cpu_thread_timer());
    case CpuEngine::kProcessTimer:
      return start_source(events::make_cpu_process_timer());
    case CpuEngine::kAutomatic:
      break;
  }
  using Maker = std::unique_ptr<events::EventSource> (*)();
  constexpr Maker kInOrder[] = {events::make_cpu_perf_event, events::make_cpu_thread_timer};
  for (Maker make : kInOrder) {
    try {
      return start_source(make());
    } catch (const Error& error) {
      notes_.push_back(error.what());
    }
  }
  start_source(events::make_cpu_process_timer());
}

void ProfileSession::start() {
  notes_ = vm_->notes;
  size_t known_before = notes_.size();
  if (!tree_.ok() || !ring_.ok() || !registry_.ok() || !recorder_.ok())
    throw Error("there is no memory for a session", "raise the limit on address space (ulimit -v) or overcommit");
  watch_libraries();
  if (!faults_.install())
    throw Error("other libraries have covered our fault handler again and again", "restart the JVM");
  began_unix_ns_ = clock_ns(CLOCK_REALTIME);
  began_ns_ = capture::now_ns();
  try {
    choose_engine();
  } catch (...) {
    faults_.remove();
    throw;
  }
  if (notes_.size() > known_before) {
    std::vector<std::string> refusals(notes_.begin() + static_cast<ptrdiff_t>(known_before), notes_.end());
    log_->warn(formatted("using {} instead of perf_events, without kernel frames: {}", source_->engine(),
                         joined(refusals, "; and ")));
  }
  follower_ = std::make_unique<events::ThreadFollower>(source_.get(), &registry_);
  try {
    AllSignalsBlocked blocked;
    worker_ = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    end_sampling();
    throw Error(formatted("no thread can be made ({})", error.what()),
                "raise the limit on threads (ulimit -u, pids cgroup)");
  }
  running_ = true;
}

void ProfileSession::end_sampling() {
  source_->silence();
  follower_->finish();
  source_->stop();
  faults_.remove();
  ended_ns_ = capture::now_ns();
}

void ProfileSession::stop() {
  if (!running_) return;
  running_ = false;
  {
    std::lock_guard<std::mutex> lock(worker_mutex_);
    worker_ends_ = true;
  }
  worker_wake_.notify_all();
  worker_.join();
  end_sampling();
  drain();
}

int64_t ProfileSession::duration_ns() const {
  return static_cast<int64_t>((running_ ? capture::now_ns() : ended_ns_) - began_ns_);
}

void ProfileSession::drain() {
  std::lock_guard<std::mutex> lock(counts_mutex_);
  capture::Sample sample;
  while (ring_.pop(&sample)) {
    if (counts_.add(sample)) continue;
    crowded_out_++;
    crowded_out_weight_ += sample.weight;
  }
}

void ProfileSession::watch_libraries() {
  std::lock_guard<std::mutex> lock(vm_->modules_mutex);
  if (!vm_->modules.refresh() && plan_.natives != nullptr) return;
  plan_.natives.store(vm_->modules.map(), std::memory_order_release);
  plan_.rules.clear();
}

// One turn of the worker.
void ProfileSession::work_once(Due* due) {
  uint64_t now = capture::now_ns();
  if (now >= due->scan) {
    auto cost = static_cast<uint64_t>(follower_->scan());
    due->scan = now + std::max(kShortestScanPeriodNs, cost * kScanShare);
  }
  if (now >= due->libraries) {
    watch_libraries();
    due->libraries = now + kLibraryPeriodNs;
  }
  drain();
  tree_.grow();
  worker_cpu_ns_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  if (now < due->timeout) return;
  on_timeout_();
  due->timeout = UINT64_MAX;
}

void ProfileSession::work() {
  pthread_setname_np(pthread_self(), "hearth");
  follower_->exclude(events::current_tid());
  Due due;
  if (options_.timeout_ns > 0) due.timeout = began_ns_ + static_cast<uint64_t>(options_.timeout_ns);
  for (;;) {
    try {
      work_once(&due);
    } catch (const std::exception& error) {
      // No memory or no thread right now: the next turn tries again, and the ring says what was lost.
      log_->debug(error.what());
    }
    std::unique_lock<std::mutex> lock(worker_mutex_);
    if (worker_wake_.wait_for(lock, kDrainPeriod, [this] { return worker_ends_; })) return;
  }
}

int64_t ProfileSession::own_cpu_ns() const {
  return recorder_.counters().handler_ns.load() + worker_cpu_ns_.load();
}

profile::Quality ProfileSession::quality() const {
  const capture::RecorderCounters& counters = recorder_.counters();
  profile::Quality quality;
  quality.samples = counters.samples - crowded_out_;
  quality.lost = counters.lost + crowded_out_;
  quality.lost_weight = counters.lost_weight + crowded_out_weight_;
  quality.java_samples = counters.java_samples;
  quality.whole = counters.whole;
  quality.truncated = counters.truncated;
  quality.recovered = counters.recovered;
  for (int i = 0; i < static_cast<int>(capture::Marker::kCount); i++) {
    uint64_t count = counters.failures[i];
    if (count > 0) quality.failures[marker_word(static_cast<capture::Marker>(i))] = count;
  }
  if (counters.root_missing > 0) quality.failures["root_missing"] = counters.root_missing;
  uint64_t handled = quality.samples + quality.lost;
  if (handled > 0) {
    quality.walk_ns_mean = counters.walk_ns / static_cast<int64_t>(handled);
    quality.handler_ns_mean = counters.handler_ns / static_cast<int64_t>(handled);
  }
  quality.own_cpu_ns = own_cpu_ns();
  quality.engine = source_ ? source_->engine() : "";
  quality.threads_cpu_ns = follower_ ? follower_->threads_cpu_ns() : 0;
  quality.notes = notes_;
  std::string trouble = follower_ ? follower_->trouble() : "";
  if (!trouble.empty()) quality.notes.push_back(trouble);
  return quality;
}

profile::Profile ProfileSession::model(JNIEnv* env, const Options& output) {
  drain();
  profile::Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  profile.metadata.event = "cpu";
  profile.metadata.interval = options_.interval_ns;
  profile.metadata.start_unix_ns = began_unix_ns_;
  profile.metadata.duration_ns = duration_ns();
  profile.metadata.producer = "hearth " HEARTH_VERSION;
  profile.metadata.runtime = vm_->runtime;
  profile.metadata.title = output.write.title;
  profile.quality = quality();
  // A copy: naming takes long, and the worker must go on draining.
  std::unique_lock<std::mutex> lock(counts_mutex_);
  SampleCounts counts = counts_;
  lock.unlock();
  FrameNamer namer(vm_, env, output, &profile);
  build_model(tree_, counts, follower_->threads(), output, &namer, &profile);
  if (profile.quality.lost > 0) {
    int64_t values[2] = {static_cast<int64_t>(profile.quality.lost), profile.quality.lost_weight};
    auto lost = namer.location(capture::Frame::marker(capture::Marker::kLost));
    profile.add(profile.child(0, lost), 0, values);
  }
  return profile;
}

}  // namespace hearth::session
