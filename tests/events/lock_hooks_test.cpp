// The hooks, called as libraries call them.
#include "events/handlers/lock_hooks.h"

#include <pthread.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "events/handlers/native_hooks.h"
#include "events/native/hook_names.h"
#include "hook_test.h"

namespace hearth::events {
namespace {

class LockHooks : public HookTest {
 protected:
  void SetUp() override {
    HookTest::SetUp();
    const auto hooks = lock_hooks();
    give(hooks[0], pthread_mutex_lock, pthread_mutex_trylock);
    give(hooks[1], pthread_rwlock_rdlock, pthread_rwlock_tryrdlock);
    give(hooks[2], pthread_rwlock_wrlock, pthread_rwlock_trywrlock);
    take_mutex_ = reinterpret_cast<int (*)(pthread_mutex_t*)>(hooks[0].code);
    take_to_read_ = reinterpret_cast<int (*)(pthread_rwlock_t*)>(hooks[1].code);
    take_to_write_ = reinterpret_cast<int (*)(pthread_rwlock_t*)>(hooks[2].code);
  }
  void TearDown() override { end(); }

  template <typename Function>
  static void give(const LockHook& hook, Function* real, Function* attempt) {
    *hook.real = reinterpret_cast<uintptr_t>(real);
    *hook.attempt = reinterpret_cast<uintptr_t>(attempt);
  }

  void begin(int64_t interval) {
    prepare(interval, &sampling_);
    sampling_.began_ns = capture::now_ns();
    lock_samplings()->current()->publish(&sampling_);
    measure_native_locks(true);
    begun_ = true;
  }
  void end() {
    if (!begun_) return;
    begun_ = false;
    measure_native_locks(false);
    EXPECT_TRUE(lock_samplings()->current()->unpublish(100));
  }

  // Lets another thread take the lock while this one has it. Returns its time in `take`.
  template <typename Take, typename Release>
  static int64_t wait_once(const Take& take, const Release& release) {
    std::atomic<bool> is_there{false};
    int64_t time_ns = 0;
    std::thread other([&] {
      is_there = true;
      uint64_t began = capture::now_ns();
      take();
      time_ns = static_cast<int64_t>(capture::now_ns() - began);
    });
    while (!is_there) std::this_thread::yield();
    constexpr auto kHold = std::chrono::milliseconds(20);
    std::this_thread::sleep_for(kHold);
    release();
    other.join();
    return time_ns;
  }

  // One sample, of nearly the whole time.
  void expect_wait(int64_t time_ns, const void* lock) {
    capture::Sample sample;
    ASSERT_TRUE(ring_.pop(&sample));
    EXPECT_LE(sample.weight, time_ns);
    EXPECT_GE(sample.weight, time_ns / 2);  // the thread may lose its processor before the hook
    EXPECT_EQ(sample.objects, 1);
    EXPECT_EQ(sample.address, reinterpret_cast<uintptr_t>(lock));
    EXPECT_FALSE(sample.is_release());
    EXPECT_FALSE(ring_.pop(&sample));
  }

  int (*take_mutex_)(pthread_mutex_t*) = nullptr;
  int (*take_to_read_)(pthread_rwlock_t*) = nullptr;
  int (*take_to_write_)(pthread_rwlock_t*) = nullptr;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_rwlock_t lock_ = PTHREAD_RWLOCK_INITIALIZER;
  NativeLockSampling sampling_;
  bool begun_ = false;
};

TEST_F(LockHooks, MeasureTheWaitForAMutex) {
  begin(0);
  EXPECT_EQ(take_mutex_(&mutex_), 0);
  int64_t time = wait_once([&] { EXPECT_EQ(take_mutex_(&mutex_), 0); }, [&] { pthread_mutex_unlock(&mutex_); });
  expect_wait(time, &mutex_);
}

TEST_F(LockHooks, MeasureTheWaitsForAReadWriteLock) {
  begin(0);
  EXPECT_EQ(take_to_write_(&lock_), 0);
  int64_t time = wait_once([&] { EXPECT_EQ(take_to_read_(&lock_), 0); }, [&] { pthread_rwlock_unlock(&lock_); });
  expect_wait(time, &lock_);
  time = wait_once([&] { EXPECT_EQ(take_to_write_(&lock_), 0); }, [&] { pthread_rwlock_unlock(&lock_); });
  expect_wait(time, &lock_);
}

TEST_F(LockHooks, ALockThatIsFreeIsNoWait) {
  begin(0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(take_mutex_(&mutex_), 0);
    pthread_mutex_unlock(&mutex_);
    EXPECT_EQ(take_to_read_(&lock_), 0);
    EXPECT_EQ(take_to_read_(&lock_), 0);
    pthread_rwlock_unlock(&lock_);
    pthread_rwlock_unlock(&lock_);
  }
  EXPECT_EQ(weight(), 0);
}

TEST_F(LockHooks, ErrorsAreThoseOfTheFunctions) {
  begin(0);
  pthread_mutexattr_t checked;
  pthread_mutexattr_init(&checked);
  pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &checked);
  EXPECT_EQ(take_mutex_(&mutex), 0);
  EXPECT_EQ(take_mutex_(&mutex), EDEADLK);
  EXPECT_EQ(take_to_write_(&lock_), 0);
  EXPECT_EQ(take_to_read_(&lock_), EDEADLK);
  EXPECT_EQ(weight(), 0);
}

// A robust mutex is taken although its owner has died, by the attempt as well.
TEST_F(LockHooks, AMutexOfADeadThreadIsTakenOnce) {
  begin(0);
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &robust);
  std::thread([&] { pthread_mutex_lock(&mutex); }).join();
  EXPECT_EQ(take_mutex_(&mutex), EOWNERDEAD);
  EXPECT_EQ(pthread_mutex_consistent(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
}

TEST_F(LockHooks, AreShownByTheFunctionsOfTheirCallers) {
  for (const LockHook& hook : lock_hooks()) EXPECT_STREQ(hooked_function(hook.code), hook.name);
  for (const NativeHook& hook : native_hooks()) EXPECT_STREQ(hooked_function(hook.code), hook.name);
  EXPECT_EQ(hooked_function(reinterpret_cast<uintptr_t>(pthread_mutex_lock)), nullptr);
}

TEST_F(LockHooks, AWaitThatBeganBeforeTheSessionIsNotCounted) {
  begin(0);
  EXPECT_EQ(take_mutex_(&mutex_), 0);
  wait_once([&] { take_mutex_(&mutex_); },
            [&] {
              end();
              begin(0);
              pthread_mutex_unlock(&mutex_);
            });
  EXPECT_EQ(weight(), 0);
}

TEST_F(LockHooks, TheChildOfAForkIsNotSampled) {
  begin(0);
  pid_t child = fork();
  if (child == 0) {
    take_mutex_(&mutex_);
    wait_once([&] { take_mutex_(&mutex_); }, [&] { pthread_mutex_unlock(&mutex_); });
    _exit(recorder_.counters().samples == 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace hearth::events
