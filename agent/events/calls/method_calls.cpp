#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "events/alloc/size_class.h"
#include "events/calls/call_hooks.h"
#include "events/event_source.h"
#include "events/handlers/hook_slot.h"
#include "events/record_with_retry.h"
#include "events/self_sampling_source.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {
namespace {

// State of the running session for its hooks.
struct CallSampling : CallbackSampling {
  int64_t every = 1;
  std::atomic<int64_t> reported{0};
  std::atomic<int64_t> calls[CallHooks::kMostTargets] = {};  // reported ones
};

using PublishedSampling = Published<CallSampling>;

// By CallHook.
PublishedToCallbacks<CallSampling> g_published[] = {
    PublishedToCallbacks<CallSampling>(number_before(HookKind::kCalls, 0)),
    PublishedToCallbacks<CallSampling>(number_before(HookKind::kTimedCalls, 0))};

PublishedToCallbacks<CallSampling>& published_for(CallHook hook) {
  return g_published[static_cast<size_t>(hook)];
}

template <CallHook kHook>
void on_call(const Call& call) {
  PublishedSampling* published = published_for(kHook).current();
  PublishedSampling::Entry entry(published);
  CallSampling* sampling = entry.sampling();
  if (sampling == nullptr) return;
  sampling->calls[call.target].fetch_add(1, std::memory_order_relaxed);
  if ((sampling->reported.fetch_add(1, std::memory_order_relaxed) + 1) % sampling->every != 0) return;
  capture::ThreadSlot* slot = slot_of_hook(sampling->number, sampling->slots_by_thread);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return;
  capture::SampleInfo info;
  info.entered_ns = capture::now_ns();
  info.event = sampling->event;
  info.hooks = CallHooks::kFrames;
  info.weight = sampling->every;
  if (kHook == CallHook::kLeave) {
    info.weight = std::max<int64_t>(call.time_ns, 1);
    info.objects = 1;
    info.state = size_class(info.weight);
  }
  record_with_retry(sampling->recorder, sampling->drain, slot, info, std::nullopt);
}

class MethodCalls : public SelfSamplingSource {
 public:
  explicit MethodCalls(CallView view) : view_(std::move(view)) {}
  MethodCalls(const MethodCalls&) = delete;
  MethodCalls& operator=(const MethodCalls&) = delete;
  ~MethodCalls() override { MethodCalls::disable(); }

  std::string engine() const override { return "bytecode"; }

  void start(const EventPlan& plan) override {
    if (view_.choices.empty()) refuse_no_method();
    sampling_.take(plan);
    sampling_.every = has_time() ? view_.every : plan.interval;
    find_slots(plan, SlotSearch::kSeekOrAdopt);
    std::vector<CallTarget> targets;
    for (const options::CallChoice& choice : view_.choices)
      targets.push_back({choice.pattern, choice.shortest_ns.value_or(plan.interval)});
    hooks_.emplace(view_.java_vm, view_.vm_ends, view_.hook, std::move(targets));
    published_for(view_.hook).publish(&sampling_);
    is_published_ = true;
    try {
      hooks_->start(has_time() ? on_call<CallHook::kLeave> : on_call<CallHook::kEnter>);
    } catch (...) {
      disable();
      throw;
    }
  }

  std::string trouble() const override { return trouble_.empty() && hooks_ ? hooks_->trouble() : trouble_; }

  void disable() override {
    if (!std::exchange(is_published_, false)) return;
    hooks_->stop();
    std::vector<CallCounts> counts = MethodCalls::call_counts();
    *view_.earlier = std::move(counts);
    is_stopped_ = true;
    trouble_ = hooks_->trouble();
    if (!published_for(view_.hook).unpublish()) is_quiescent_ = false;
  }
  bool is_quiescent() const override { return is_quiescent_; }
  void stop() override { MethodCalls::disable(); }

  std::vector<CallCounts> call_counts() const override {
    std::vector<CallCounts> counts = *view_.earlier;
    if (!hooks_ || is_stopped_) return counts;
    counts.resize(view_.choices.size());
    std::vector<CallCells> cells = hooks_->calls();
    for (size_t i = 0; i < counts.size(); i++) {
      CallCounts& one = counts[i];
      one.pattern = view_.choices[i].text;
      if (has_time()) one.shortest_ns = view_.choices[i].shortest_ns.value_or(sampling_.interval);
      one.reported += sampling_.calls[i];
      one.is_matched = true;
      if (!has_time()) continue;
      one.is_counted &= i < cells.size();
      if (i >= cells.size()) continue;
      one.by_time.resize(cells[i].size());
      for (size_t cell = 0; cell < cells[i].size(); cell++) one.by_time[cell] += cells[i][cell];
    }
    for (size_t i : hooks_->unmatched()) counts[i].is_matched = false;
    return counts;
  }

 private:
  SlotsByThread& slots() override { return sampling_.slots_by_thread; }
  bool has_time() const { return view_.hook == CallHook::kLeave; }

  [[noreturn]] void refuse_no_method() const {
    if (has_time()) throw Error("trace names no method", "give trace=CLASS.METHOD, as trace=com.acme.Shop.buy:50ms");
    throw Error("calls names no method", "give event=CLASS.METHOD, as event=com.acme.Shop.buy");
  }

  const CallView view_;
  std::optional<CallHooks> hooks_;
  CallSampling sampling_;
  bool is_published_ = false;
  bool is_stopped_ = false;
  bool is_quiescent_ = true;
  std::string trouble_;
};

}  // namespace

std::unique_ptr<EventSource> make_method_calls(CallView view) {
  return std::make_unique<MethodCalls>(std::move(view));
}

}  // namespace hearth::events
