#include "events/threads/task_files.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "events/handlers/current_tid.h"
#include "wait_until.h"

namespace hearth::events {
namespace {

TEST(TaskFiles, ParsesTheKernelsFormat) {
  TaskFiles::SyscallState blocked =
      parse_syscall_file("202 0x7f10 0x189 0x0 0x0 0x0 0xffffffff 0x7ffe489fc6c8 0x7f77340112ad\n");
  EXPECT_TRUE(blocked.known && blocked.blocked);
  EXPECT_EQ(blocked.number, 202);
  EXPECT_EQ(blocked.argument, 0x7f10u);
  EXPECT_EQ(blocked.sp, 0x7ffe489fc6c8u);

  TaskFiles::SyscallState fault = parse_syscall_file("-1 0x7ffe489fc6c8 0x7f77340112ad\n");
  EXPECT_TRUE(fault.known && fault.blocked);
  EXPECT_EQ(fault.number, -1);

  TaskFiles::SyscallState running = parse_syscall_file("running\n");
  EXPECT_TRUE(running.known);
  EXPECT_FALSE(running.blocked);
  EXPECT_EQ(running.number, -1);
}

TEST(TaskFiles, NonsenseIsNotKnown) {
  for (const char* text : {"", "\n", "202\n", "202 0x1 0x2\n", "walking"}) {
    EXPECT_FALSE(parse_syscall_file(text).known) << text;
    EXPECT_FALSE(parse_syscall_file(text).blocked) << text;
  }
}

TEST(TaskFiles, FindsTheBlockedSignalsAndThosePending) {
  TaskFiles::Signals found =
      parse_signals("Name:\tx\nSigPnd:\t0000000000000001\nSigBlk:\t0000000000000010\nSigIgn:\t1\n");
  EXPECT_EQ(found.blocked, 16u);
  EXPECT_EQ(found.pending, 1u);
  for (const char* text : {"", "SigBlk:\t10", "Name:\tx\nSigBlk:\t\n"}) {
    EXPECT_EQ(parse_signals(text).blocked, 0u) << text;
    EXPECT_EQ(parse_signals(text).pending, 0u) << text;
  }
}

TEST(TaskFiles, SeesAThreadInItsSystemCall) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  std::atomic<int> tid{0};
  std::thread reader([&] {
    tid = current_tid();
    char byte;
    EXPECT_EQ(read(pipe_ends[0], &byte, 1), 1);
  });
  TaskFiles files;
  TaskFiles::SyscallState state;
  wait_until("the thread's read()", [&] {
    state = files.syscall_state_of(tid);
    return state.blocked && state.number == SYS_read;
  });
  EXPECT_EQ(state.argument, static_cast<uintptr_t>(pipe_ends[0]));
  EXPECT_GT(state.sp, 0u);
  EXPECT_EQ(write(pipe_ends[1], "", 1), 1);
  reader.join();
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  EXPECT_FALSE(files.syscall_state_of(tid).known);
  EXPECT_EQ(files.run_delay_ns(tid), 0);
}

}  // namespace
}  // namespace hearth::events
