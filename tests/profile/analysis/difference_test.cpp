#include "profile/analysis/difference.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "base/formatted.h"
#include "profile/analysis/sampling_variance.h"
#include "profile/page/page_data.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr auto kJava = FrameKind::kJit;

Difference difference(std::string_view before, std::string_view after, const DifferenceOptions& options = {}) {
  return {read_collapsed(before), read_collapsed(after), options};
}

DifferenceOptions in_amounts() {
  DifferenceOptions options;
  options.scale = Scale::kAmounts;
  return options;
}

MethodChange method(const Difference& difference, std::string_view name) {
  for (const MethodChange& method : difference.methods())
    if (method.name == name) return method;
  ADD_FAILURE() << "no method " << name;
  return {};
}

std::string word(const MethodChange& method) {
  return word_of_change(method.total, method.total_change);
}

std::string why_not(const Profile& before, const Profile& after, const DifferenceOptions& options = {}) {
  try {
    Difference made(before, after, options);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

Profile cpu(std::initializer_list<std::pair<const char*, std::pair<int64_t, int64_t>>> leaves) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds", 10}};
  profile.metadata.event = "cpu";
  for (const auto& [name, values] : leaves)
    add(profile, {{"main", kJava}, {name, kJava}}, {values.first, values.second});
  return profile;
}

TEST(Difference, ListsFramesThatGrewShrankAreNewOrVanished) {
  Difference made = difference("a;b 100\na;c 800\na;x 100\n", "a;b 600\na;c 800\na;n 600\n");
  EXPECT_EQ(made.total(0), 1000);
  EXPECT_EQ(made.total(1), 2000);
  EXPECT_EQ(word(method(made, "b")), "grew");
  EXPECT_EQ(word(method(made, "c")), "shrank");
  EXPECT_EQ(word(method(made, "x")), "vanished");
  EXPECT_EQ(word(method(made, "n")), "new");
  EXPECT_EQ(word(method(made, "a")), "same");
  EXPECT_NEAR(method(made, "b").self_change.change(), 0.2, 1e-12);
  EXPECT_NEAR(method(made, "c").total_change.change(), -0.4, 1e-12);
  EXPECT_EQ(method(made, "a").self.values[0], 0);
  EXPECT_EQ(method(made, "x").total.values[0], 100);
}

TEST(Difference, AmountsAreComparedAsTheyAre) {
  Difference made = difference("a;b 100\na;c 800\n", "a;b 600\na;c 800\n", in_amounts());
  EXPECT_EQ(method(made, "b").self_change.change(), 500);
  EXPECT_EQ(word(method(made, "c")), "same");
  EXPECT_FALSE(method(made, "b").self_change.is_noise());
  EXPECT_TRUE(method(made, "c").self_change.is_noise());
}

// By the binomial distribution 5 of 5 fall on one side in 1 of 16 cases, 6 of 6 in 1 of 32.
TEST(Difference, FewSamplesAreNoise) {
  auto is_noise = [](int before, int after) {
    Difference made = difference(formatted("a {}\nrest 100000\n", before), formatted("a {}\nrest 100000\n", after));
    return method(made, "a").self_change.is_noise();
  };
  EXPECT_TRUE(is_noise(0, 1));
  EXPECT_TRUE(is_noise(0, 5));
  EXPECT_FALSE(is_noise(0, 6));
  EXPECT_TRUE(is_noise(9, 2));
  EXPECT_FALSE(is_noise(10, 2));
  EXPECT_TRUE(is_noise(100, 125));
  EXPECT_FALSE(is_noise(100, 130));
}

TEST(Difference, FramesThatAShortProfileMissedAreNotNew) {
  Difference made = difference("rest 100\n", "a 5\nrest 9995\n");
  EXPECT_EQ(word(method(made, "a")), "new");
  EXPECT_TRUE(method(made, "a").self_change.is_noise());
}

// Of pairs of profiles of the same program 95 of 100 are to report no change.
TEST(Difference, BoundsHoldInNinetyFiveOfAHundred) {
  std::mt19937 random(4711);
  std::poisson_distribution<int> hot(60), cold(400);
  int within = 0;
  constexpr int kPairs = 1000;
  for (int i = 0; i < kPairs; i++) {
    int64_t before = hot(random), after = hot(random), rest = cold(random), rest_after = cold(random);
    Difference made(cpu({{"hot", {before, before * 10}}, {"cold", {rest, rest * 10}}}),
                    cpu({{"hot", {after, after * 10}}, {"cold", {rest_after, rest_after * 10}}}), {});
    within += method(made, "hot").self_change.is_noise() ? 1 : 0;
  }
  EXPECT_GE(within, kPairs * 93 / 100);
  EXPECT_LE(within, kPairs * 98 / 100);
}

struct WallRow {
  const char* name;
  FrameKind kind;
  uint32_t line;
  const char* thread;
  int64_t samples[2];  // before, after
  int64_t period;      // of each, in ns
};

Profile wall(std::initializer_list<WallRow> rows, size_t side) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"wall", "nanoseconds"}};
  for (const WallRow& row : rows) {
    int64_t values[] = {row.samples[side], row.samples[side] * row.period};
    NodeId main = profile.child(0, profile.location(profile.function("main", FrameKind::kNative), 0));
    NodeId stack = profile.child(main, profile.location(profile.function(row.name, row.kind), row.line));
    profile.add(stack, profile.label_set({{"thread", row.thread, 0, ""}}), values);
  }
  return profile;
}

