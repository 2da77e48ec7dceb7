#include "events/handlers/published.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "wait_until.h"

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

TEST(Published, UnpublishingWaitsForHandlers) {
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
  wait_until("the handler", [&] { return works.load(); });
  published.publish(nullptr);
  EXPECT_TRUE(ends);
  handler.join();
  EXPECT_EQ(Published<Numbered>::Entry(&published).sampling(), nullptr);
}

TEST(Published, BoundedUnpublishingWaitsForHandlers) {
  constexpr int kForEver = -1;
  Published<Numbered> published;
  Numbered numbered;
  published.publish(&numbered);
  std::atomic<bool> works{false};
  std::atomic<bool> ends{false};
  std::thread handler([&] {
    Published<Numbered>::Entry entry(&published);
    works = true;
    while (published.publishes(&numbered)) std::this_thread::yield();
    ends = true;
  });
  wait_until("the handler", [&] { return works.load(); });
  EXPECT_TRUE(published.unpublish(kForEver));
  EXPECT_TRUE(ends);
  handler.join();
}

TEST(Published, ASuspendedHandlerEndsTheWaitAfterItsBound) {
  Published<Numbered> left;
  Numbered before;
  left.publish(&before);
  Published<Numbered>::Entry held(&left);
  EXPECT_FALSE(left.unpublish(0));
  EXPECT_FALSE(left.publishes(&before)) << "it shall do nothing more";
  EXPECT_EQ(held.sampling(), &before) << "but may still look";
  EXPECT_EQ(Published<Numbered>::Entry(&left).sampling(), nullptr);

  Published<Numbered> next(left.published());
  Numbered after;
  next.publish(&after);
  EXPECT_EQ(after.number, before.number + 1) << "never the same again";
  EXPECT_EQ(Published<Numbered>::Entry(&next).sampling(), &after);
  EXPECT_TRUE(next.unpublish(0)) << "who is held elsewhere does not count";
}

TEST(Published, PublishingTheFirstWaitsForNone) {
  Published<Numbered> published;
  Published<Numbered>::Entry early(&published);
  EXPECT_TRUE(published.unpublish(0));
}

}  // namespace
}  // namespace hearth::events
