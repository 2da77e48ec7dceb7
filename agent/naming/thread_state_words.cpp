#include "naming/thread_state_words.h"

#include "profile/formats/frame_text.h"

namespace hearth::naming {
namespace {

using events::ThreadState;

struct Cause {
  std::string_view part;  // of a frame's name as the JVM or the linker spells it
  std::string_view word;
};

constexpr Cause kJavaCauses[] = {
    {"jdk/internal/misc/Unsafe.park(", "parked"},
    {"sun/misc/Unsafe.park(", "parked"},
    {"java/lang/Thread.sleep", "sleeping"},
    {"java/lang/Object.wait", "waiting"},
};
constexpr Cause kNativeCauses[] = {
    {"SafepointSynchronize::block", "safepoint"}, {"SafepointMechanism::", "safepoint"},
    {"ObjectMonitor::enter", "monitor"},          {"ObjectMonitor::EnterI", "monitor"},
    {"ObjectMonitor::ReenterI", "monitor"},       {"ObjectMonitor::wait", "waiting"},
};

template <size_t kCount>
std::string_view word_of(const Cause (&causes)[kCount], std::string_view name) {
  for (const Cause& cause : causes) {
    if (name.find(cause.part) != std::string_view::npos) return cause.word;
  }
  return "";
}

// Searches from the innermost frame for one that explains the wait, up to the innermost Java frame.
std::string_view cause_of_waiting(const profile::Profile& profile, profile::NodeId stack) {
  for (profile::NodeId node = stack; node != 0; node = profile.nodes()[node].parent) {
    const profile::Function& function = profile.functions()[profile.function_of(node)];
    if (profile::is_java(function.kind)) return word_of(kJavaCauses, profile.text(function.system_name));
    std::string_view word = word_of(kNativeCauses, profile.text(function.name));
    if (!word.empty()) return word;
  }
  return "";
}

}  // namespace

std::string_view thread_state_word(ThreadState state, const profile::Profile& profile, profile::NodeId stack) {
  switch (state) {
    case ThreadState::kNone:
      return "";
    case ThreadState::kRunning:
      return "running";
    case ThreadState::kRunnable:
      return "runnable";
    case ThreadState::kMonitor:
      return "monitor";
    case ThreadState::kWaiting:
      return "waiting";
    case ThreadState::kFutex: {
      std::string_view cause = cause_of_waiting(profile, stack);
      return cause.empty() ? "waiting" : cause;
    }
    case ThreadState::kBarrier:
      return "safepoint";
    case ThreadState::kSleeping:
      return "sleeping";
    case ThreadState::kSocket:
      return "socket";
    case ThreadState::kFile:
      return "file";
    case ThreadState::kSyscall:
      break;
  }
  return "syscall";
}

}  // namespace hearth::naming
