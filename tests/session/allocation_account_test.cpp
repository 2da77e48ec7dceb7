#include "session/counting/allocation_account.h"

#include <gtest/gtest.h>

#include "base/formatted.h"
#include "profile/model/quality.h"

namespace hearth::session {
namespace {

using Bytes = std::map<std::string, uint64_t>;

AllocationAccount::Lister listing(const std::vector<LivingThread>& living) {
  return [living] { return living; };
}

TEST(AllocationAccount, CountsFromTheBeginning) {
  options::ThreadFilter all;
  AllocationAccount account(&all);
  account.begin(listing({{1, "old", 1000}}));
  EXPECT_EQ(account.by_thread(listing({{1, "old", 1000}})), Bytes());
  EXPECT_EQ(account.by_thread(listing({{1, "old", 1400}, {2, "new", 50}})),
            (Bytes{{"old tid=1", 400}, {"new tid=2", 50}}));
}

TEST(AllocationAccount, CountsAThreadOnceThatEndedAfterItWasListed) {
  options::ThreadFilter all;
  AllocationAccount account(&all);
  account.begin(listing({{1, "old", 1000}}));
  account.thread_ended({1, "old", 1400});
  EXPECT_EQ(account.by_thread(listing({{1, "old", 1400}})), (Bytes{{"old tid=1", 400}}));
  account.end(listing({{1, "old", 1300}}));
  EXPECT_EQ(account.by_thread(listing({})), (Bytes{{"old tid=1", 400}}));
}

TEST(AllocationAccount, KnowsANewThreadByAnOldTid) {
  options::ThreadFilter all;
  AllocationAccount account(&all);
  account.begin(listing({{1, "old", 1000}, {2, "unseen", 1000}}));
  account.thread_ended({1, "old", 1400});
  account.thread_started(1);
  account.thread_started(2);
  EXPECT_EQ(account.by_thread(listing({{1, "new", 70}, {2, "newer", 80}})),
            (Bytes{{"old tid=1", 400}, {"new tid=1", 70}, {"newer tid=2", 80}}));
}

TEST(AllocationAccount, KeepsTheLargestOfTheEnded) {
  constexpr int kThreads = 10'000;
  options::ThreadFilter all;
  AllocationAccount account(&all);
  account.begin(listing({}));
  uint64_t sum = 0;
  for (int tid = 1; tid <= kThreads; tid++) {
    int64_t bytes = tid % 100 == 0 ? 1'000'000 + tid : tid;
    sum += static_cast<uint64_t>(bytes);
    account.thread_started(tid);
    account.thread_ended({tid, "worker", bytes});
  }
  Bytes bytes = account.by_thread(listing({}));
  EXPECT_LE(bytes.size(), 2 * AllocationAccount::kEndedKept);
  EXPECT_EQ(profile::sum_of(bytes), sum);
  EXPECT_GT(bytes.count(AllocationAccount::kOtherEnded), 0u);
  for (int tid = 100; tid <= kThreads; tid += 100) EXPECT_EQ(bytes.count(formatted("worker tid={}", tid)), 1u) << tid;
}

TEST(AllocationAccount, FoldsEqualOnesToo) {
  options::ThreadFilter all;
  AllocationAccount account(&all);
  account.begin(listing({}));
  uint64_t threads = 3 * AllocationAccount::kEndedKept;
  for (uint64_t tid = 1; tid <= threads; tid++) account.thread_ended({static_cast<int>(tid), "worker", 8});
  Bytes bytes = account.by_thread(listing({}));
  EXPECT_LE(bytes.size(), 2 * AllocationAccount::kEndedKept);
  EXPECT_EQ(profile::sum_of(bytes), 8 * threads);
}

TEST(AllocationAccount, KeepsTheLargeOnesThoughManyAreEqual) {
  constexpr int kSmall = 412;
  constexpr int kLarge = 100;
  options::ThreadFilter all;
  AllocationAccount account(&all);
  account.begin(listing({}));
  for (int tid = 1; tid <= kSmall; tid++) account.thread_ended({tid, "a", 16});
  for (int tid = kSmall + 1; tid <= kSmall + kLarge; tid++) account.thread_ended({tid, "z", 1'000'000'000});
  Bytes bytes = account.by_thread(listing({}));
  for (int tid = kSmall + 1; tid <= kSmall + kLarge; tid++) EXPECT_EQ(bytes.count(formatted("z tid={}", tid)), 1u);
  EXPECT_EQ(bytes[AllocationAccount::kOtherEnded], 16 * (kSmall + kLarge - AllocationAccount::kEndedKept));
}

TEST(AllocationAccount, CountsThreadsThatStartAndEndDuringTheListing) {
  options::ThreadFilter all;
  AllocationAccount account(&all);
  account.thread_ended({9, "before", 500});
  account.begin([&account]() -> std::vector<LivingThread> {
    account.thread_ended({1, "old", 1000});
    account.thread_started(1);
    return {{1, "old", 1000}, {2, "other", 1000}};
  });
  account.thread_ended({2, "other", 1010});
  EXPECT_EQ(account.by_thread(listing({{1, "new", 70}})), (Bytes{{"new tid=1", 70}, {"other tid=2", 10}}));
}

TEST(AllocationAccount, CountsAReturningThreadOnceAtTheEnd) {
  options::ThreadFilter all;
  AllocationAccount account(&all);
  account.begin(listing({{1, "old", 1000}}));
  auto lister = [&account]() -> std::vector<LivingThread> {
    account.thread_ended({1, "old", 1400});
    account.thread_started(1);
    return {{1, "old", 1300}};
  };
  EXPECT_EQ(account.by_thread(lister), (Bytes{{"old tid=1", 400}}));
  account.thread_ended({1, "old", 30});
  account.thread_started(1);
  account.end([&account]() -> std::vector<LivingThread> {
    account.thread_ended({1, "old", 5});
    account.thread_started(1);
    return {{1, "old", 5}};
  });
  account.thread_ended({1, "old", 80});
  EXPECT_EQ(account.by_thread(listing({{1, "old", 90}})), (Bytes{{"old tid=1", 435}}));
}

TEST(AllocationAccount, CountsOnlyAcceptedThreads) {
  options::ThreadFilter some("pool-.*;7");
  AllocationAccount account(&some);
  account.begin(listing({{1, "main", 1000}, {2, "pool-1", 1000}}));
  account.thread_ended({3, "other", 500});
  account.thread_ended({4, "pool-2", 600});
  Bytes accepted = {{"pool-1 tid=2", 200}, {"pool-2 tid=4", 600}, {"by tid tid=7", 90}};
  std::vector<LivingThread> living = {{1, "main", 9000}, {2, "pool-1", 1200}, {7, "by tid", 90}};
  EXPECT_EQ(account.by_thread(listing(living)), accepted);
  account.end(listing(living));
  EXPECT_EQ(account.by_thread(listing({})), accepted);
}

}  // namespace
}  // namespace hearth::session
