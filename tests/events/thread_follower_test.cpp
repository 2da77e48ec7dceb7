#include "events/threads/thread_follower.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <future>
#include <set>
#include <string>
#include <thread>

#include "wait_until.h"

namespace hearth::events {
namespace {

// Records the followed threads.
class FakeSource : public EventSource {
 public:
  std::string engine() const override { return "fake"; }
  bool follows_threads() const override { return true; }
  void start(const EventPlan&) override {}
  bool attach_thread(capture::ThreadSlot* slot) override { return followed.insert(slot->tid).second; }
  int64_t detach_thread(capture::ThreadSlot* slot) override {
    followed.erase(slot->tid);
    return 0;
  }
  int64_t cpu_ns(const capture::ThreadSlot&) const override { return 0; }
  void disable() override {}
  void stop() override {}

  std::set<int> followed;
};

// A thread that lives until the end of the scope.
class Sleeper {
 public:
  explicit Sleeper(const char* name) {
    std::promise<int> tid;
    thread_ = std::thread([&tid, name, end = end_.get_future().share()] {
      pthread_setname_np(pthread_self(), name);
      tid.set_value(static_cast<int>(syscall(SYS_gettid)));
      end.wait();
    });
    tid_ = tid.get_future().get();
  }
  ~Sleeper() {
    end_.set_value();
    thread_.join();
  }
  int tid() const { return tid_; }

 private:
  std::promise<void> end_;
  std::thread thread_;
  int tid_ = 0;
};

class Following {
 public:
  explicit Following(const char* filter) : filter_(filter), follower({&source}, &registry, &filter_) {}
  ~Following() { follower.finish(); }

 private:
  options::ThreadFilter filter_;

