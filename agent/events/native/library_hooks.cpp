#include "events/native/library_hooks.h"

#include <unistd.h>

#include <atomic>
#include <mutex>

namespace hearth::events {
namespace {

// The applied hooks by kind, and last that of dlsym, for threads that load libraries.
constexpr size_t kKinds = static_cast<size_t>(HookKind::kCount);
std::atomic<ImportPatcher*> g_patchers[kKinds + 1];
std::atomic<int> g_patching{0};  // threads that use them
std::atomic<uintptr_t> g_real_dlsym{0};
thread_local bool t_is_patching = false;

std::mutex g_mutex;  // of the next two
int g_applied = 0;
std::unique_ptr<ImportPatcher> g_dlsym;

void look_for_libraries() {
  if (t_is_patching) return;
  t_is_patching = true;
  g_patching.fetch_add(1, std::memory_order_seq_cst);
  for (std::atomic<ImportPatcher*>& one : g_patchers)
    if (ImportPatcher* patcher = one.load(std::memory_order_seq_cst)) patcher->apply();
  g_patching.fetch_sub(1, std::memory_order_release);
  t_is_patching = false;
}

// Must end in a jump to the real function, which finds the library of its caller by the return address.
void* dlsym_hook(void* library, const char* name) {
  look_for_libraries();
  return reinterpret_cast<void* (*)(void*, const char*)>(g_real_dlsym.load(std::memory_order_relaxed))(library, name);
}

void withdraw(size_t place) {
  constexpr useconds_t kNap = 100;
  g_patchers[place].store(nullptr, std::memory_order_seq_cst);
  while (g_patching.load(std::memory_order_seq_cst) != 0) usleep(kNap);
}

void watch_loading(const ImportPatcherMaker& make_patcher) {
  std::lock_guard<std::mutex> lock(g_mutex);
  if (g_applied > 0) {
    g_applied++;
    return;
  }
  g_dlsym = make_patcher({{"dlsym", reinterpret_cast<uintptr_t>(dlsym_hook)}});
  g_real_dlsym = g_dlsym->original(0);
  g_dlsym->apply();
  g_patchers[kKinds].store(g_dlsym.get(), std::memory_order_seq_cst);
  g_applied = 1;
}

void end_watch() {
  std::lock_guard<std::mutex> lock(g_mutex);
  if (--g_applied > 0) return;
  withdraw(kKinds);
  g_dlsym->restore();
  g_dlsym.reset();
}

}  // namespace

LibraryHooks::LibraryHooks(HookKind kind, ImportPatcherMaker make_patcher,
                           const std::vector<ImportPatcher::Hook>& hooks)
    : kind_(kind), make_patcher_(std::move(make_patcher)), patcher_(make_patcher_(hooks)) {}

void LibraryHooks::apply() {
  watch_loading(make_patcher_);
  is_applied_ = true;
  patcher_->apply();
  g_patchers[static_cast<size_t>(kind_)].store(patcher_.get(), std::memory_order_seq_cst);
}

void LibraryHooks::restore() {
  if (!is_applied_) return;
  is_applied_ = false;
  end_watch();
  withdraw(static_cast<size_t>(kind_));
  patcher_->restore();
}

}  // namespace hearth::events
