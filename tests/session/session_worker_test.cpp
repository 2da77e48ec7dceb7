#include "session/session_worker.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>

#include "wait_until.h"

namespace hearth::session {
namespace {

constexpr std::chrono::milliseconds kPeriod(1);
const SessionWorker::Hooks kNoHooks = {[](int) {}, [](int) {}};

class SessionWorkerTest : public testing::Test {
 protected:
  static SessionWorker::Task counting(std::atomic<int>* runs, uint64_t next) {
    return {0, [=](uint64_t) {
              ++*runs;
              return next;
            }};
  }

  Log log_;
  std::atomic<bool> vm_ends_{false};
};

TEST_F(SessionWorkerTest, RunsATaskWhenItIsDue) {
  SessionWorker worker(&log_, kPeriod);
  std::atomic<int> always{0}, once{0}, never{0};
  SessionWorker::Task later = counting(&never, 0);
  later.due_ns = SessionWorker::kNever;
  worker.start({counting(&always, 0), counting(&once, SessionWorker::kNever), later}, kNoHooks);
  EXPECT_TRUE(wait_until("the third round", [&] { return always >= 3; }));
  EXPECT_TRUE(worker.end(vm_ends_));
  EXPECT_EQ(once, 1);
  EXPECT_EQ(never, 0);
  EXPECT_GT(worker.cpu_ns(), 0);
}

TEST_F(SessionWorkerTest, TriesATaskAgainThatHasThrown) {
  SessionWorker worker(&log_, kPeriod);
  std::atomic<int> tries{0}, behind{0};
  auto fail_twice = [&](uint64_t) {
    if (++tries <= 2) throw std::runtime_error("no thread right now");
    return SessionWorker::kNever;
  };
  worker.start({{0, fail_twice}, counting(&behind, SessionWorker::kNever)}, kNoHooks);
  EXPECT_TRUE(wait_until("the task behind", [&] { return behind == 1; }));
  EXPECT_TRUE(worker.end(vm_ends_));
  EXPECT_EQ(tries, 3);
}

TEST_F(SessionWorkerTest, AnnouncesItsThread) {
  SessionWorker worker(&log_, kPeriod);
  std::vector<int> tids;
  auto note = [&](int tid) { tids.push_back(tid); };
  worker.start({}, {note, note});
  EXPECT_TRUE(worker.end(vm_ends_));
  ASSERT_EQ(tids.size(), 2u);
  EXPECT_EQ(tids[0], tids[1]);
  EXPECT_NE(tids[0], gettid());
}

// The worker must outlive its thread, which goes on after end().
TEST_F(SessionWorkerTest, DoesNotWaitForAStuckTaskWhenTheJvmEnds) {
  static Log log;
  static std::atomic<bool> is_stuck{true}, has_ended{false};
  static auto* worker = new SessionWorker(&log, kPeriod);
  auto hang = [](uint64_t) {
    while (is_stuck) usleep(1000);
    return SessionWorker::kNever;
  };
  worker->start({{0, hang}}, {[](int) {}, [](int) { has_ended = true; }});
  vm_ends_ = true;
  EXPECT_FALSE(worker->end(vm_ends_));
  is_stuck = false;
  EXPECT_TRUE(wait_until("the end of the worker", [] { return has_ended.load(); }));
}

}  // namespace
}  // namespace hearth::session