 public:
  FakeSource source;
  ThreadRegistry registry;
  ThreadFollower follower;
};

TEST(ThreadFollower, FindsOnlyWantedThreads) {
  Sleeper wanted("wanted");
  Sleeper other("other");
  Following test("wanted");
  test.follower.scan();
  EXPECT_EQ(test.source.followed, std::set<int>{wanted.tid()});
}

std::string name_in(const ThreadFollower& follower, int tid) {
  for (const ThreadRegistry::Thread& thread : follower.threads())
    if (thread.tid == tid) return thread.name;
  return "";
}

void rename_task(int tid, const char* name) {
  std::ofstream("/proc/self/task/" + std::to_string(tid) + "/comm") << name;
}

TEST(ThreadFollower, AThreadThatTakesItsNameLateHasIt) {
  Sleeper late("maker's"), told("maker's too");
  Following test(".*");
  test.follower.scan();
  EXPECT_EQ(name_in(test.follower, late.tid()), "maker's");
  rename_task(late.tid(), "own");
  rename_task(told.tid(), "own too");
  test.follower.thread_started(told.tid(), "what the JVM knows");
  test.follower.scan();
  EXPECT_EQ(name_in(test.follower, late.tid()), "own");
  EXPECT_EQ(name_in(test.follower, told.tid()), "what the JVM knows");
}

TEST(ThreadFollower, PrefersTheJvmsNameToTheKernels) {
  Sleeper thread("kernel");
  Following test("kernel");
  test.follower.thread_started(thread.tid(), "of the JVM");
  test.follower.scan();
  EXPECT_TRUE(test.source.followed.empty());
  ASSERT_EQ(test.follower.troubles().size(), 1u);
  EXPECT_NE(test.follower.troubles()[0].find("no thread fits filter=kernel"), std::string::npos);
}

TEST(ThreadFollower, ANewNameIsAskedForAgain) {
  Sleeper thread("any");
  Following test("worker-.*");
  test.follower.thread_started(thread.tid(), "idle");
  EXPECT_TRUE(test.source.followed.empty());
  test.follower.thread_started(thread.tid(), "worker-1");
  const capture::ThreadSlot* slot = test.registry.find(thread.tid());
  ASSERT_NE(slot, nullptr);
  EXPECT_FALSE(slot->left_out);
  test.follower.thread_started(thread.tid(), "idle");
  EXPECT_TRUE(slot->left_out);
  test.follower.scan();
  EXPECT_TRUE(slot->left_out);
  test.follower.thread_started(thread.tid(), "worker-2");
  EXPECT_FALSE(slot->left_out);
  EXPECT_TRUE(test.follower.troubles().empty());
}

TEST(ThreadFollower, AThreadThatAdoptedASlotLeavesNothingToTheNextOfItsTid) {
  Sleeper thread("any");
  Following test(".*");
  capture::ThreadSlot* slot = test.registry.table()->adopt(thread.tid());
  uint32_t first = slot->serial;
  slot->allocated.bytes = 1'000'000;
  test.follower.thread_started(thread.tid(), "first");
  EXPECT_EQ(test.registry.find(thread.tid()), slot);
  test.follower.thread_ended(thread.tid(), "first");
  EXPECT_EQ(test.registry.table()->seek(thread.tid()), nullptr);

  slot = test.registry.table()->adopt(thread.tid());
  EXPECT_NE(slot->serial, first);
  EXPECT_EQ(slot->allocated.bytes, 0);
  test.follower.thread_ended(thread.tid(), "second");
  EXPECT_EQ(test.registry.table()->seek(thread.tid()), nullptr);
  EXPECT_EQ(test.follower.threads()[first].name, "first");
  EXPECT_EQ(test.follower.threads()[first + 1].name, "second");
}

TEST(ThreadFollower, ReleasesAdoptedSlotsOfEndedThreads) {
  Following test(".*");
  {
    Sleeper thread("any");
    test.follower.thread_ended(thread.tid(), "any");
    test.registry.table()->adopt(thread.tid());
  }
  wait_until("the end of the adopted slot", [&] {
    test.follower.scan();
    return test.registry.adopted_tids().empty();
  });
}

TEST(ThreadRegistry, ASlotIsSoughtByItsThreadUntilItIsFree) {
  ThreadRegistry registry;
  capture::ThreadSlot* slot = registry.add(17);
  EXPECT_EQ(registry.table()->seek(17), slot);
  EXPECT_EQ(registry.table()->seek(18), nullptr);
  registry.remove(slot);
  EXPECT_EQ(registry.table()->seek(17), nullptr);
  EXPECT_EQ(registry.add(18), slot);
  EXPECT_EQ(registry.table()->seek(18), slot);
}

TEST(ThreadFollower, ARemovedSourceLeavesThreadsToOthers) {
  Sleeper wanted("wanted");
  FakeSource other;
  Following test("wanted");
  test.follower.add_source(&other);
  test.follower.scan();
  test.follower.remove_source(&test.source);
  EXPECT_TRUE(test.source.followed.empty());
  EXPECT_EQ(other.followed, std::set<int>{wanted.tid()});
  Sleeper later("wanted");
  test.follower.scan();
  EXPECT_TRUE(test.source.followed.empty());
  test.follower.add_source(&test.source);
  EXPECT_EQ(test.source.followed, other.followed);
  EXPECT_EQ(other.followed, (std::set<int>{wanted.tid(), later.tid()}));
}

TEST(ThreadFollower, WithoutAnySourceThreadsKeepTheirNumbersUntilTheyEnd) {
  Sleeper stays("wanted");
  Following test("wanted");
  int gone_tid = 0;
  {
    Sleeper gone("wanted");
    gone_tid = gone.tid();
    test.follower.scan();
    test.follower.remove_source(&test.source);
    EXPECT_TRUE(test.source.followed.empty());
  }
  uint32_t begun = test.registry.begun();
  while (test.registry.find(gone_tid) != nullptr) test.follower.scan();
  test.follower.add_source(&test.source);
  EXPECT_EQ(test.source.followed, std::set<int>{stays.tid()});
  EXPECT_EQ(test.registry.begun(), begun);
}

}  // namespace
}  // namespace hearth::events
