#include "events/threads/thread_registry.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace hearth::events {
namespace {

TEST(ThreadRegistry, ResetsAReusedSlot) {
  ThreadRegistry registry;
  ASSERT_TRUE(registry.ok());
  capture::ThreadSlot* slot = registry.add(100);
  ASSERT_NE(slot, nullptr);
  uint32_t serial = slot->serial;
  slot->last_count = 1'000'000;
  slot->throttled_until = 2'000'000;
  slot->sample_point_known = true;
  slot->left_out = true;
  if (slot->stack_cache != nullptr) slot->stack_cache->checkpoint_count = 3;
  registry.remove(slot);

  ASSERT_EQ(registry.add(200), slot);
  EXPECT_NE(slot->serial, serial);
  EXPECT_EQ(slot->tid, 200);
  EXPECT_EQ(slot->last_count, 0);
  EXPECT_EQ(slot->throttled_until, 0);
  EXPECT_FALSE(slot->sample_point_known);
  EXPECT_FALSE(slot->left_out);
  if (slot->stack_cache != nullptr) {
    EXPECT_EQ(slot->stack_cache->checkpoint_count, 0);
  }
}

// A pause of allocations: bytes that a thread allocates meanwhile belong to no sample.
TEST(ThreadRegistry, ForgetsAllocationMarks) {
  ThreadRegistry registry;
  capture::ThreadSlot* slot = registry.add(100);
  ASSERT_NE(slot, nullptr);
  slot->allocated.bytes = 1'000;
  slot->own_points.have_begun = true;
  slot->own_points.bytes = 1'000;
  slot->own_points.missed = 3;
  slot->sample_point_known = true;
  registry.forget_allocations();
  EXPECT_EQ(slot->allocated.bytes, 0);
  EXPECT_FALSE(slot->own_points.have_begun);
  EXPECT_EQ(slot->own_points.missed, 0);
  EXPECT_FALSE(slot->sample_point_known);
}

TEST(ThreadRegistry, AddTakesOverAdoptedSlots) {
  ThreadRegistry registry;
  capture::ThreadSlot* slot = registry.table()->adopt(17);
  ASSERT_NE(slot, nullptr);
  uint32_t serial = slot->serial;
  EXPECT_EQ(registry.adopted_tids(), std::vector<int>{17});
  EXPECT_EQ(registry.add(17), slot);
  EXPECT_EQ(slot->serial, serial);
  EXPECT_TRUE(registry.adopted_tids().empty());
  registry.set_name(17, "first");
  registry.remove(slot);
  EXPECT_EQ(registry.table()->seek(17), nullptr);
  registry.set_name(registry.add(17)->tid, "second");
  EXPECT_EQ(registry.threads()[serial].name, "first");
  EXPECT_EQ(registry.threads()[serial + 1].name, "second");
}

TEST(ThreadRegistry, AnAdoptedSlotTakenBackKeepsItsSerial) {
  ThreadRegistry registry;
  capture::ThreadSlot* slot = registry.table()->adopt(17);
  registry.set_name(17, "adopted");
  registry.take_back(registry.add(17));
  EXPECT_EQ(registry.table()->seek(17), slot);
  EXPECT_EQ(registry.find(17), nullptr);
  EXPECT_EQ(registry.threads()[slot->serial].name, "adopted");
  EXPECT_NE(registry.add(18)->serial, slot->serial);
  EXPECT_EQ(registry.adopted_tids(), std::vector<int>{17});
}

TEST(ThreadRegistry, ARetiredSlotIsFreeAndItsNameStays) {
  ThreadRegistry registry;
  uint32_t first = registry.table()->adopt(17)->serial;
  registry.set_name(17, "first");
  registry.retire(17);
  EXPECT_EQ(registry.table()->seek(17), nullptr);
  capture::ThreadSlot* slot = registry.table()->adopt(17);
  registry.set_name(17, "second");
  EXPECT_NE(slot->serial, first);
  EXPECT_EQ(registry.threads()[first].name, "first");
  EXPECT_EQ(registry.threads()[slot->serial].name, "second");
}

TEST(ThreadRegistry, SlotsDoNotRunOutOverThreadsThatAdoptAndEnd) {
  ThreadRegistry registry;
  for (uint32_t i = 0; i < 2 * ThreadRegistry::kMaxThreads; i++) {
    capture::ThreadSlot* slot = registry.table()->adopt(17);
    ASSERT_NE(slot, nullptr) << i;
    EXPECT_EQ(slot->allocated.bytes, 0);
    slot->allocated.bytes = 1000;
    if (i % 2 == 0) {
      registry.retire(17);
    } else {
      registry.remove(registry.add(17));
    }
  }
}

// Adopts slots in several threads, as handlers do.
TEST(ThreadRegistry, NoTwoThreadsAdoptOneSlot) {
  ThreadRegistry registry;
  constexpr int kThreads = 4;
  constexpr int kSlots = 2000;
  for (int tid = 1; tid <= kSlots; tid++) registry.table()->adopt(tid);
  for (int tid = 1; tid <= kSlots; tid++) registry.retire(tid);
  std::vector<std::vector<capture::ThreadSlot*>> taken(kThreads);
  std::vector<std::thread> threads;
  for (auto& slots : taken) {
    threads.emplace_back([&registry, &slots] {
      for (int tid = 1; tid <= kSlots / kThreads; tid++) slots.push_back(registry.table()->adopt(tid));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<capture::ThreadSlot*> all;
  for (const auto& slots : taken) all.insert(slots.begin(), slots.end());
  EXPECT_EQ(all.size(), size_t{kSlots});
  EXPECT_LT(*all.rbegin() - registry.slots(), kSlots) << "the free ones come first";
}

}  // namespace
}  // namespace hearth::events
