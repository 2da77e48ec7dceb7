#include "launcher/leaks/holders.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/formatted.h"
#include "launcher/commands/leaks_command.h"
#include "profile/analysis/stack_key.h"
#include "profile/formats/formats.h"

namespace hearth::launcher {
namespace {

constexpr const char* kValue = "inuse_space";

profile::Profile live_of(int64_t bytes) {
  profile::Profile profile;
  profile.value_types = {{kValue, "bytes"}};
  profile::FunctionId function = profile.function("leak", profile::FrameKind::kNative);
  profile.add(profile.child(0, profile.location(function, 0)), profile.label_set({}), &bytes);
  return profile;
}

// One site leaks.
Leaks leaks_on_heap() {
  Leaks leaks;
  leaks.kinds.push_back({"Objects on the heap", "live", {}});
  for (int64_t bytes : {0, 100'000, 200'000}) {
    profile::Profile look = live_of(bytes);
    leaks.kinds[0].sites.add(look, kValue);
    leaks.last = std::move(look);
  }
  leaks.seconds_apart = 36;
  leaks.looks = 3;
  return leaks;
}

std::string reply() {
  return formatted(R"({{"sites": [{{"site": "{:x}", "searched": 8, "found": 4, "holders": [
      {{"path": ["static A.map", "java.util.HashMap.table", "byte[]"], "objects": 3}},
      {{"path": ["JNI global reference", "byte[]"], "objects": 1}}]}}],
      "objects": 1234567, "seconds": 1.25, "pause_seconds": 0.002, "notes": ["the search was stopped"]}})",
                   profile::stack_key({"leak"}));
}

TEST(Holders, AreAskedForSitesThatLeak) {
  Leaks leaks = leaks_on_heap();
  std::vector<Site> sites = leaks.kinds[0].sites.sites(leaks.seconds_apart);
  EXPECT_EQ(holders_command(sites, 10, "s"), formatted("heap-holders={:x},session=s", profile::stack_key({"leak"})));
  EXPECT_EQ(holders_command(sites, 0, "s"), "");
  sites[0].leaks = false;
  EXPECT_EQ(holders_command(sites, 10, "s"), "");
}

TEST(Holders, AreBelowTheirSite) {
  Leaks leaks = leaks_on_heap();
  leaks.holders = parse_holders(reply());
  std::string text = leaks_text(leaks, 10, {});
  EXPECT_NE(text.find("held by static A.map → HashMap.table → byte[], and 1 other path\n"), std::string::npos) << text;
  EXPECT_NE(text.find("The search for holders of the objects met 1,234,567 others in 1.2 s; the search was stopped\n"),
            std::string::npos)
      << text;
  auto json = nlohmann::json::parse(leaks_json(leaks, 1));
  EXPECT_EQ(json["kinds"][0]["sites"][0]["holders"][0]["path"][1], "java.util.HashMap.table");
  EXPECT_EQ(json["kinds"][0]["sites"][0]["holders_searched"], 8);
  EXPECT_EQ(json["holder_search"]["objects"], 1'234'567);
  profile::Profile page = profile::read(leaks_page(leaks));
  std::vector<std::string> frames = profile::frames_of(page, page.sample(0).stack);
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[1], "[held by static A.map → HashMap.table → byte[]]");
}

TEST(Holders, MayBeUnknown) {
  Leaks leaks = leaks_on_heap();
  HolderReport& report = leaks.holders.emplace();
  report.sites[profile::stack_key({"leak"})].searched = 8;
  EXPECT_NE(leaks_text(leaks, 10, {}).find("held by nothing that the search found\n"), std::string::npos);
  report = {};
  report.failure = "the JVM ends";
  EXPECT_NE(leaks_text(leaks, 10, {}).find("Holders of the objects were not found: the JVM ends\n"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(leaks_json(leaks, 1))["holder_search"]["failure"], "the JVM ends");
  EXPECT_THROW(parse_holders("{}"), Error);
  EXPECT_THROW(parse_holders("no JSON"), Error);
}

TEST(Holders, HaveNoPackagesOfTheJdk) {
  EXPECT_EQ(
      holder_text({{"static com.acme.A.map", "java.util.concurrent.ConcurrentHashMap$Node[]",
                    "(java.util.A.b → java.lang.C.d) × 4", "local of thread x in java.lang.Thread.run", "byte[]"}}),
      "static com.acme.A.map → ConcurrentHashMap$Node[] → (A.b → C.d) × 4 → local of thread x in Thread.run → "
      "byte[]");
  EXPECT_EQ(holder_text({{"java.util", "java."}}), "util → ");
}

}  // namespace
}  // namespace hearth::launcher
