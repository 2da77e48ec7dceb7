#include "base/error.h"
#include "events/breakpoints.h"
#include "events/handlers/tlab_handlers.h"
#include "events/self_sampling_source.h"

namespace hearth::events {
namespace {

class TlabHooks : public SelfSamplingSource {
 public:
  TlabHooks(const AllocationView& vm, const TlabFunctions& functions) : functions_(functions) {
    sampling_.layout = vm.layout;
    sampling_.access = vm.access;
    sampling_.classes = vm.classes;
    sampling_.passes_object = functions.passes_object;
  }
  TlabHooks(const TlabHooks&) = delete;
  TlabHooks& operator=(const TlabHooks&) = delete;
  ~TlabHooks() override { TlabHooks::disable(); }

  std::string engine() const override { return kTlabEngine; }

  void start(const EventPlan& plan) override {
    if (!sampling_.layout->allocations.known)
      throw Error("this JVM does not count the allocated bytes of its threads, which the TLAB hooks need",
                  "use event=alloc without tlab");
    sampling_.event = plan.event;
    sampling_.interval = plan.interval;
    sampling_.recorder = plan.recorder;
    find_slots(plan, SlotSearch::kSeekOrAdopt);
    publish(&sampling_);
    listens_ = true;
    try {
      breakpoints_.set({functions_.new_tlab, "AllocTracer::send_allocation_in_new_tlab"}, kOnNewTlab);
      breakpoints_.set({functions_.outside, "AllocTracer::send_allocation_outside_tlab"}, kOnOutsideOfTlab);
    } catch (...) {
      disable();
      throw;
    }
  }

  bool remove_breakpoints() override {
    bool had_any = breakpoints_.any();
    breakpoints_.clear();
    return had_any;
  }

  void disable() override {
    if (!listens_) return;  // the handlers may belong to another session now
    listens_ = false;
    breakpoints_.clear();
    publish(static_cast<TlabSampling*>(nullptr));
  }
  void stop() override {}

 private:
  SlotsByThread& slots() override { return sampling_.slots_by_thread; }
  TlabFunctions functions_;
  TlabSampling sampling_;
  Breakpoints breakpoints_;
  bool listens_ = false;
};

}  // namespace

std::unique_ptr<EventSource> make_tlab_hooks(const AllocationView& vm, const TlabFunctions& functions) {
  return std::make_unique<TlabHooks>(vm, functions);
}

}  // namespace hearth::events
