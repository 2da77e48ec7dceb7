#include "events/window_breakpoints.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "capture/sample_window.h"

// Functions that begin as compilers begin them; each returns its argument and one.
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

Place place(Function function, const char* name) {
  return {reinterpret_cast<uintptr_t>(function), name};
}

// Not called directly: the compiler must not know the target.
uint8_t first_byte(Function function) {
  const volatile uint8_t* code = reinterpret_cast<const volatile uint8_t*>(reinterpret_cast<uintptr_t>(function));
  return *code;
}

const Place kOpener = place(window_opener, "opener");
const Place kCloser = place(window_closer, "closer");

TEST(WindowBreakpoints, OpenAndCloseAndLeaveTheCodeAsItWas) {
  uint8_t opener = first_byte(window_opener);
  uint64_t openings = capture::window_openings();
  WindowBreakpoints breakpoints;
  breakpoints.start({kOpener}, {kCloser});
  EXPECT_EQ(first_byte(window_opener), 0xcc);
  EXPECT_FALSE(capture::window_is_open());
  EXPECT_EQ(window_opener(41), 42);
  EXPECT_TRUE(capture::window_is_open());
  EXPECT_EQ(window_opener(1), 2);
  EXPECT_EQ(window_closer(41), 42);
  EXPECT_FALSE(capture::window_is_open());
  EXPECT_EQ(capture::window_openings(), openings + 1);
  breakpoints.stop();
  EXPECT_EQ(first_byte(window_opener), opener);
  EXPECT_EQ(first_byte(window_closer), 0xf3);
  EXPECT_TRUE(capture::window_is_open());
  EXPECT_EQ(window_opener(41), 42);
}

TEST(WindowBreakpoints, WithoutABeginItIsOpenAtFirst) {
  WindowBreakpoints breakpoints;
  breakpoints.start({}, {kCloser});
  EXPECT_TRUE(capture::window_is_open());
  window_closer(1);
  EXPECT_FALSE(capture::window_is_open());
}

TEST(WindowBreakpoints, SeveralPlacesOpen) {
  WindowBreakpoints breakpoints;
  breakpoints.start({kOpener, place(window_other, "other")}, {kCloser});
  EXPECT_EQ(window_other(6), 7);
  EXPECT_TRUE(capture::window_is_open());
}

TEST(WindowBreakpoints, ARefusedStartChangesNothing) {
  uint8_t opener = first_byte(window_opener);
  WindowBreakpoints breakpoints;
  try {
    breakpoints.start({kOpener}, {place(window_unusual, "unusual")});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::strstr(error.what(), "a breakpoint on unusual is not possible: its first instruction (f0 ff 44 24"),
              nullptr)
        << error.what();
  }
  EXPECT_EQ(first_byte(window_opener), opener);
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
    breakpoints.start({kOpener, place(window_other, "other")}, {kCloser});
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
    breakpoints.start({kOpener}, {kCloser});
    if (window_opener(1) != 2) _exit(1);
    __asm__ volatile("int3");
    _exit(2);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(trapped(), testing::ExitedWithCode(17), "");
  auto ended = [] {
    WindowBreakpoints breakpoints;
    breakpoints.start({kOpener}, {kCloser});
    __asm__ volatile("int3");
  };
  EXPECT_EXIT(ended(), testing::KilledBySignal(SIGTRAP), "");
}

TEST(WindowBreakpoints, ACoveredHandlerIsNotReliedOn) {
  auto covered = [] {
    {
      WindowBreakpoints first;
      first.start({kOpener}, {kCloser});
    }
    signal(SIGTRAP, [](int) {});
    WindowBreakpoints second;
    try {
      second.start({kOpener}, {kCloser});
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