Change self_change(std::initializer_list<WallRow> rows, std::string_view name) {
  return method({wall(rows, 0), wall(rows, 1), {}}, name).self_change;
}

// The same as the page's tests of a difference.
TEST(Difference, SamplesOfDifferentWeightAreAsUncertainAsEachOfThem) {
  constexpr int64_t kMs = 1'000'000;
  Change work = self_change({{"work", kJava, 10, "a", {100, 150}, 10 * kMs},
                             {"work", kJava, 20, "a", {50, 50}, 50 * kMs},
                             {"work", FrameKind::kInterpreted, 10, "b", {4, 2}, 500 * kMs},
                             {"rest", FrameKind::kNative, 0, "a", {200, 200}, 10 * kMs},
                             {"rest", FrameKind::kNative, 0, "b", {10, 10}, 500 * kMs}},
                            "work");
  EXPECT_NEAR(work.change(), -0.023333333333333, 1e-12);
  EXPECT_NEAR(work.bound, 0.19694668085629, 1e-12);
}

TEST(Difference, LongSamplesAreNoLessChance) {
  constexpr int64_t kPeriod = 50'000'000;
  Change parked = self_change({{"[parked]", FrameKind::kMarker, 0, "main", {24'000, 24'240}, kPeriod},
                               {"work", kJava, 0, "main", {24'000, 23'760}, kPeriod}},
                              "[parked]");
  EXPECT_NEAR(parked.change(), 0.005, 1e-12);
  EXPECT_NEAR(parked.bound, 0.00632571333208, 1e-12);
  EXPECT_TRUE(parked.is_noise());
}

