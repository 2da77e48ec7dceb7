// Base of sources with threads that find their slots themselves, in a handler: no event is opened for a thread, and
// attach_thread() only marks it as wanted.
#pragma once

#include "events/event_source.h"
#include "events/handlers/cached_slot.h"

namespace hearth::events {

class SelfSamplingSource : public EventSource {
 public:
  bool follows_threads() const override { return true; }
  bool attach_thread(capture::ThreadSlot*) override {
    slots().filter_epoch.fetch_add(1, std::memory_order_release);
    return true;
  }
  int64_t detach_thread(capture::ThreadSlot*) override { return 0; }
  int64_t cpu_ns(const capture::ThreadSlot&) const override { return 0; }

 protected:
  // `search_for_any`: the search if all threads are wanted.
  void find_slots(const EventPlan& plan, SlotSearch search_for_any) {
    slots().search = plan.some_threads ? SlotSearch::kSeek : search_for_any;
    slots().table = plan.registry->table();
  }

 private:
  // Returns the place where its threads find their slots.
  virtual SlotsByThread& slots() = 0;
};

}  // namespace hearth::events
