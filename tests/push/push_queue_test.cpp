#include "push/push_queue.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "stored_windows.h"

namespace hearth::push {
namespace {

class PushQueueTest : public WithStore {
 protected:
  // In which minutes windows began that go next.
  std::vector<int64_t> drain(PushQueue* queue) {
    std::vector<int64_t> minutes;
    while (auto window = queue->next()) {
      minutes.push_back((window->begin_ns - kBegin) / kMinute);
      queue->is_done_with(*window);
    }
    return minutes;
  }
};

TEST_F(PushQueueTest, BeginsWithNewWindows) {
  write(cpu_window(1));
  PushQueue queue(store_);
  EXPECT_FALSE(queue.next());
  write(cpu_window(2));
  write(cpu_window(3));
  EXPECT_EQ(waiting_windows(store_), 2u);
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(waiting_windows(store_), 0u);
}

TEST_F(PushQueueTest, GoesOnWhereTheLastProcessEnded) {
  {
    PushQueue queue(store_);
    for (int64_t minute : {1, 2, 3}) write(cpu_window(minute));
    queue.is_done_with(*queue.next());
    queue.next();  // but it was killed
  }
  PushQueue queue(store_);
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{2, 3}));
}

TEST_F(PushQueueTest, SendsAllOfALongQueueOnce) {
  PushQueue queue(store_);
  for (int64_t minute = 0; minute < 250; minute++) write(cpu_window(minute));
  std::vector<int64_t> minutes = drain(&queue);
  ASSERT_EQ(minutes.size(), 250u);
  for (int64_t minute = 0; minute < 250; minute++) EXPECT_EQ(minutes[minute], minute);
}

TEST_F(PushQueueTest, SendsWindowsAfterTheClockWasSetBackOnce) {
  PushQueue queue(store_);
  for (int64_t minute : {1, 5, 6}) write(cpu_window(minute));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{1, 5, 6}));
  queue.add_late(write(cpu_window(3)));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{3}));
  write(cpu_window(7));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{7}));
}

TEST_F(PushQueueTest, SendsALateWindowThatIsStillQueuedOnce) {
  PushQueue queue(store_);
  write(cpu_window(5));
  EXPECT_TRUE(queue.next());
  queue.add_late(write(cpu_window(3)));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{3, 5}));
}

// Windows begin with the clock's minutes: those of an hour that comes again begin when others did that went.
TEST_F(PushQueueTest, SendsALateOneAndNotItsTwin) {
  PushQueue queue(store_);
  profile::Profile twin = cpu_window(3);
  twin.metadata.duration_ns -= kSecond;
  write(twin);
  write(cpu_window(4));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{3, 4}));
  std::string late = write(cpu_window(3));
  queue.add_late(late);
  ASSERT_TRUE(queue.next());
  EXPECT_EQ(queue.next()->name, late);
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{3}));
}

TEST_F(PushQueueTest, SkipsALateOneThatWasDropped) {
  PushQueue queue(store_);
  write(cpu_window(5));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{5}));
  queue.add_late(store::window_name(store::Level::kWindow, kBegin, kMinute, 1));
  queue.add_late("no window");
  EXPECT_FALSE(queue.next());
}

TEST_F(PushQueueTest, StartsOverWhereItsFileIsNotItsOwn) {
  write(cpu_window(1));
  replace_file(store_ + "/pushed", "zzz\n");
  PushQueue queue(store_);
  write(cpu_window(2));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{2}));
}

}  // namespace
}  // namespace hearth::push
