#include "events/thread_registry.h"

#include <gtest/gtest.h>

namespace hearth::events {
namespace {

TEST(ThreadRegistry, GivesNothingOfAThreadToTheNextInItsSlot) {
  ThreadRegistry registry;
  ASSERT_TRUE(registry.ok());
  capture::ThreadSlot* slot = registry.add(100);
  ASSERT_NE(slot, nullptr);
  uint32_t serial = slot->serial;
  slot->fd = 7;
  slot->last_count = 1'000'000;
  slot->rests_until = 2'000'000;
  slot->in_first_period = false;
  slot->left_out = true;
  if (slot->memory != nullptr) slot->memory->mark_count = 3;
  registry.remove(slot);

  ASSERT_EQ(registry.add(200), slot);
  EXPECT_NE(slot->serial, serial);
  EXPECT_EQ(slot->tid, 200);
  EXPECT_EQ(slot->fd, -1);
  EXPECT_EQ(slot->last_count, 0);
  EXPECT_EQ(slot->rests_until, 0);
  EXPECT_TRUE(slot->in_first_period);
  EXPECT_FALSE(slot->left_out);
  if (slot->memory != nullptr) EXPECT_EQ(slot->memory->mark_count, 0);
}

}  // namespace
}  // namespace hearth::events
