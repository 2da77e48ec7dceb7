#include "http/routes/profile_formats.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_profile.h"

namespace hearth::http {
namespace {

TEST(ProfileFormats, WordsAndEndings) {
  EXPECT_EQ(format_of("flamegraph").word, "html");
  EXPECT_EQ(format_of("pb.gz").word, "pprof");
  EXPECT_THROW(format_of("xml"), Refusal);
  EXPECT_EQ(id_and_format("a-1.pb.gz").first, "a-1");
  EXPECT_EQ(id_and_format("a-1.pb.gz").second->word, "pprof");
  EXPECT_EQ(id_and_format("a-1").second, nullptr);
  EXPECT_EQ(id_and_format(".html").second, nullptr);
}

// The form of profile::dump: a profile's stacks with their values, in an order of their own.
TEST(ProfileFormats, JsonHasEverySample) {
  profile::Profile profile = profile::sample_profile();
  nlohmann::json json = nlohmann::json::parse(write_json(profile));
  ASSERT_EQ(json["samples"].size(), profile.sample_count());
  ASSERT_EQ(json["frames"].size(), profile.functions().size());
  EXPECT_EQ(json["event"], profile.metadata.event);
  EXPECT_EQ(json["values"].size(), profile.value_types.size());
  EXPECT_EQ(json["quality"]["samples"], profile.quality.samples);
  bool has_labels = false;
  for (size_t i = 0; i < profile.sample_count(); i++) {
    const nlohmann::json& sample = json["samples"][i];
    for (size_t value = 0; value < profile.value_types.size(); value++)
      EXPECT_EQ(sample["values"][value], profile.values(i)[value]);
    profile::NodeId node = profile.sample(i).stack;
    for (size_t depth = sample["stack"].size(); depth > 0; depth--) {
      EXPECT_EQ(json["frames"][sample["stack"][depth - 1].get<size_t>()]["name"],
                std::string(profile.function_name(profile.function_of(node))));
      node = profile.nodes()[node].parent;
    }
    EXPECT_EQ(node, 0u);
    EXPECT_EQ(sample.contains("labels"), profile.sample(i).labels != 0);
    has_labels |= sample.contains("labels");
  }
  EXPECT_TRUE(has_labels);
}

TEST(ProfileFormats, JsonHasTheStacksThatTheOptionsChoose) {
  profile::Profile profile = profile::sample_profile();
  auto json_of = [&](const profile::WriteOptions& options) {
    return nlohmann::json::parse(write_json(profile, options));
  };
  profile::WriteOptions options;
  options.title = "Before the change";
  EXPECT_EQ(json_of(options)["title"], options.title);
  options.include = {"*parse*"};
  size_t with = json_of(options)["samples"].size();
  EXPECT_GT(with, 0u);
  options.exclude = options.include;
  options.include.clear();
  EXPECT_EQ(json_of(options)["samples"].size() + with, profile.sample_count());
}

}  // namespace
}  // namespace hearth::http
