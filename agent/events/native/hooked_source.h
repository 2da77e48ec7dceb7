// Base of sources that replace functions of other libraries by hooks.
#pragma once

#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "events/handlers/hook_places.h"
#include "events/native/library_hooks.h"
#include "events/self_sampling_source.h"

namespace hearth::events {

template <typename Sampling>
class HookedSource : public SelfSamplingSource {
 public:
  HookedSource(const HookedSource&) = delete;
  HookedSource& operator=(const HookedSource&) = delete;
  ~HookedSource() override = default;  // a derived class stops itself first

  void libraries_changed() override { libraries_->apply_again(); }

  void disable() override {
    if (!is_published_) return;
    is_published_ = false;
    libraries_->restore();
    patching_trouble_ = libraries_->trouble();
    use(0);
    constexpr int kNaps = 2000;  // two seconds
    is_quiescent_ = places_->current()->unpublish(kNaps);
    if (!is_quiescent_) places_->abandon();
    use(0);  // a hook may just have seen the last one
  }
  bool is_quiescent() const override { return is_quiescent_; }
  void stop() override { HookedSource::disable(); }

  std::string trouble() const override { return is_published_ ? libraries_->trouble() : patching_trouble_; }

 protected:
  HookedSource(HookKind kind, HookPlaces<Sampling>* places) : kind_(kind), places_(places) {}

  // Finds the functions of `table`, rows with a name and the code of its hook. Throws Error if the first one is not
  // there.
  template <typename Table>
  void prepare(const EventPlan& plan, const ImportPatcherMaker& make_patcher, const Table& table) {
    std::vector<ImportPatcher::Hook> hooks;
    for (const auto& row : table) hooks.push_back({row.name, row.code});
    function_ = hooks.front().name;
    if (places_->current() == nullptr)
      throw Error(formatted("threads are held inside of {} since earlier sessions", function_), "restart the JVM");
    sampling_.event = plan.event;
    sampling_.interval = plan.interval;
    sampling_.recorder = plan.recorder;
    sampling_.pid = getpid();
    find_slots(plan, SlotSearch::kSeekOrAdopt);
    libraries_ = std::make_unique<LibraryHooks>(kind_, make_patcher, hooks);
    if (libraries_->original(0) == 0)
      throw Error(formatted("this process has no {} of its own to be replaced", function_));
  }
  uintptr_t original(size_t hook) const { return libraries_->original(hook); }

  // Throws Error if no library calls the functions.
  void begin() {
    places_->current()->publish(&sampling_);
    is_published_ = true;
    use(sampling_.number);
    libraries_->apply();
    if (libraries_->replaced() > 0) return;
    std::string reason = libraries_->trouble();
    disable();
    throw Error(reason.empty()
                    ? formatted("no library of this process calls {} by a pointer that can be replaced", function_)
                    : reason);
  }

  Sampling sampling_;

 private:
  SlotsByThread& slots() override { return sampling_.slots_by_thread; }
  // Lets the hooks work for the published sampling of this number, or for none: 0.
  virtual void use(uint64_t number) = 0;

  const HookKind kind_;
  HookPlaces<Sampling>* const places_;
  std::string function_;
  std::unique_ptr<LibraryHooks> libraries_;
  bool is_published_ = false;
  bool is_quiescent_ = true;
  std::string patching_trouble_;
};

}  // namespace hearth::events
