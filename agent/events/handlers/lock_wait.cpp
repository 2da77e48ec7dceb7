#include "events/handlers/lock_wait.h"

#include "capture/faults/safe_load.h"
#include "capture/unwind/java/extra_frames.h"
#include "capture/unwind/java/references.h"

namespace hearth::events {
namespace {

using capture::load;
using capture::LockHolderLayout;
using capture::LockWait;
using capture::VmLayout;

constexpr uintptr_t kAnonymousOwner = 1;  // ObjectMonitor::ANONYMOUS_OWNER (share/runtime/objectMonitor.hpp)

// `at`: the address of the reference, or of its handle.
uintptr_t object_at(const VmLayout& vm, uintptr_t at, bool is_handle) {
  uintptr_t word = load(at);
  if (is_handle) word = word == 0 ? 0 : load(word);
  return capture::plain_reference(vm, word);
}

LockWait wait_for_monitor(const VmLayout& vm, uintptr_t java_thread) {
  const LockHolderLayout& layout = vm.lock_holders;
  LockWait wait;
  uintptr_t monitor = load(java_thread + layout.pending);
  if (monitor == 0) return wait;
  wait.is_monitor = true;
  wait.owner = load(monitor + layout.owner);
  wait.object = object_at(vm, monitor + layout.object, layout.object_is_handle);
  wait.lock_class = capture::class_of(vm, wait.object);
  return wait;
}

bool has_owner(const VmLayout& vm, uintptr_t lock_class) {
  constexpr int kMostSupers = 16;
  for (int i = 0; lock_class != 0 && i < kMostSupers; i++) {
    if (lock_class == vm.lock_holders.ownable) return true;
    lock_class = load(lock_class + vm.lock_holders.super);
  }
  return false;
}

LockWait wait_for_synchronizer(const VmLayout& vm, uintptr_t java_thread) {
  const LockHolderLayout& layout = vm.lock_holders;
  uintptr_t thread = object_at(vm, java_thread + layout.thread_object, layout.thread_object_is_handle);
  uintptr_t blocker = thread == 0 ? 0 : capture::load_reference(vm, thread + layout.park_blocker);
  LockWait wait;
  wait.lock_class = capture::class_of(vm, blocker);
  if (!has_owner(vm, wait.lock_class)) return LockWait();
  uintptr_t owner = capture::load_reference(vm, blocker + layout.exclusive_owner);
  wait.owner = owner == 0 ? 0 : load(owner + layout.java_thread);
  if (wait.owner == 0) wait.owner = owner;  // a virtual thread: nobody's JavaThread*
  return wait;
}

bool is_on_stack(const LockHolderLayout& layout, uintptr_t address, uintptr_t java_thread) {
  if (layout.stack_base < 0 || layout.stack_size < 0) return false;
  uintptr_t base = load(java_thread + static_cast<uintptr_t>(layout.stack_base));
  uintptr_t size = load(java_thread + static_cast<uintptr_t>(layout.stack_size));
  return address < base && base - address <= size;
}

bool is_on_lock_stack(const VmLayout& vm, uintptr_t object, uintptr_t java_thread) {
  constexpr uintptr_t kMostLocks = 8;  // LockStack::CAPACITY
  const LockHolderLayout& layout = vm.lock_holders;
  if (layout.lock_stack_top < 0 || object == 0) return false;
  uintptr_t end = capture::load32(java_thread + static_cast<uintptr_t>(layout.lock_stack_top));
  for (uintptr_t i = 0; i < kMostLocks && layout.lock_stack + i * sizeof(uintptr_t) < end; i++)
    if (load(java_thread + layout.lock_stack + i * sizeof(uintptr_t)) == object) return true;
  return false;
}

}  // namespace

LockWait lock_wait_of(const VmLayout& vm, uintptr_t java_thread) {
  LockWait wait;
  if (java_thread == 0) return wait;
  if (vm.lock_holders.has_monitors) wait = wait_for_monitor(vm, java_thread);
  if (!wait.is_wait() && vm.lock_holders.has_owners) wait = wait_for_synchronizer(vm, java_thread);
  return wait;
}

bool is_owner(const VmLayout& vm, const LockWait& lock, uintptr_t java_thread) {
  const LockHolderLayout& layout = vm.lock_holders;
  if (!lock.is_monitor) return lock.owner != 0 && java_thread == lock.owner;
  if (lock.owner == kAnonymousOwner) return is_on_lock_stack(vm, lock.object, java_thread);
  if (lock.owner == 0) return false;
  if (layout.owner_id >= 0) return load(java_thread + static_cast<uintptr_t>(layout.owner_id)) == lock.owner;
  return java_thread == lock.owner || is_on_stack(layout, lock.owner, java_thread);
}

}  // namespace hearth::events
