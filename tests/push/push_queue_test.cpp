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

TEST_F(PushQueueTest, BeginsWithWhatIsWrittenFromNowOn) {
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

TEST_F(PushQueueTest, SendsWhatWasWrittenAfterTheClockWasSetBackOnce) {
  PushQueue queue(store_);
  for (int64_t minute : {1, 5, 6}) write(cpu_window(minute));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{1, 5, 6}));
  EXPECT_EQ(queue.last_begin_ns(), kBegin + 6 * kMinute);
  queue.add_late(write(cpu_window(3)));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{3}));
  write(cpu_window(7));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{7}));
}

TEST_F(PushQueueTest, SendsALateOneThatHasItsTurnYetOnce) {
  PushQueue queue(store_);
  write(cpu_window(5));
  EXPECT_TRUE(queue.next());
  queue.add_late(write(cpu_window(3)));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{3, 5}));
}

TEST_F(PushQueueTest, BeginsAnewWhereItsFileIsNotOfItsMaking) {
  write(cpu_window(1));
  replace_file(store_ + "/pushed", "zzz\n");
  PushQueue queue(store_);
  write(cpu_window(2));
  EXPECT_EQ(drain(&queue), (std::vector<int64_t>{2}));
}

}  // namespace
}  // namespace hearth::push
