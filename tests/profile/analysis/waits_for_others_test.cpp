#include "profile/analysis/waits_for_others.h"

#include <gtest/gtest.h>

#include "base/formatted.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr auto kJava = FrameKind::kJit;
constexpr auto kMarker = FrameKind::kMarker;

// A line for each row: object, relation, other, waiter, total, further.
std::string rows_of(const Profile& profile) {
  CallTree tree = call_tree(profile, {});
  std::string text;
  for (const WaitForOther& one : waits_for_others(tree, 0))
    text += formatted("{} {} {} {} {} {}\n", one.object, one.relation, one.other, one.waiter, one.total, one.further);
  return text;
}

Profile of_holders() {
  Profile profile;
  profile.value_types = {{"holders", "nanoseconds"}};
  return profile;
}

TEST(WaitsForOthers, NamesMethodsOfTheProgramBehindThoseOfTheJdk) {
  Profile profile = of_holders();
  add(profile,
      {{"Shop.update", kJava},
       {"java/lang/Thread.sleep", kJava},
       {"sleep", FrameKind::kNative},
       {"[holds Shop$Store]", kMarker},
       {"Shop.read", kJava},
       {"ObjectMonitor::enter", FrameKind::kCpp}},
      {30});
  EXPECT_EQ(rows_of(profile), "Shop$Store holds Shop.update Shop.read 30 0\n");
}

TEST(WaitsForOthers, AddsWaitsForTheLocksOfWaiters) {
  Profile profile = of_holders();
  add(profile, {{"a.Update", kJava}, {"[holds A]", kMarker}, {"b.Read", kJava}}, {5});
  add(profile,
      {{"a.Update", kJava}, {"[holds A]", kMarker}, {"b.Read", kJava}, {"[holds B]", kMarker}, {"c.Read", kJava}}, {7});
  add(profile, {{"a.Update", kJava}, {"[holds A]", kMarker}, {"d.Read", kJava}}, {20});
  EXPECT_EQ(rows_of(profile), "A holds a.Update d.Read 20 0\nA holds a.Update b.Read 12 7\n");
}

TEST(WaitsForOthers, KeepsMarkersAndUnknownClasses) {
  Profile profile = of_holders();
  add(profile, {{"[deadlock]", kMarker}, {"[holds]", kMarker}, {"b.Read", kJava}}, {5});
  EXPECT_EQ(rows_of(profile), " holds [deadlock] b.Read 5 0\n");
}

TEST(WaitsForOthers, NamesWakers) {
  Profile profile = of_holders();
  add(profile,
      {{"Shop.order", kJava},
       {"java/util/concurrent/locks/LockSupport.unpark", kJava},
       {"[wakes java.util.concurrent.CountDownLatch$Sync]", kMarker},
       {"Shop.await", kJava},
       {"java/util/concurrent/locks/LockSupport.park", kJava}},
      {40});
  add(profile, {{"[unknown_waker]", kMarker}, {"[wakes]", kMarker}, {"Shop.await", kJava}}, {5});
  EXPECT_EQ(rows_of(profile),
            "java.util.concurrent.CountDownLatch$Sync wakes Shop.order Shop.await 40 0\n"
            " wakes [unknown_waker] Shop.await 5 0\n");
}

TEST(WaitsForOthers, OtherStacksHaveNone) {
  Profile profile = of_holders();
  add(profile, {{"a.Update", kJava}}, {5});
  EXPECT_EQ(rows_of(profile), "");
}

}  // namespace
}  // namespace hearth::profile
