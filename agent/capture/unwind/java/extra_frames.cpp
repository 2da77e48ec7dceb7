#include "capture/unwind/java/extra_frames.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "capture/arch/registers.h"
#include "capture/faults/safe_load.h"
#include "capture/unwind/java/code_cache.h"

namespace hearth::capture {
namespace {

constexpr size_t kTaskNameSize = 16;  // PR_GET_NAME, with the terminating zero

// True for "C1 CompilerThread0" and "C2 CompilerThread1", cut to fifteen letters.
bool is_compiler_thread() {
  char name[kTaskNameSize] = {};
  if (syscall(SYS_prctl, PR_GET_NAME, name) != 0) return false;
  return name[0] == 'C' && (name[1] == '1' || name[1] == '2') && std::memcmp(name + 2, " CompilerThre", 13) == 0;
}

}  // namespace

// The receiver is the first argument of compiled code (j_rarg0).
uintptr_t receiver_class(const VmLayout& vm, const ucontext_t* interrupted) {
  return class_of(vm, receiver_register(interrupted));
}

uintptr_t class_of(const VmLayout& vm, uintptr_t object) {
  constexpr uintptr_t kFirstPage = 4096;
  if (!vm.classes.known || object < kFirstPage || object % sizeof(uintptr_t) != 0) return 0;
  const ClassLayout& classes = vm.classes;
  if (!classes.compressed) return load(object + classes.offset);
  uintptr_t narrow = classes.in_header ? load(object) >> classes.header_shift : load32(object + classes.offset);
  return narrow == 0 ? 0 : classes.narrow_base + (narrow << classes.narrow_shift);
}

uint64_t method_in_compilation(const VmLayout& vm, uintptr_t java_thread) {
  if (!vm.compilations || java_thread == 0 || !is_compiler_thread()) return 0;
  uintptr_t env = load(java_thread + static_cast<uintptr_t>(vm.compiler_env));
  uintptr_t task = env == 0 ? 0 : load(env + static_cast<uintptr_t>(vm.env_task));
  return task == 0 ? 0 : method_id(vm, load(task + static_cast<uintptr_t>(vm.task_method)));
}

}  // namespace hearth::capture
