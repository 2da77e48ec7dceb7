#include "events/handlers/lock_wait.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

namespace hearth::events {
namespace {

using capture::LockWait;
using Words = std::array<uintptr_t, 8>;

template <typename T>
uintptr_t address(const T& one) {
  return reinterpret_cast<uintptr_t>(&one);
}

constexpr uintptr_t word(size_t index) {
  return index * sizeof(uintptr_t);
}

// A JVM's structures, of words: the offsets of the layout are numbers of words.
class LockWaitTest : public testing::Test {
 protected:
  LockWaitTest() {
    layout.classes = {true, false, false, 0, word(1), 0, 0};
    layout.references.known = true;
    capture::LockHolderLayout& locks = layout.lock_holders;
    locks.has_monitors = true;
    locks.pending = word(1);
    locks.owner = word(2);
    locks.object = word(3);
    locks.object_is_handle = true;
    locks.stack_base = static_cast<int>(word(2));
    locks.stack_size = static_cast<int>(word(3));
    locks.lock_stack_top = static_cast<int>(word(4));
    locks.lock_stack = word(5);
    object[1] = kClass;
    handle = address(object);
    monitor[3] = address(handle);
  }

  LockWait wait_for_monitor(uintptr_t owner) {
    waiter[1] = address(monitor);
    monitor[2] = owner;
    return lock_wait_of(layout, address(waiter));
  }

  static constexpr uintptr_t kClass = 0x7000;
  capture::VmLayout layout;
  Words waiter{}, holder{}, monitor{}, object{};
  uintptr_t handle = 0;
};

TEST_F(LockWaitTest, AThreadThatWaitsForNothingHasNoLock) {
  EXPECT_FALSE(lock_wait_of(layout, address(waiter)).is_wait());
  EXPECT_FALSE(lock_wait_of(layout, 0).is_wait());
}

TEST_F(LockWaitTest, AMonitorHasItsThreadAsOwner) {
  LockWait lock = wait_for_monitor(address(holder));
  EXPECT_TRUE(lock.is_wait() && lock.is_monitor);
  EXPECT_EQ(lock.lock_class, kClass);
  EXPECT_TRUE(is_owner(layout, lock, address(holder)));
  EXPECT_FALSE(is_owner(layout, lock, address(waiter)));
}

TEST_F(LockWaitTest, AnAddressInAStackIsThatOfItsThread) {
  holder[2] = 0x9000;
  holder[3] = 0x1000;
  EXPECT_TRUE(is_owner(layout, wait_for_monitor(0x8800), address(holder)));
  EXPECT_FALSE(is_owner(layout, wait_for_monitor(0x9000), address(holder)));
  EXPECT_FALSE(is_owner(layout, wait_for_monitor(0x7000), address(holder)));
}

TEST_F(LockWaitTest, AMonitorThatWasJustReleasedHasNoOwner) {
  LockWait lock = wait_for_monitor(0);
  EXPECT_TRUE(lock.is_wait());
  EXPECT_FALSE(is_owner(layout, lock, address(holder)));
}

TEST_F(LockWaitTest, OwnersAreNumbersWhereThreadsHaveThem) {
  layout.lock_holders.owner_id = static_cast<int>(word(7));
  holder[7] = 42;
  EXPECT_TRUE(is_owner(layout, wait_for_monitor(42), address(holder)));
  EXPECT_FALSE(is_owner(layout, wait_for_monitor(43), address(holder)));
}

TEST_F(LockWaitTest, AnAnonymousOwnerHasTheObjectOnItsLockStack) {
  holder[5] = 0x1230;
  holder[6] = address(object);
  LockWait lock = wait_for_monitor(1);
  holder[4] = word(7);
  EXPECT_TRUE(is_owner(layout, lock, address(holder)));
  holder[4] = word(6);
  EXPECT_FALSE(is_owner(layout, lock, address(holder)));
}

TEST_F(LockWaitTest, ASynchronizerHasAnOwnerIfItsClassDoes) {
  capture::LockHolderLayout& locks = layout.lock_holders;
  Words thread{}, blocker{}, owner{}, lock_class{};
  locks.has_owners = true;
  locks.thread_object = word(6);
  locks.park_blocker = word(2);
  locks.exclusive_owner = word(3);
  locks.java_thread = word(4);
  locks.super = word(5);
  locks.ownable = 0x5000;
  waiter[6] = address(thread);
  thread[2] = address(blocker);
  blocker[1] = address(lock_class);
  blocker[3] = address(owner);
  owner[4] = address(holder);
  EXPECT_FALSE(lock_wait_of(layout, address(waiter)).is_wait());
  lock_class[5] = locks.ownable;
  LockWait lock = lock_wait_of(layout, address(waiter));
  EXPECT_TRUE(lock.is_wait());
  EXPECT_FALSE(lock.is_monitor);
  EXPECT_EQ(lock.lock_class, address(lock_class));
  EXPECT_TRUE(is_owner(layout, lock, address(holder)));
  blocker[3] = 0;
  EXPECT_FALSE(lock_wait_of(layout, address(waiter)).is_wait());
}

}  // namespace
}  // namespace hearth::events
