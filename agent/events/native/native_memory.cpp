#include <unistd.h>

#include <atomic>

#include "base/error.h"
#include "base/formatted.h"
#include "events/event_source.h"
#include "events/handlers/native_hooks.h"
#include "events/self_sampling_source.h"

namespace hearth::events {
namespace {

// The hooks of the running sampling, for threads that load libraries.
std::atomic<ImportPatcher*> g_patcher{nullptr};
std::atomic<int> g_patching{0};  // threads that use it
uintptr_t g_real_dlsym = 0;
thread_local bool t_is_patching = false;

void look_for_libraries() {
  if (t_is_patching) return;
  t_is_patching = true;
  g_patching.fetch_add(1, std::memory_order_seq_cst);
  if (ImportPatcher* patcher = g_patcher.load(std::memory_order_seq_cst)) patcher->apply();
  g_patching.fetch_sub(1, std::memory_order_release);
  t_is_patching = false;
}

// Who has loaded a library asks for its functions next: before it calls them, their pointers are replaced. Must end in
// a jump to the real function, which finds the library of its caller by the return address.
void* dlsym_hook(void* library, const char* name) {
  look_for_libraries();
  return reinterpret_cast<void* (*)(void*, const char*)>(g_real_dlsym)(library, name);
}

class NativeMemory : public SelfSamplingSource {
 public:
  explicit NativeMemory(NativeMemoryView view) : view_(std::move(view)) {}
  NativeMemory(const NativeMemory&) = delete;
  NativeMemory& operator=(const NativeMemory&) = delete;
  ~NativeMemory() override { NativeMemory::stop(); }

  std::string engine() const override { return "malloc"; }

  void start(const EventPlan& plan) override {
    Published<NativeSampling>* published = native_sampling();
    if (published == nullptr)
      throw Error("threads are held inside of malloc since earlier sessions of nativemem", "restart the JVM");
    sampling_.event = plan.event;
    sampling_.interval = plan.interval;
    sampling_.recorder = plan.recorder;
    sampling_.live = view_.live;
    sampling_.reports_releases = plan.streams;
    sampling_.pid = getpid();
    find_slots(plan, SlotSearch::kSeekOrAdopt);
    patcher_ = view_.make_patcher(wanted_hooks());
    take_real_functions();
    published->publish(&sampling_);
    is_published_ = true;
    count_native_memory(sampling_.number);
    patcher_->apply();
    g_patcher.store(patcher_.get(), std::memory_order_seq_cst);
    if (patcher_->replaced() > 0) return;
    std::string reason = patcher_->trouble();
    disable();
    throw Error(reason.empty() ? "no library of this process calls malloc by a pointer that can be replaced" : reason);
  }

  void libraries_changed() override { patcher_->apply(); }

  void disable() override {
    if (!is_published_) return;
    is_published_ = false;
    g_patcher.store(nullptr, std::memory_order_seq_cst);
    while (g_patching.load(std::memory_order_seq_cst) != 0) usleep(kNap);
    patcher_->restore();
    trouble_ = patcher_->trouble();
    count_native_memory(0);
    constexpr int kNaps = 2000;  // two seconds
    is_quiescent_ = native_sampling()->unpublish(kNaps);
    if (!is_quiescent_) abandon_native_sampling();
    count_native_memory(0);  // a hook may just have begun to follow an allocation
  }
  bool is_quiescent() const override { return is_quiescent_; }

  void stop() override { NativeMemory::disable(); }

  std::string trouble() const override {
    std::string trouble = is_published_ ? patcher_->trouble() : trouble_;
    uint64_t unreported = sampling_.unreported.load(std::memory_order_relaxed);
    if (trouble.empty() && unreported > 0)
      trouble = formatted("the recording lacks {} releases of native memory: they came too fast", unreported);
    return trouble;
  }

 private:
  static constexpr useconds_t kNap = 100;

  SlotsByThread& slots() override { return sampling_.slots_by_thread; }

  std::vector<ImportPatcher::Hook> wanted_hooks() {
    std::vector<ImportPatcher::Hook> hooks;
    hooks_.clear();
    for (const NativeHook& hook : native_hooks()) {
      if (hook.releases && view_.live == nullptr) continue;
      hooks_.push_back(hook);
      hooks.push_back({hook.name, hook.code});
    }
    hooks.push_back({"dlsym", reinterpret_cast<uintptr_t>(dlsym_hook)});
    return hooks;
  }

  void take_real_functions() {
    for (size_t i = 0; i < hooks_.size(); i++) *hooks_[i].real = patcher_->original(i);
    g_real_dlsym = patcher_->original(hooks_.size());
    if (patcher_->original(0) == 0) throw Error("this process has no malloc of its own to be replaced");
  }

  const NativeMemoryView view_;
  std::vector<NativeHook> hooks_;
  std::unique_ptr<ImportPatcher> patcher_;
  NativeSampling sampling_;
  bool is_published_ = false;
  bool is_quiescent_ = true;
  std::string trouble_;
};

}  // namespace

std::unique_ptr<EventSource> make_native_memory(NativeMemoryView view) {
  return std::make_unique<NativeMemory>(std::move(view));
}

}  // namespace hearth::events
