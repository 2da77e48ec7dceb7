#include <pthread.h>

#include "events/event_source.h"
#include "events/handlers/lock_hooks.h"
#include "events/native/hooked_source.h"

namespace hearth::events {
namespace {

class NativeLocks : public HookedSource<NativeLockSampling> {
 public:
  explicit NativeLocks(ImportPatcherMaker make_patcher)
      : HookedSource(HookKind::kLocks, lock_samplings()), make_patcher_(std::move(make_patcher)) {}
  NativeLocks(const NativeLocks&) = delete;
  NativeLocks& operator=(const NativeLocks&) = delete;
  ~NativeLocks() override { NativeLocks::stop(); }

  std::string engine() const override { return "pthread"; }

  void start(const EventPlan& plan) override {
    const uintptr_t attempts[kLockHooks] = {reinterpret_cast<uintptr_t>(pthread_mutex_trylock),
                                            reinterpret_cast<uintptr_t>(pthread_rwlock_tryrdlock),
                                            reinterpret_cast<uintptr_t>(pthread_rwlock_trywrlock)};
    const auto functions = lock_hooks();
    prepare(plan, make_patcher_, functions);
    for (size_t i = 0; i < kLockHooks; i++) {
      *functions[i].real = original(i);
      *functions[i].attempt = attempts[i];
    }
    sampling_.began_ns = capture::now_ns();
    begin();
  }

 private:
  void use(uint64_t number) override { measure_native_locks(number != 0); }

  const ImportPatcherMaker make_patcher_;
};

}  // namespace

std::unique_ptr<EventSource> make_native_locks(ImportPatcherMaker make_patcher) {
  return std::make_unique<NativeLocks>(std::move(make_patcher));
}

}  // namespace hearth::events
