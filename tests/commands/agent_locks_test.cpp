#include "commands/agent_locks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

namespace hearth::commands {
namespace {

TEST(AgentLocks, WaitForACommandThatEnds) {
  vm::Vm vm;
  Log log;
  AgentLocks locks(&vm, &log);
  vm.ends = true;
  std::promise<void> is_locked;
  std::thread ends([&] {
    std::lock_guard<std::mutex> command(locks.commands());
    is_locked.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  is_locked.get_future().wait();
  EXPECT_TRUE(locks.lock_to_end(&locks.commands()).owns_lock());
  ends.join();
  EXPECT_TRUE(locks.lock_to_end(&locks.state()).owns_lock());
}

}  // namespace
}  // namespace hearth::commands
