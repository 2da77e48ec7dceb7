#include "events/window_breakpoints.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>

#include "base/error.h"
#include "capture/recorder.h"
#include "capture/sample_window.h"
#include "events/handlers/current_tid.h"

// Functions that begin as compilers begin them; each returns its argument and one.
#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
window_opener:
  pushq %rbp
  movq %rsp, %rbp
  leaq 1(%rdi), %rax
  popq %rbp
  ret
  .p2align 4
window_closer:
  endbr64
  leaq 1(%rdi), %rax
  ret
  .p2align 4
window_other:
  subq $24, %rsp
  leaq 1(%rdi), %rax
  addq $24, %rsp
  ret
  .p2align 4
window_unusual:
  lock incl -4(%rsp)
  leaq 1(%rdi), %rax
  ret
)");
constexpr char kUnusualCode[] = "f0 ff 44 24";
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 4
window_opener:
  stp x29, x30, [sp, #-16]!
  mov x29, sp
  add x0, x0, #1
  ldp x29, x30, [sp], #16
  ret
  .p2align 4
window_closer:
  bti c
  add x0, x0, #1
  ret
  .p2align 4
window_other:
  sub sp, sp, #32
  add x0, x0, #1
  add sp, sp, #32
  ret
  .p2align 4
window_unusual:
  add x0, x0, #1
  ret
)");
constexpr char kUnusualCode[] = "00 04 00 91";
#endif
extern "C" {
long window_opener(long);
long window_closer(long);
long window_other(long);
long window_unusual(long);
}