// Each run of 10,000 samples, of which so many are of `hot`.
struct HotRuns {
  HotRuns(std::initializer_list<int> before, std::initializer_list<int> after) {
    for (int hot : before) profiles.push_back(run(hot));
    for (int hot : after) profiles.push_back(run(hot));
    for (const Profile& profile : profiles) sides[sides[0].size() < before.size() ? 0 : 1].push_back(&profile);
  }
  static Profile run(int hot) { return read_collapsed(formatted("a;hot {}\na;rest {}\n", hot, 10'000 - hot)); }
  MethodChange change(const DifferenceOptions& options = {}) const {
    return method({sides[0], sides[1], options}, "hot");
  }

  std::vector<Profile> profiles;
  Difference::Runs sides[2];
};

TEST(Difference, RunsThatLieFarApartAreNoise) {
  for (const DifferenceOptions& options : {DifferenceOptions{}, in_amounts()}) {
    EXPECT_FALSE(HotRuns({4000}, {5000}).change(options).self_change.is_noise());
    EXPECT_TRUE(HotRuns({3000, 5000}, {4000, 6000}).change(options).self_change.is_noise());
    EXPECT_FALSE(HotRuns({4000, 4020, 3980}, {5000, 5020, 4980}).change(options).self_change.is_noise());
  }
  EXPECT_TRUE(HotRuns({10, 10}, {12, 12}).change().self_change.is_noise()) << "so few samples agree by chance";
  EXPECT_EQ(HotRuns({3000, 5000}, {5000}).change().self_change.is_noise(), false) << "one run has no spread";
}

TEST(Difference, SeveralRunsAreComparedByTheirMean) {
  MethodChange hot = HotRuns({4000, 4200}, {4100, 4100, 4100}).change(in_amounts());
  EXPECT_EQ(hot.self_change.before, 4100);
  EXPECT_EQ(hot.self_change.after, 4100);
  EXPECT_EQ(hot.self.values[1], 12'300);
  HotRuns runs({4000, 4200}, {4100});
  Difference made(runs.sides[0], runs.sides[1], {});
  EXPECT_EQ(made.runs(0), 2u);
  EXPECT_FALSE(made.has_chance_from_runs());
}

TEST(Difference, QualityIsThatOfAllRunsOfASide) {
  HotRuns runs({4000, 4200}, {4100});
  for (Profile& profile : runs.profiles) {
    profile.quality.samples = 10'000;
    profile.quality.engine = "perf_events";
    profile.metadata.duration_ns = 5;
  }
  Difference made(runs.sides[0], runs.sides[1], {});
  EXPECT_EQ(made.quality(0).samples, 20'000u);
  EXPECT_EQ(made.quality(1).samples, 10'000u);
  EXPECT_EQ(made.quality(0).engine, "perf_events");
  EXPECT_EQ(made.about(0).duration_ns, 10);
  EXPECT_EQ(made.about(1).duration_ns, 5);
}

TEST(Difference, AmountsMayBeOfOneOperation) {
  DifferenceOptions options = in_amounts();
  options.operations[0] = 1000;
  options.operations[1] = 2000;
  MethodChange hot = HotRuns({2000}, {4000}).change(options);
  EXPECT_EQ(hot.self_change.before, 2);
  EXPECT_EQ(hot.self_change.after, 2);
  hot = HotRuns({2000, 2000}, {5000, 5010}).change(options);
  EXPECT_NEAR(hot.self_change.change(), 0.5, 0.01);
  EXPECT_FALSE(hot.self_change.is_noise());
}

// Of groups of runs that differ by more than their samples 95 of 100 are to report no change.
TEST(Difference, BoundsOfRunsHoldInNinetyFiveOfAHundred) {
  std::mt19937 random(4711);
  std::normal_distribution<double> share(3000, 300);
  auto run = [&] { return static_cast<int>(share(random)); };
  int within = 0;
  constexpr int kGroups = 500;
  for (int i = 0; i < kGroups; i++)
    within += HotRuns({run(), run(), run()}, {run(), run(), run()}).change().self_change.is_noise() ? 1 : 0;
  EXPECT_GE(within, kGroups * 93 / 100);
  EXPECT_LE(within, kGroups * 98 / 100);
}

TEST(Difference, AllocationsHaveTheBoundsOfTheirSamples) {
  auto profile = [](int64_t samples) {
    Profile made;
    made.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes", 512 << 10}};
    made.metadata.event = "alloc";
    LabelSetId labels = made.label_set({{std::string(kSizeLabel), "", 16, "bytes"}});
    for (auto [name, count] : {std::pair("hot", samples), std::pair("rest", int64_t{1000})})
      add(made, {{name, kJava}, {"A", FrameKind::kClass}}, {count << 15, count << 19}, labels);
    return made;
  };
  for (Lens lens : {Lens::kUsual, Lens::kSamples}) {
    DifferenceOptions options;
    options.write.lens = lens;
    EXPECT_TRUE(method({profile(100), profile(125), options}, "hot").total_change.is_noise());
    EXPECT_FALSE(method({profile(100), profile(135), options}, "hot").total_change.is_noise());
  }
}

TEST(Difference, WithoutBoundsEveryChangeCounts) {
  Profile exact;
  exact.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"}};
  add(exact, {{"main", kJava}}, {10, 160});
  Profile more;
  more.value_types = exact.value_types;
  add(more, {{"main", kJava}}, {11, 176});
  Difference made(exact, more, in_amounts());
  EXPECT_FALSE(made.bounds_known());
  EXPECT_FALSE(method(made, "main").self_change.is_noise());
}

TEST(Difference, FramesWithGeneratedNumbersAreTheSame) {
  Difference made = difference("[main tid=1];user/f/fn--12 5\n", "[main tid=9];user/f/fn--77 5\n");
  EXPECT_EQ(write_difference_collapsed(made, {}), "[main];user/f/fn 5 5\n");
}

TEST(Difference, ReportsWhyTwoCannotBeCompared) {
  Profile wall = cpu({{"x", {1, 10}}}), alloc;
  wall.value_types[1].type = "wall";
  alloc.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"}};
  add(alloc, {{"x", kJava}}, {1, 10});
  Profile plain = cpu({{"x", {1, 10}}});
  EXPECT_EQ(why_not(plain, wall), "one is of cpu, the other of wall");
  EXPECT_EQ(why_not(plain, alloc), "one is of cpu, the other of alloc");
  EXPECT_EQ(why_not(alloc, read_collapsed("a 1\n")), "one is of alloc, the other of samples");
  EXPECT_EQ(why_not(plain, read_collapsed("a 1\n")), "") << "samples are samples";
  DifferenceOptions wants_wall;
  wants_wall.write.event = "wall";
  EXPECT_EQ(why_not(plain, wall, wants_wall), "the profile has no event wall; it has cpu");
  DifferenceOptions wants_label;
  wants_label.write.labels = {{"thread", "main"}};
  Profile labelled = cpu({});
  add(labelled, {{"x", kJava}}, {1, 10}, labelled.label_set({{"thread", "main", 0, ""}}));
  EXPECT_EQ(why_not(labelled, labelled, wants_label), "");
  EXPECT_EQ(why_not(labelled, plain, wants_label).rfind("after: the profile has no label thread; ", 0), 0u);
  EXPECT_EQ(why_not(plain, cpu({})), "the profile after has no stack with any weight");
  EXPECT_EQ(why_not(cpu({{"x", {0, 0}}}), plain), "the profile before has no stack with any weight");
  EXPECT_EQ(why_not(plain, cpu({{"x", {-1, 10}}})), "the profile after has negative values (a difference of profiles)");
}

TEST(Difference, OfSeveralEventsOneThatBothHave) {
  auto both = [](int64_t wall) {
    Profile profile;
    profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}, {"wall", "nanoseconds"}};
    add(profile, {{"x", kJava}}, {10, 100, 0});
    add(profile, {{"y", kJava}}, {10, 0, wall});
    return profile;
  };
  EXPECT_EQ(Difference(both(1), both(2), {}).event(), "cpu");
  DifferenceOptions options;
  options.write.event = "wall";
  Difference made(both(100), both(200), options);
  EXPECT_EQ(made.total(0), 100);
  EXPECT_EQ(made.total(1), 200);
  EXPECT_EQ(made.values().size(), 2u);
  Profile only_wall = cpu({{"y", {10, 100}}});
  only_wall.value_types[1].type = "wall";
  EXPECT_EQ(Difference(both(100), only_wall, {}).event(), "wall");
}

TEST(Difference, CountsAtTheEndOfTheScaleStayThere) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  std::string huge = formatted("a;b {0}\na;c {0}\na;b;b {0}\n", kMost);
  for (const DifferenceOptions& options : {DifferenceOptions{}, in_amounts()}) {
    Difference made = difference(huge, "a;b 1\n", options);
    EXPECT_EQ(made.total(0), kMost);
    EXPECT_TRUE(std::isfinite(method(made, "c").total_change.change()));
    EXPECT_EQ(word(method(made, "c")), "vanished");
    EXPECT_FALSE(write_difference_json(made, options).empty());
    EXPECT_FALSE(write_difference_page(made, options).empty());
  }
}

TEST(Difference, DepthCostsNoStack) {
  std::string deep;
  for (int i = 0; i < 200'000; i++) deep += formatted("f{};", i % 1000);
  Difference made = difference(deep + "x 10\n", deep + "y 10\n");
  EXPECT_EQ(word(method(made, "x")), "vanished");
  EXPECT_EQ(made.tree().size(), 200'002u);
  EXPECT_FALSE(write_difference_page(made, {}).empty());
}

TEST(Difference, JsonHasBothSidesAndEachChange) {
  DifferenceOptions options;
  options.names[0] = "old \xff";
  options.limit = 1;
  auto json = nlohmann::json::parse(write_difference_json(
      {cpu({{"x", {100, 1000}}, {"y", {900, 9000}}}), cpu({{"x", {500, 5000}}, {"y", {500, 5000}}}), options},
      options));
  EXPECT_EQ(json["before"]["total"], 10000);
  EXPECT_EQ(json["after"]["name"], "after");
  EXPECT_EQ(json["event"], "cpu");
  EXPECT_EQ(json["value"]["unit"], "nanoseconds");
  ASSERT_EQ(json["methods"].size(), 1u);
  const nlohmann::json& x = json["methods"][0];
  EXPECT_EQ(x["change"], "grew");
  EXPECT_EQ(x["self"]["before"], 1000);
  EXPECT_NEAR(x["self"]["change"], 0.4, 1e-12);
  EXPECT_EQ(x["self"]["noise"], false);
}

TEST(Difference, APageCarriesBothAndIsNoProfile) {
  DifferenceOptions options;
  options.names[0] = "</script><script>alert(1)</script>";
  Difference made = difference("a;</script> 5\n", "a;</script> 6\n", options);
  std::string page = write_difference_page(made, options);
  EXPECT_EQ(page.find("alert(1)"), page.find("alert(1)&lt;/script")) << "names are escaped";
  try {
    read_flame_graph(page);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("difference of two profiles"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace hearth::profile
