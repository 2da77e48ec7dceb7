#include "profile/analysis/held_locks.h"

#include <gtest/gtest.h>

#include "base/formatted.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr auto kJava = FrameKind::kJit;
constexpr auto kMarker = FrameKind::kMarker;

// A line for each row: lock, holder, waiter, total, further.
std::string rows_of(const Profile& profile) {
  CallTree tree = call_tree(profile, {});
  std::string text;
  for (const HeldLock& one : held_locks(tree, 0))
    text += formatted("{} {} {} {} {}\n", one.lock, one.holder, one.waiter, one.total, one.further);
  return text;
}

Profile of_holders() {
  Profile profile;
  profile.value_types = {{"holders", "nanoseconds"}};
  return profile;
}

TEST(HeldLocks, NamesMethodsOfTheProgramBehindThoseOfTheJdk) {
  Profile profile = of_holders();
  add(profile,
      {{"Shop.update", kJava},
       {"java/lang/Thread.sleep", kJava},
       {"sleep", FrameKind::kNative},
       {"[holds Shop$Store]", kMarker},
       {"Shop.read", kJava},
       {"ObjectMonitor::enter", FrameKind::kCpp}},
      {30});
  EXPECT_EQ(rows_of(profile), "Shop$Store Shop.update Shop.read 30 0\n");
}

TEST(HeldLocks, AddsWaitsForTheLocksOfWaiters) {
  Profile profile = of_holders();
  add(profile, {{"a.Update", kJava}, {"[holds A]", kMarker}, {"b.Read", kJava}}, {5});
  add(profile,
      {{"a.Update", kJava}, {"[holds A]", kMarker}, {"b.Read", kJava}, {"[holds B]", kMarker}, {"c.Read", kJava}}, {7});
  add(profile, {{"a.Update", kJava}, {"[holds A]", kMarker}, {"d.Read", kJava}}, {20});
  EXPECT_EQ(rows_of(profile), "A a.Update d.Read 20 0\nA a.Update b.Read 12 7\n");
}

TEST(HeldLocks, KeepsMarkersAndUnknownClasses) {
  Profile profile = of_holders();
  add(profile, {{"[deadlock]", kMarker}, {"[holds]", kMarker}, {"b.Read", kJava}}, {5});
  EXPECT_EQ(rows_of(profile), " [deadlock] b.Read 5 0\n");
}

TEST(HeldLocks, OtherStacksHaveNone) {
  Profile profile = of_holders();
  add(profile, {{"a.Update", kJava}}, {5});
  EXPECT_EQ(rows_of(profile), "");
}

}  // namespace
}  // namespace hearth::profile
