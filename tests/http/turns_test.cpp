#include "http/turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "http/message.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;
using Turn = Turns::Turn;

TEST(Turns, SoManyAtOneTimeAndTheOthersAfterThem) {
  Turns turns(2, 8, 1h);
  Interruption interruption;
  std::atomic<int> inside{0}, most{0}, done{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; round++) {
        Turn turn(&turns, &interruption);
        int now = ++inside;
        for (int known = most; known < now && !most.compare_exchange_weak(known, now);) continue;
        std::this_thread::yield();
        inside--;
        done++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 400);
  EXPECT_LE(most, 2);
}

TEST(Turns, WhoCannotWaitIsToldWhenToComeBack) {
  Turns none_waits(1, 0, 1h), some_wait(1, 1, 0s);
  Interruption interruption;
  for (Turns* turns : {&none_waits, &some_wait}) {
    Turn first(turns, &interruption);
    try {
      Turn second(turns, &interruption);
      ADD_FAILURE() << "two at one time";
    } catch (const Refusal& refusal) {
      EXPECT_EQ(refusal.code, "busy");
      ASSERT_EQ(refusal.headers.size(), 1u);
      EXPECT_EQ(refusal.headers[0].first, "Retry-After");
    }
  }
  Turn again(&none_waits, &interruption);
}

TEST(Turns, WhoHasAPlaceWaitsToTheEnd) {
  Turns turns(1, 0, 0s);
  Interruption interruption;
  std::atomic<bool> has_waited{false};
  std::thread waits;
  {
    Turn first(&turns, &interruption);
    waits = std::thread([&] {
      Turn second(&turns, &interruption, Turns::Wait::kToTheEnd);
      has_waited = true;
    });
    std::this_thread::yield();
    EXPECT_FALSE(has_waited);
  }
  waits.join();
  EXPECT_TRUE(has_waited);
}

TEST(Turns, NobodyWaitsForWhoHasGone) {
  Turns turns(1, 1, 1h);
  Interruption stays, gone;
  Turn first(&turns, &stays);
  gone.raise();
  EXPECT_THROW(Turn(&turns, &gone, Turns::Wait::kToTheEnd), Refusal);
  EXPECT_THROW(Turn(&turns, &gone), Refusal);
}

}  // namespace
}  // namespace hearth::http
