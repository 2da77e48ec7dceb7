#include "events/handlers/published.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace hearth::events {
namespace {

struct Numbered {
  uint64_t number = 0;
};

TEST(Published, TheFirstDoesNotWaitForHandlersThatSawNone) {
  Published<Numbered> published;
  Numbered numbered;
  Published<Numbered>::Entry early(&published);
  published.publish(&numbered);
  EXPECT_EQ(early.sampling(), nullptr);
  Published<Numbered>::Entry late(&published);
  EXPECT_EQ(late.sampling(), &numbered);
  EXPECT_EQ(numbered.number, 1u);
}

TEST(Published, TheEndWaitsForWhoWorksOnIt) {
  Published<Numbered> published;
  Numbered numbered;
  published.publish(&numbered);
  std::atomic<bool> works{false};
  std::atomic<bool> ends{false};
  std::thread handler([&] {
    Published<Numbered>::Entry entry(&published);
    EXPECT_EQ(entry.sampling(), &numbered);
    works = true;
    while (published.publishes(&numbered)) std::this_thread::yield();
    ends = true;
  });
  while (!works) std::this_thread::yield();
  published.publish(nullptr);
  EXPECT_TRUE(ends);
  handler.join();
  EXPECT_EQ(Published<Numbered>::Entry(&published).sampling(), nullptr);
}

}  // namespace
}  // namespace hearth::events
