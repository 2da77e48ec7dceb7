#include "base/formatted.h"
#include "events/event_source.h"
#include "events/handlers/native_hooks.h"
#include "events/native/hooked_source.h"

namespace hearth::events {
namespace {

class NativeMemory : public HookedSource<NativeSampling> {
 public:
  explicit NativeMemory(NativeMemoryView view)
      : HookedSource(HookKind::kMemory, native_samplings()), view_(std::move(view)) {}
  NativeMemory(const NativeMemory&) = delete;
  NativeMemory& operator=(const NativeMemory&) = delete;
  ~NativeMemory() override { NativeMemory::stop(); }

  std::string engine() const override { return "malloc"; }

  void start(const EventPlan& plan) override {
    std::vector<NativeHook> wanted;
    for (const NativeHook& hook : native_hooks()) {
      if (hook.releases && view_.live == nullptr) continue;
      wanted.push_back(hook);
    }
    prepare(plan, view_.make_patcher, wanted);
    for (size_t i = 0; i < wanted.size(); i++) *wanted[i].real = original(i);
    if (!view_.goes_on) forget_native_memory();
    sampling_.live = view_.live;
    sampling_.reports_releases = plan.streams;
    begin();
  }

  std::string trouble() const override {
    std::string trouble = HookedSource::trouble();
    uint64_t unreported = sampling_.unreported.load(std::memory_order_relaxed);
    if (trouble.empty() && unreported > 0)
      trouble = formatted("the recording lacks {} releases of native memory: they came too fast", unreported);
    return trouble;
  }

 private:
  void use(uint64_t number) override { count_native_memory(number); }

  const NativeMemoryView view_;
};

}  // namespace

std::unique_ptr<EventSource> make_native_memory(NativeMemoryView view) {
  return std::make_unique<NativeMemory>(std::move(view));
}

}  // namespace hearth::events
