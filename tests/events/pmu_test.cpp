// Units that count events, as the kernel describes them: a made-up unit in a folder.
#include "events/cpu/pmu.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::events {
namespace {

class PmuTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "unit/events");
    std::filesystem::create_directories(folder_ / "unit/format");
    put("type", "47\n");
    put("events/hits", "event=0x12,umask=0x3\n");
    put("events/hits.scale", "0.5\n");
    put("format/event", "config:0-7,32-35\n");
    put("format/umask", "config:8-15\n");
    put("format/edge", "config:18\n");
    put("format/address", "config1:0-63\n");
    put("format/odd", "elsewhere:0-7\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void put(const std::string& name, const std::string& text) { std::ofstream(folder_ / "unit" / name) << text; }

  std::string refusal_of(std::string_view terms) const {
    try {
      pmu().config_of(terms);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }
  Pmu pmu() const { return Pmu("unit", folder_); }

  const std::filesystem::path folder_ = std::filesystem::temp_directory_path() / formatted("hearth-pmu-{}", getpid());
};

TEST_F(PmuTest, TermsArePutWhereTheirFormatSays) {
  EXPECT_EQ(pmu().type(), 47U);
  EXPECT_EQ(pmu().config_of("event=0x12,umask=3").config, 0x312U);
  EXPECT_EQ(pmu().config_of("event=0xf12").config, 0xf00000012U) << "bits in two places";
  EXPECT_EQ(pmu().config_of("event=0x12,edge").config, 0x40012U);
  EXPECT_EQ(pmu().config_of("address=0xffffffffffffffff").config1, UINT64_MAX);
  EXPECT_EQ(pmu().config_of("config=0x77,config2=5").config2, 5U);
}

TEST_F(PmuTest, EventsHaveNames) {
  EXPECT_EQ(pmu().config_of("hits").config, 0x312U);
  EXPECT_EQ(pmu().events(), std::vector<std::string>{"hits"});
  EXPECT_EQ(refusal_of("misses"), (folder_ / "unit").string() + " has no event misses; it has hits");
}

TEST_F(PmuTest, WhatTheUnitLacksIsRefused) {
  EXPECT_EQ(Pmu("other", folder_).type(), std::nullopt);
  EXPECT_EQ(Pmu("../unit", folder_).type(), std::nullopt) << "a name is no path";
  for (const char* terms :
       {"event=0xffff", "umask=256", "colour=1", "event=x", "odd=1", "event=1,/etc/passwd=1", "../type"})
    EXPECT_NE(refusal_of(terms), "accepted") << terms;
}

}  // namespace
}  // namespace hearth::events
