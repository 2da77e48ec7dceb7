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

}  // namespace

bool WaitCause::look_at(const profile::Profile& profile, const profile::Function& function) {
  bool is_java = profile::is_java(function.kind);
  if (is_known_) return true;
  word_ = is_java ? word_of(kJavaCauses, profile.text(function.system_name))
                  : word_of(kNativeCauses, profile.text(function.name));
  is_known_ = is_java || !word_.empty();
  return is_known_;
}

std::string_view thread_state_word(ThreadState state, const profile::Profile& profile, profile::NodeId stack) {
  WaitCause cause;
  if (state == ThreadState::kFutex) {
    profile::NodeId node = stack;
    while (node != 0 && !cause.look_at(profile, profile.functions()[profile.function_of(node)]))
      node = profile.nodes()[node].parent;
  }
  return thread_state_word(state, cause);
}

std::string_view thread_state_word(ThreadState state, const WaitCause& cause) {
  switch (state) {
    case ThreadState::kNone:
      return "";
    case ThreadState::kRunning:
      return "running";
    case ThreadState::kStolen:
      return "stolen";
    case ThreadState::kRunnable:
      return "runnable";
    case ThreadState::kThrottled:
      return "throttled";
    case ThreadState::kMonitor:
      return "monitor";
    case ThreadState::kWaiting:
      return "waiting";
    case ThreadState::kFutex:
      return cause.word().empty() ? "waiting" : cause.word();
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
