#include "http/server/concurrency_limit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "http/server/message.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;
using Permit = ConcurrencyLimit::Permit;

TEST(ConcurrencyLimit, SoManyAtOneTimeAndTheOthersAfterThem) {
  ConcurrencyLimit limit(2, 8, 1h);
  CancellationToken cancellation;
  std::atomic<int> inside{0}, most{0}, done{0};
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; round++) {
        Permit turn(&limit, &cancellation);
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

TEST(ConcurrencyLimit, ARefusalStatesWhenToTryAgain) {
  ConcurrencyLimit none_waits(1, 0, 1h), some_wait(1, 1, 0s);
  CancellationToken cancellation;
  for (ConcurrencyLimit* limit : {&none_waits, &some_wait}) {
    Permit first(limit, &cancellation);
    try {
      Permit second(limit, &cancellation);
      ADD_FAILURE() << "two at one time";
    } catch (const Refusal& refusal) {
      EXPECT_EQ(refusal.code, "busy");
      ASSERT_EQ(refusal.headers.size(), 1u);
      EXPECT_EQ(refusal.headers[0].first, "Retry-After");
    }
  }
  Permit again(&none_waits, &cancellation);
}

TEST(ConcurrencyLimit, AWaitUntilFreeHasNoTimeLimit) {
  ConcurrencyLimit limit(1, 0, 0s);
  CancellationToken cancellation;
  std::atomic<bool> has_waited{false};
  std::thread waits;
  {
    Permit first(&limit, &cancellation);
    waits = std::thread([&] {
      Permit second(&limit, &cancellation, ConcurrencyLimit::Wait::kUntilFree);
      has_waited = true;
    });
    std::this_thread::yield();
    EXPECT_FALSE(has_waited);
  }
  waits.join();
  EXPECT_TRUE(has_waited);
}

TEST(ConcurrencyLimit, ACancelledRequestDoesNotWait) {
  ConcurrencyLimit limit(1, 1, 1h);
  CancellationToken stays, gone;
  Permit first(&limit, &stays);
  gone.cancel();
  EXPECT_THROW(Permit(&limit, &gone, ConcurrencyLimit::Wait::kUntilFree), Refusal);
  EXPECT_THROW(Permit(&limit, &gone), Refusal);
}

}  // namespace
}  // namespace hearth::http
