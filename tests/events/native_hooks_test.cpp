// The hooks, called as libraries call them.
#include "events/handlers/native_hooks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <malloc.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "hook_test.h"

namespace hearth::events {
namespace {

class NativeHooks : public HookTest {
 protected:
  void SetUp() override {
    HookTest::SetUp();
    uintptr_t real[] = {address(std::malloc), address(std::calloc),    address(std::realloc),
                        address(std::free),   address(posix_memalign), address(std::aligned_alloc),
                        address(memalign),    address(valloc),         address(valloc),
                        address(mmap),        address(mmap64),         address(munmap),
                        address(mremap)};
    size_t number = 0;
    for (const NativeHook& hook : native_hooks()) {
      *hook.real = real[number++];
      hooks_.push_back(hook);
    }
  }
  void TearDown() override { end(); }

  template <typename Function>
  static uintptr_t address(Function* function) {
    return reinterpret_cast<uintptr_t>(function);
  }
  template <typename Function>
  Function* hook(const char* name) const {
    for (const NativeHook& one : hooks_)
      if (std::strcmp(one.name, name) == 0) return reinterpret_cast<Function*>(one.code);
    return nullptr;
  }
  void* allocate(size_t size) const { return hook<void*(size_t)>("malloc")(size); }
  void release(void* memory) const { hook<void(void*)>("free")(memory); }

  void begin(int64_t interval) {
    prepare(interval, &sampling_);
    sampling_.live = &live_;
    forget_native_memory();
    native_samplings()->current()->publish(&sampling_);
    count_native_memory(sampling_.number);
    begun_ = true;
  }
  void end() {
    if (!begun_) return;
    begun_ = false;
    count_native_memory(0);
    EXPECT_TRUE(native_samplings()->current()->unpublish(100));
  }

  int64_t live_bytes() const {
    int64_t sum = 0;
    live_.each([&](const LiveAllocations::Allocation& one) { sum += one.bytes; });
    return sum;
  }

  std::vector<NativeHook> hooks_;
  LiveAllocations live_{1 << 14};
  NativeSampling sampling_;
  bool begun_ = false;
};

TEST_F(NativeHooks, CountEveryFunctionExactlyWithoutAnInterval) {
  begin(0);
  void* memory[7];
  memory[0] = allocate(1000);
  memory[1] = hook<void*(size_t, size_t)>("calloc")(10, 200);
  memory[2] = hook<void*(void*, size_t)>("realloc")(nullptr, 3000);
  EXPECT_EQ(hook<int(void**, size_t, size_t)>("posix_memalign")(&memory[3], 64, 4000), 0);
  memory[4] = hook<void*(size_t, size_t)>("aligned_alloc")(64, 6400);
  memory[5] = hook<void*(size_t, size_t)>("memalign")(64, 5000);
  memory[6] = hook<void*(size_t)>("valloc")(6000);
  EXPECT_EQ(live_bytes(), 1000 + 2000 + 3000 + 4000 + 6400 + 5000 + 6000);
  EXPECT_EQ(weight(), live_bytes());
  for (void* one : memory) release(one);
  EXPECT_EQ(live_bytes(), 0);
}

class MappedMemory : public NativeHooks {
 protected:
  static constexpr size_t kPage = 4096;

