#include "events/alloc/sample_points.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace hearth::events {
namespace {

struct ThreadsList {
  uint32_t length;
  const uintptr_t* threads;
};
struct ChainedThread {
  int64_t other;
  ChainedThread* next;
};

uintptr_t address_of(const void* place) {
  return reinterpret_cast<uintptr_t>(place);
}

std::vector<uintptr_t> listed_threads(const capture::ThreadListLayout& layout) {
  std::vector<uintptr_t> threads;
  auto keep = [](void* kept, uintptr_t thread) { static_cast<std::vector<uintptr_t>*>(kept)->push_back(thread); };
  visit_listed_threads(layout, keep, &threads);
  return threads;
}

TEST(ListedThreads, AreThoseOfTheArray) {
  uintptr_t threads[] = {0x1000, 0x2000, 0x3000};
  ThreadsList list = {3, threads};
  const ThreadsList* current = &list;
  capture::ThreadListLayout layout;
  EXPECT_TRUE(listed_threads(layout).empty());
  layout.known = true;
  layout.list = address_of(&current);
  layout.length = offsetof(ThreadsList, length);
  layout.threads = offsetof(ThreadsList, threads);
  EXPECT_EQ(listed_threads(layout), (std::vector<uintptr_t>{0x1000, 0x2000, 0x3000}));
  current = nullptr;
  EXPECT_TRUE(listed_threads(layout).empty());
}

TEST(ListedThreads, AreThoseOfTheChain) {
  ChainedThread last = {0, nullptr};
  ChainedThread first = {0, &last};
  const ChainedThread* current = &first;
  capture::ThreadListLayout layout;
  layout.known = true;
  layout.is_chain = true;
  layout.list = address_of(&current);
  layout.next = offsetof(ChainedThread, next);
  EXPECT_EQ(listed_threads(layout), (std::vector<uintptr_t>{address_of(&first), address_of(&last)}));
  current = nullptr;
  EXPECT_TRUE(listed_threads(layout).empty());
}

}  // namespace
}  // namespace hearth::events
