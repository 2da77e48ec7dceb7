#include "naming/thread_state_words.h"

#include <gtest/gtest.h>

#include "page.h"
#include "profile/formats/frame_text.h"

namespace hearth::naming {
namespace {

using events::ThreadState;
using profile::FrameKind;
using profile::NodeId;
using profile::Profile;

// Under a Java caller, outermost first; names as the JVM and the linker spell them.
NodeId stack(Profile* profile, std::initializer_list<std::pair<const char*, FrameKind>> frames) {
  NodeId node = profile->child(0, profile->location(profile->function("app/Main.main", FrameKind::kJit), 0));
  for (const auto& [name, kind] : frames) {
    profile::Function function = {profile->string("shown otherwise"), profile->string(name), 0, kind};
    if (!profile::is_java(kind)) function.name = function.system_name;
    node = profile->child(node, profile->location(profile->function(function), 0));
  }
  return node;
}

TEST(ThreadStateWords, TheStackExplainsAFutex) {
  Profile profile;
  auto word = [&](std::initializer_list<std::pair<const char*, FrameKind>> frames) {
    return thread_state_word(ThreadState::kFutex, profile, stack(&profile, frames));
  };
  std::pair<const char*, FrameKind> futex = {"pthread_cond_wait", FrameKind::kNative};
  EXPECT_EQ(word({{"jdk/internal/misc/Unsafe.park(ZJ)V", FrameKind::kJit}, futex}), "parked");
  EXPECT_EQ(word({{"sun/misc/Unsafe.park(ZJ)V", FrameKind::kJit}, futex}), "parked");
  EXPECT_EQ(word({{"java/lang/Thread.sleep(J)V", FrameKind::kJit}, futex}), "sleeping");
  EXPECT_EQ(word({{"java/lang/Thread.sleepNanos0(J)V", FrameKind::kJit}, futex}), "sleeping");
  EXPECT_EQ(word({{"java/lang/Object.wait0(J)V", FrameKind::kJit}, futex}), "waiting");
  EXPECT_EQ(word({{"app/Main.work()V", FrameKind::kJit}, {"SafepointSynchronize::block", FrameKind::kCpp}, futex}),
            "safepoint");
  EXPECT_EQ(word({{"app/Main.work()V", FrameKind::kJit}, {"ObjectMonitor::enter", FrameKind::kCpp}, futex}), "monitor");
  EXPECT_EQ(word({{"java/lang/Object.wait(J)V", FrameKind::kJit},
                  {"ObjectMonitor::wait", FrameKind::kCpp},
                  {"ObjectMonitor::ReenterI", FrameKind::kCpp},
                  futex}),
            "monitor");
  EXPECT_EQ(word({futex}), "waiting");
  // Callers of the innermost Java method do not explain its wait.
  EXPECT_EQ(word({{"java/lang/Thread.sleep(J)V", FrameKind::kJit}, {"app/Main.work()V", FrameKind::kJit}, futex}),
            "waiting");
}

TEST(ThreadStateWords, ThePageExplainsEachOfThem) {
  Profile profile;
  for (ThreadState state : {ThreadState::kRunnable, ThreadState::kMonitor, ThreadState::kWaiting, ThreadState::kFutex,
                            ThreadState::kBarrier, ThreadState::kSleeping, ThreadState::kSocket, ThreadState::kFile,
                            ThreadState::kSyscall}) {
    std::string frame = "[" + std::string(thread_state_word(state, profile, 0)) + "]";
    EXPECT_NE(html::flame_graph_page().find(frame), std::string_view::npos) << frame;
  }
  EXPECT_EQ(thread_state_word(ThreadState::kNone, profile, 0), "");
}

}  // namespace
}  // namespace hearth::naming