  void SetUp() override {
    NativeHooks::SetUp();
    begin(0);
  }
  char* map(size_t pages, int rights = PROT_READ | PROT_WRITE, void* place = nullptr) const {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (place == nullptr ? 0 : MAP_FIXED);
    return static_cast<char*>(
        hook<void*(void*, size_t, int, int, int, off_t)>("mmap")(place, pages * kPage, rights, flags, -1, 0));
  }
  void unmap(void* memory, size_t pages) const {
    EXPECT_EQ(hook<int(void*, size_t)>("munmap")(memory, pages * kPage), 0);
  }
  int64_t live_pages() const { return live_bytes() / static_cast<int64_t>(kPage); }
  int64_t releases() {
    int64_t count = 0;
    for (capture::Sample sample; ring_.pop(&sample);) count += sample.is_release() ? 1 : 0;
    return count;
  }
};

TEST_F(MappedMemory, IsFollowedUntilAllOfItIsUnmapped) {
  sampling_.reports_releases = true;
  char* memory = map(10);
  EXPECT_EQ(live_pages(), 10);
  unmap(memory, 1);
  EXPECT_EQ(live_pages(), 9);
  unmap(memory + 9 * kPage, 1);
  EXPECT_EQ(live_pages(), 8);
  unmap(memory + 4 * kPage, 2);
  EXPECT_EQ(live_pages(), 6);
  EXPECT_EQ(releases(), 0);
  unmap(memory, 10);
  EXPECT_EQ(live_pages(), 0);
  EXPECT_EQ(releases(), 2);  // of the two rests
}

TEST_F(MappedMemory, WithoutRightsIsNone) {
  char* memory = map(10, PROT_NONE);
  EXPECT_EQ(live_pages(), 0);
  EXPECT_EQ(map(4, PROT_READ | PROT_WRITE, memory), memory);
  EXPECT_EQ(live_pages(), 4);
  EXPECT_EQ(map(2, PROT_NONE, memory), memory);
  EXPECT_EQ(live_pages(), 2);
  unmap(memory, 10);
  EXPECT_EQ(live_pages(), 0);
}

TEST_F(MappedMemory, MovesAsAWhole) {
  char* memory = map(2);
  void* moved =
      hook<void*(void*, size_t, size_t, int, void*)>("mremap")(memory, 2 * kPage, 8 * kPage, MREMAP_MAYMOVE, nullptr);
  ASSERT_NE(moved, MAP_FAILED);
  EXPECT_EQ(live_pages(), 8);
  unmap(moved, 8);
  EXPECT_EQ(live_pages(), 0);
}

TEST_F(MappedMemory, ThatCannotBeHadCountsNothing) {
  errno = 0;
  EXPECT_EQ(map(SIZE_MAX / kPage), MAP_FAILED);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(hook<int(void*, size_t)>("munmap")(nullptr, 0), -1);
  EXPECT_EQ(live_pages(), 0);
  EXPECT_EQ(weight(), 0);
}

TEST_F(MappedMemory, BesideOthersIsUnmappedWithThem) {
  char* memory = map(9, PROT_NONE);
  for (size_t page = 0; page < 9; page += 2) map(1, PROT_READ, memory + page * kPage);
  EXPECT_EQ(live_pages(), 5);
  unmap(memory + kPage, 6);
  EXPECT_EQ(live_pages(), 2);
  unmap(memory, 9);
  EXPECT_EQ(live_pages(), 0);
}

TEST_F(NativeHooks, AnAllocationOfNothingIsNoRelease) {
  begin(0);
  void* memory = allocate(0);
  capture::Sample sample;
  ASSERT_TRUE(ring_.pop(&sample));
  EXPECT_FALSE(sample.is_release());
  EXPECT_EQ(sample.weight, 0);
  release(memory);
}

TEST_F(NativeHooks, AThreadThatBlocksAllSignalsIsSampled) {
  begin(0);
  sigset_t all, before, after;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  void* memory = allocate(100);
  pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(sigismember(&after, SIGSEGV), 1);
  EXPECT_EQ(weight(), 100);
  release(memory);
}

TEST_F(NativeHooks, ReallocReleasesAndAllocates) {
  begin(0);
  auto* reallocate = hook<void*(void*, size_t)>("realloc");
  void* memory = reallocate(allocate(1000), 50000);
  EXPECT_EQ(live_bytes(), 50000);
  errno = 0;
  EXPECT_EQ(reallocate(memory, PTRDIFF_MAX), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(live_bytes(), 50000);
  release(memory);
  EXPECT_EQ(live_bytes(), 0);
  EXPECT_EQ(weight(), 51000);
}

TEST_F(NativeHooks, FailedCallsCountNothingAndKeepErrno) {
  begin(0);
  errno = 0;
  EXPECT_EQ(allocate(PTRDIFF_MAX), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  void* memory = nullptr;
  EXPECT_EQ(hook<int(void**, size_t, size_t)>("posix_memalign")(&memory, 3, 100), EINVAL);
  EXPECT_EQ(weight(), 0);
  release(nullptr);
}

TEST_F(NativeHooks, SamplesAreRightOnAverageForAllSizes) {
  constexpr int64_t kInterval = 10000, kTimes = 200000, kSmall = 100, kLarge = 25000;
  begin(kInterval);
  for (int64_t i = 0; i < kTimes; ++i) release(allocate(kSmall));
  int64_t small = weight();
  // One sample in 100 allocations: the error of 2000 samples is 2.2 %.
  EXPECT_NEAR(static_cast<double>(small), static_cast<double>(kSmall * kTimes), 0.12 * kSmall * kTimes);
  constexpr int64_t kFewer = kTimes / 100;
  for (int64_t i = 0; i < kFewer; ++i) release(allocate(kLarge));
  EXPECT_NEAR(static_cast<double>(weight()), static_cast<double>(kLarge * kFewer), 0.04 * kLarge * kFewer);
  EXPECT_EQ(live_bytes(), 0);
}

TEST_F(NativeHooks, CountNothingOutsideOfASampling) {
  begin(0);
  void* before = allocate(100);
  end();
  void* after = allocate(200);
  EXPECT_EQ(weight(), 100);
  release(before);
  release(after);
  EXPECT_EQ(live_bytes(), 100);
}

TEST_F(NativeHooks, AThreadFreesWhatAnotherAllocated) {
  begin(0);
  void* memory = nullptr;
  std::thread([&] { memory = allocate(777); }).join();
  EXPECT_EQ(live_bytes(), 777);
  std::thread([&] { release(memory); }).join();
  EXPECT_EQ(live_bytes(), 0);
}

TEST_F(NativeHooks, TheChildOfAForkIsNotSampled) {
  begin(0);
  release(allocate(100));
  pid_t child = fork();
  if (child == 0) {
    uint64_t samples = recorder_.counters().samples;
    for (int i = 0; i < 1000; ++i) release(allocate(100));
    _exit(recorder_.counters().samples == samples ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace hearth::events