namespace hearth::events {
namespace {

using Function = long (*)(long);
using Place = WindowBreakpoints::Place;
using capture::Outside;

Place place(Function function, const char* name) {
  return {reinterpret_cast<uintptr_t>(function), name};
}

// Not called directly: the compiler must not know the target.
capture::BreakpointCode first_code(Function function) {
  return *reinterpret_cast<const volatile capture::BreakpointCode*>(reinterpret_cast<uintptr_t>(function));
}

void meet_foreign_breakpoint() {
#if defined(__x86_64__)
  __asm__ volatile("int3");
#elif defined(__aarch64__)
  __asm__ volatile("brk #0");
#endif
}

const Place kOpener = place(window_opener, "opener");
const Place kCloser = place(window_closer, "closer");

TEST(WindowBreakpoints, OpenAndCloseAndLeaveTheCodeAsItWas) {
  capture::BreakpointCode opener = first_code(window_opener);
  capture::BreakpointCode closer = first_code(window_closer);
  uint64_t openings = capture::window_openings();
  WindowBreakpoints breakpoints;
  breakpoints.start({kOpener}, {kCloser}, Outside::kLeftOut);
  EXPECT_EQ(first_code(window_opener), capture::kBreakpoint);
  EXPECT_FALSE(capture::window_is_open());
  EXPECT_EQ(window_opener(41), 42);
  EXPECT_TRUE(capture::window_is_open());
  EXPECT_EQ(window_opener(1), 2);
  EXPECT_EQ(window_closer(41), 42);
  EXPECT_FALSE(capture::window_is_open());
  EXPECT_EQ(capture::window_openings(), openings + 1);
  breakpoints.stop();
  EXPECT_EQ(first_code(window_opener), opener);
  EXPECT_EQ(first_code(window_closer), closer);
  EXPECT_TRUE(capture::window_is_open());
  EXPECT_EQ(window_opener(41), 42);
}

TEST(WindowBreakpoints, WithoutABeginItIsOpenAtFirst) {
  WindowBreakpoints breakpoints;
  breakpoints.start({}, {kCloser}, Outside::kLeftOut);
  EXPECT_TRUE(capture::window_is_open());
  window_closer(1);
  EXPECT_FALSE(capture::window_is_open());
}

TEST(WindowBreakpoints, ClosedWindowsAreKept) {
  uint64_t before = capture::closed_windows();
  WindowBreakpoints breakpoints;
  breakpoints.start({kOpener}, {kCloser}, Outside::kLeftOut);
  auto first_ns = static_cast<int64_t>(capture::now_ns());
  window_closer(1);  // none is open
  window_opener(1);
  window_opener(1);
  window_closer(1);
  window_closer(1);
  EXPECT_EQ(capture::closed_windows(), before + 1);
  capture::Window window{};
  ASSERT_TRUE(capture::read_window(before + 1, &window));
  EXPECT_GE(window.began_ns, first_ns);
  EXPECT_GT(window.ended_ns, window.began_ns);
  EXPECT_EQ(window.tid, current_tid());
  EXPECT_FALSE(capture::read_window(before + 2, &window));
  window_opener(1);
  breakpoints.stop();
  EXPECT_EQ(capture::closed_windows(), before + 2) << "the session's end closes the last one";
  breakpoints.stop();
  EXPECT_EQ(capture::closed_windows(), before + 2);
}

TEST(WindowBreakpoints, OutsideOfThemSamplesMayBeRecorded) {
  uint64_t before = capture::closed_windows();
  WindowBreakpoints breakpoints;
  breakpoints.start({kOpener}, {kCloser}, Outside::kRecorded);
  EXPECT_TRUE(capture::window_is_open());
  window_opener(1);
  window_closer(1);
  EXPECT_TRUE(capture::window_is_open());
  EXPECT_EQ(capture::closed_windows(), before + 1);
}

TEST(WindowBreakpoints, SeveralPlacesOpen) {
  WindowBreakpoints breakpoints;
  breakpoints.start({kOpener, place(window_other, "other")}, {kCloser}, Outside::kLeftOut);
  EXPECT_EQ(window_other(6), 7);
  EXPECT_TRUE(capture::window_is_open());
}

TEST(WindowBreakpoints, ARefusedStartChangesNothing) {
  capture::BreakpointCode opener = first_code(window_opener);
  WindowBreakpoints breakpoints;
  std::string refusal = "accepted";
  try {
    breakpoints.start({kOpener}, {place(window_unusual, "unusual")}, Outside::kLeftOut);
  } catch (const Error& error) {
    refusal = error.what();
  }
  std::string expected = "a breakpoint on unusual is not possible: its first instruction (" + std::string(kUnusualCode);
  EXPECT_EQ(refusal.substr(0, expected.size()), expected);
  EXPECT_EQ(first_code(window_opener), opener);
  EXPECT_TRUE(capture::window_is_open());
}

TEST(WindowBreakpoints, ManyThreadsMeetThemWhileTheyChange) {
  std::atomic<bool> ends{false};
  std::atomic<long> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++) {
    threads.emplace_back([&] {
      for (long n = 0; !ends; n++) {
        if (window_opener(n) != n + 1 || window_closer(n) != n + 1 || window_other(n) != n + 1) wrong++;
      }
    });
  }
  for (int cycle = 0; cycle < 200; cycle++) {
    WindowBreakpoints breakpoints;
    breakpoints.start({kOpener, place(window_other, "other")}, {kCloser}, Outside::kLeftOut);
    std::this_thread::yield();
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(WindowBreakpoints, OtherTrapsGoToThePreviousHandler) {
  // In a process of its own: the handler stays for the life of the process, and this one has it already.
  auto trapped = [] {
    struct sigaction theirs {};
    theirs.sa_handler = [](int) { _exit(17); };
    sigaction(SIGTRAP, &theirs, nullptr);
    WindowBreakpoints breakpoints;
    breakpoints.start({kOpener}, {kCloser}, Outside::kLeftOut);
    if (window_opener(1) != 2) _exit(1);
    meet_foreign_breakpoint();
    _exit(2);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(trapped(), testing::ExitedWithCode(17), "");
  auto ended = [] {
    WindowBreakpoints breakpoints;
    breakpoints.start({kOpener}, {kCloser}, Outside::kLeftOut);
    meet_foreign_breakpoint();
  };
  EXPECT_EXIT(ended(), testing::KilledBySignal(SIGTRAP), "");
}

TEST(WindowBreakpoints, ACoveredHandlerIsNotReliedOn) {
  auto covered = [] {
    {
      WindowBreakpoints first;
      first.start({kOpener}, {kCloser}, Outside::kLeftOut);
    }
    signal(SIGTRAP, [](int) {});
    WindowBreakpoints second;
    try {
      second.start({kOpener}, {kCloser}, Outside::kLeftOut);
    } catch (const Error&) {
      _exit(17);
    }
    _exit(1);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(covered(), testing::ExitedWithCode(17), "");
}

}  // namespace
}  // namespace hearth::events
