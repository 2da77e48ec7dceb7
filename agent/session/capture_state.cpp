#include "session/capture_state.h"

#include <algorithm>

#include "base/error.h"
#include "session/foreign_agent.h"
#include "symbols/elf/loaded_objects.h"

namespace hearth::session {
namespace {

constexpr uint32_t kMaxTreeWords = 1 << 25;  // 128 MB when full, and up to as much for the index
constexpr uint32_t kRingSamples = 1 << 14;

// Half of the memory is the index, when full.
uint32_t tree_words(const options::Options& options) {
  constexpr int64_t kBytesAWord = 8;
  auto limit = options.memory_limit.value_or(kBytesAWord * kMaxTreeWords) / kBytesAWord;
  return static_cast<uint32_t>(std::min<int64_t>(limit, kMaxTreeWords));
}

capture::NativeStyle native_style(options::StackStyle style) {
  if (style == options::StackStyle::kNoNatives) return capture::NativeStyle::kNone;
  return style == options::StackStyle::kFramePointer ? capture::NativeStyle::kFramePointer
                                                     : capture::NativeStyle::kDwarf;
}

capture::JavaStyle java_style(options::StackStyle style, const capture::VmLayout& vm) {
  if (style == options::StackStyle::kAsyncGetCallTrace || !vm.can_be_walked())
    return capture::JavaStyle::kAsyncGetCallTrace;
  return style == options::StackStyle::kCompare ? capture::JavaStyle::kCompare : capture::JavaStyle::kVm;
}

bool shows_natives_between(options::StackStyle style) {
  using options::StackStyle;
  return style == StackStyle::kVmWithNatives || style == StackStyle::kDwarf || style == StackStyle::kFramePointer;
}

// The code of the agent's file. Threads of the program run it in callbacks of the JVM and in Unsafe.park.
capture::CodeRange own_code() {
  return symbols::code_around(reinterpret_cast<uintptr_t>(&own_code));
}

}  // namespace

CaptureState::CaptureState(const vm::Vm& vm, const options::Options& options)
    : tree(tree_words(options)), ring(kRingSamples), recorder(&plan, &tree, &ring) {
  plan.vm = vm.layout;
  plan.access = vm.access;
  plan.native_style = native_style(options.stacks);
  plan.natives_between = shows_natives_between(options.stacks);
  plan.java_style = java_style(options.stacks, vm.layout);
  plan.java_depth = std::min(options.java_depth, capture::kMaxJavaDepth);
  plan.java_kept = std::min(options.java_kept, plan.java_depth);
  if (!options.show_profiler) plan.hidden = own_code();
  plan.pc_frames = options.pc_addresses;
  plan.receivers = options.receivers;
  plan.distinguishes_virtual_threads = options.threads;
  plan.compilations = options.compilations;
}

void CaptureState::require_memory() const {
  if (!tree.ok() || !ring.ok() || !registry.ok() || !recorder.ok())
    throw Error("there is no memory for a session", "raise the limit on address space (ulimit -v) or overcommit");
}

void CaptureState::refresh_libraries(vm::Vm* vm) {
  ForeignAgent::instance().refresh();
  std::lock_guard<std::mutex> lock(vm->modules_mutex);
  // Clears the cache again on the run after a change: a handler that began with the previous map may have added one of
  // its rules.
  if (rules_are_mixed_) plan.rules.clear();
  rules_are_mixed_ = false;
  vm->modules.refresh();
  const capture::NativeMap* map = vm->modules.map();  // a new object after any change, whoever noticed it
  if (map == plan.natives.load(std::memory_order_relaxed)) return;
  plan.natives.store(map, std::memory_order_release);
  plan.rules.clear();
  rules_are_mixed_ = true;
}

}  // namespace hearth::session
