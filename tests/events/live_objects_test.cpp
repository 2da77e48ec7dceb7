#include "events/alloc/live_objects.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <set>
#include <utility>

namespace hearth::events {
namespace {

// A JVM with the objects themselves as weak references, and a list of the dead ones.
struct FakeJvm {
  JNINativeInterface_ functions{};
  JNIEnv env{};
  inline static std::set<jobject> dead;
  inline static int references = 0;
  inline static std::function<void()> meanwhile;  // runs while one thread is suspended in a JNI call

  FakeJvm() {
    dead.clear();
    meanwhile = nullptr;
    references = 0;
    functions.NewWeakGlobalRef = [](JNIEnv*, jobject object) -> jweak {
      references++;
      return object;
    };
    functions.DeleteWeakGlobalRef = [](JNIEnv*, jweak) { references--; };
    functions.IsSameObject = [](JNIEnv*, jobject reference, jobject) -> jboolean {
      if (auto act = std::exchange(meanwhile, nullptr)) act();
      return dead.count(reference) > 0 ? JNI_TRUE : JNI_FALSE;
    };
    env.functions = &functions;
  }
};

jobject object(uintptr_t number) {
  return reinterpret_cast<jobject>(number);
}

int64_t bytes_of(const std::vector<LiveObjects::Object>& objects) {
  return std::accumulate(objects.begin(), objects.end(), int64_t{0},
                         [](int64_t sum, const LiveObjects::Object& one) { return sum + one.bytes; });
}

TEST(LiveObjects, AreThoseThatDidNotDie) {
  FakeJvm jvm;
  LiveObjects live;
  for (uintptr_t i = 1; i <= 10; i++) live.add(&jvm.env, object(i), {1, static_cast<uint32_t>(i), 100, 1, 0});
  for (uintptr_t i = 1; i <= 7; i++) FakeJvm::dead.insert(object(i));
  std::vector<LiveObjects::Object> living = live.living(&jvm.env);
  ASSERT_EQ(living.size(), 3u);
  EXPECT_EQ(living[0].stack, 8u);
  EXPECT_EQ(FakeJvm::references, 3);
  live.clear(&jvm.env);
  EXPECT_EQ(FakeJvm::references, 0);
}

TEST(LiveObjects, TheDeadMakeRoom) {
  FakeJvm jvm;
  LiveObjects live(1000);
  for (uintptr_t i = 1; i <= 100'000; i++) {
    live.add(&jvm.env, object(i), {1, 1, 100, 1, 0});
    if (i % 10 != 0 || i < 99'000) FakeJvm::dead.insert(object(i));
    ASSERT_LE(FakeJvm::references, 1000);
  }
  EXPECT_EQ(live.threshold(), 0);
  EXPECT_EQ(live.living(&jvm.env).size(), 101u);
}

TEST(LiveObjects, TooManyAreThinnedAndTheSumStays) {
  FakeJvm jvm;
  constexpr int kMost = 4000;
  constexpr int kAll = 100'000;
  LiveObjects live(kMost);
  for (uintptr_t i = 1; i <= kAll; i++) {
    live.add(&jvm.env, object(i), {1, 1, 100, 1, 0});
    ASSERT_LE(FakeJvm::references, kMost);
  }
  std::vector<LiveObjects::Object> living = live.living(&jvm.env);
  EXPECT_GE(live.threshold(), 100 * (kAll / kMost));
  EXPECT_EQ(living[0].bytes, live.threshold());
  // 2000 or more are left: four times the standard deviation.
  EXPECT_NEAR(static_cast<double>(bytes_of(living)), 100.0 * kAll, 0.1 * 100 * kAll);
}

TEST(LiveObjects, OfFewLargeOnesAmongManySmallAllAreFollowed) {
  FakeJvm jvm;
  LiveObjects live(4000);
  constexpr int kSmall = 100'000;
  constexpr int kLarge = 40;
  for (uintptr_t i = 1; i <= kSmall; i++) {
    live.add(&jvm.env, object(i), {1, 1, 40, 1, 0});
    if (i % (kSmall / kLarge) == 0) live.add(&jvm.env, object(kSmall + i), {1, 2, 2 << 20, 1, 0});
  }
  int64_t bytes[3] = {};
  double objects[3] = {};
  for (const LiveObjects::Object& one : live.living(&jvm.env)) {
    bytes[one.stack] += one.bytes;
    objects[one.stack] += one.objects;
  }
  EXPECT_EQ(bytes[2], int64_t{kLarge} * (2 << 20));
  EXPECT_DOUBLE_EQ(objects[2], kLarge);
  EXPECT_NEAR(static_cast<double>(bytes[1]), 40.0 * kSmall, 0.1 * 40 * kSmall);
  EXPECT_NEAR(objects[1], kSmall, 0.1 * kSmall);
}

TEST(LiveObjects, OthersGoOnWhileAThreadIsSuspendedThatLooksForTheDead) {
  FakeJvm jvm;
  constexpr uintptr_t kMost = 100;
  LiveObjects live(kMost);
  for (uintptr_t i = 1; i <= kMost; i++) live.add(&jvm.env, object(i), {1, 1, 100, 1, 0});
  for (uintptr_t i = 1; i <= kMost; i++) FakeJvm::dead.insert(object(i));
  FakeJvm::meanwhile = [&] {
    for (uintptr_t i = 1; i <= 2 * kMost; i++) live.add(&jvm.env, object(1000 + i), {1, 2, 100, 1, 0});
    EXPECT_EQ(live.missed(), kMost) << "there is an end";
    EXPECT_EQ(live.living(&jvm.env).size(), kMost);
    EXPECT_EQ(FakeJvm::references, static_cast<int>(2 * kMost)) << "what is looked at stays";
  };
  live.add(&jvm.env, object(999), {1, 1, 100, 1, 0});
  EXPECT_EQ(FakeJvm::meanwhile, nullptr);
  EXPECT_LT(FakeJvm::references, static_cast<int>(kMost)) << "the dead are gone, and half of the others";
  EXPECT_EQ(live.threshold(), 200);
}

TEST(LiveObjects, ASuspendedThreadDeletesReferencesClearedMeanwhile) {
  FakeJvm jvm;
  constexpr uintptr_t kMost = 100;
  LiveObjects live(kMost);
  for (uintptr_t i = 1; i <= kMost; i++) live.add(&jvm.env, object(i), {1, 1, 100, 1, 0});
  FakeJvm::meanwhile = [&] {
    live.clear(&jvm.env);
    EXPECT_EQ(FakeJvm::references, static_cast<int>(kMost));
  };
  live.add(&jvm.env, object(999), {1, 1, 100, 1, 0});
  EXPECT_EQ(FakeJvm::references, 0);
}

}  // namespace
}  // namespace hearth::events
