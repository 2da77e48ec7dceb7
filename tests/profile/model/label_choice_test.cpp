#include "profile/model/label_choice.h"

#include <gtest/gtest.h>

#include "base/formatted.h"
#include "profile/formats/formats.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr auto kJava = FrameKind::kJit;

// Three requests of two endpoints, their sizes, one thread frame and a sample without labels.
Profile requests() {
  Profile profile = counted();
  auto labels = [&](const char* endpoint, const char* tenant, int64_t size) {
    return profile.label_set({{"endpoint", endpoint, 0, ""}, {"tenant", tenant, 0, ""}, {"bytes", "", size, "bytes"}});
  };
  add(profile, {{"get", kJava}}, {1}, labels("/get", "a", 16));
  add(profile, {{"put", kJava}}, {2}, labels("/put", "a", 1024));
  add(profile, {{"put", kJava}, {"copy", kJava}}, {4}, labels("/put", "b", 16));
  add(profile, {{"[GC tid=7]", FrameKind::kThread}, {"mark", kJava}}, {8});
  add(profile, {{"idle", kJava}}, {16});
  return profile;
}

std::vector<LabelChoice> choices(std::initializer_list<const char*> texts) {
  std::vector<LabelChoice> choices;
  for (const char* text : texts) choices.push_back(label_choice(text));
  return choices;
}

// The sum of the remaining samples.
int64_t weight(const Profile& profile, std::initializer_list<const char*> texts) {
  Profile part = only_labelled(profile, choices(texts));
  int64_t sum = 0;
  for (size_t index = 0; index < part.sample_count(); ++index) sum += part.values(index)[0];
  return sum;
}

std::string refusal(const Profile& profile, std::initializer_list<const char*> texts) {
  try {
    only_labelled(profile, choices(texts));
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(LabelChoice, IsPartedAtTheFirstColon) {
  LabelChoice choice = label_choice("endpoint:/a:b");
  EXPECT_EQ(choice.key, "endpoint");
  EXPECT_EQ(choice.value, "/a:b");
  EXPECT_EQ(label_choice("endpoint:").value, "");
  for (const char* wrong : {"", "endpoint", ":x", ":"}) EXPECT_THROW(label_choice(wrong), FormatError) << wrong;
}

TEST(LabelChoice, AnyValueOfAKeyAndAllKeys) {
  Profile profile = requests();
  EXPECT_EQ(weight(profile, {"endpoint:/put"}), 6);
  EXPECT_EQ(weight(profile, {"endpoint:/put", "endpoint:/get"}), 7);
  EXPECT_EQ(weight(profile, {"endpoint:/put", "tenant:a"}), 2);
  EXPECT_EQ(weight(profile, {"tenant:a", "endpoint:/put", "tenant:b"}), 6);
}

TEST(LabelChoice, StarsAndSamplesWithoutTheLabel) {
  Profile profile = requests();
  EXPECT_EQ(weight(profile, {"endpoint:*ut"}), 6);
  EXPECT_EQ(weight(profile, {"endpoint:/g*"}), 1);
  EXPECT_EQ(weight(profile, {"endpoint:*"}), 7);
  EXPECT_EQ(weight(profile, {"endpoint:"}), 24);
  EXPECT_EQ(weight(profile, {"endpoint:", "endpoint:/get"}), 25);
}

TEST(LabelChoice, NumbersGoByTheirDigits) {
  Profile profile = requests();
  EXPECT_EQ(weight(profile, {"bytes:16"}), 5);
  EXPECT_EQ(weight(profile, {"bytes:16 bytes"}), 5);
  EXPECT_EQ(weight(profile, {"bytes:1*"}), 7);
  EXPECT_EQ(weight(profile, {"bytes:"}), 24);
}

TEST(LabelChoice, AThreadIsALabelOfItsStacks) {
  EXPECT_EQ(weight(requests(), {"thread:GC"}), 8);
  EXPECT_EQ(weight(requests(), {"thread:"}), 23);
  EXPECT_EQ(weight(read_collapsed("[main tid=1];a 3\n[other tid=2];a 4\n"), {"thread:main"}), 3);
  EXPECT_EQ(weight(sample_profile(), {"thread:main"}), 3);
}

TEST(LabelChoice, APartIsMarkedAsOne) {
  Profile profile = sample_profile();
  Profile part = only_labelled(profile, choices({"thread:main"}));
  EXPECT_EQ(part.metadata.title, "A <test> & more, only thread:main");
  EXPECT_EQ(part.metadata.duration_ns, profile.metadata.duration_ns);
  EXPECT_EQ(part.quality.samples, profile.quality.samples);
  ASSERT_EQ(part.quality.notes.size(), 2u);
  EXPECT_EQ(part.quality.notes[1], "only thread:main; quality figures cover all samples of the profile");
  EXPECT_EQ(dump(part),
            "clojure.main/main|2|:0 cheshire.parse/parse*|2|:0 samples=3 cpu=3000000 "
            "<request_bytes:512bytes><thread:main0>\n");
  EXPECT_EQ(choices_text(choices({"tenant:a", "endpoint:/x", "endpoint:"})), "endpoint:/x or , tenant:a");
}

TEST(LabelChoice, TimesAreKept) {
  Profile profile = counted();
  profile.metadata.time_step_ns = 20'000'000;
  int64_t one = 1;
  NodeId node = stack(profile, {{"f", kJava}});
  LabelSetId label = profile.label_set({{"thread", "main", 0, ""}});
  for (TimeStep time = 0; time < 3; time++) profile.add(node, time == 1 ? 0 : label, &one, time);
  Profile part = only_labelled(profile, choices({"thread:main"}));
  EXPECT_EQ(dump(part), "f|2|:0 samples=1 <thread:main0>@0\nf|2|:0 samples=1 <thread:main0>@2\n");
}

TEST(LabelChoice, AMissingValueIsNamed) {
  Profile profile = requests();
  EXPECT_EQ(refusal(profile, {"endpont:/get"}),
            "the profile has no label endpont; did you mean endpoint? it has bytes, endpoint, tenant, thread");
  EXPECT_EQ(refusal(profile, {"endpoint:/pet"}),
            "no sample has label endpoint:/pet; did you mean /put? values are /put, /get");
  EXPECT_EQ(refusal(profile, {"endpoint:/get", "endpoint:nothing"}),
            "no sample has label endpoint:nothing; values are /put, /get");
  EXPECT_EQ(refusal(profile, {"endpoint:/get", "tenant:b"}), "no sample has endpoint:/get, tenant:b at once");
  EXPECT_EQ(refusal(only_labelled(profile, choices({"tenant:*"})), {"tenant:"}),
            "no sample lacks label tenant; values are b, a");
  EXPECT_EQ(refusal(read_collapsed("a 1\n"), {"x:y"}),
            "the profile has no label x; it has none; collapsed stacks keep only threads, when made with -t");
}

TEST(LabelChoice, RefusalsAreShortHoweverMuchThereIs) {
  Profile profile = counted();
  for (int i = 0; i < 5000; i++) {
    LabelSetId label = profile.label_set({{"id", std::string(500, 'x') + std::to_string(i), 0, ""}});
    add(profile, {{"f", kJava}}, {5000 - i}, label);
  }
  std::string text = refusal(profile, {"id:no"});
  EXPECT_LT(text.size(), 700u);
  EXPECT_NE(text.find("… and 4992 more"), std::string::npos) << text;
}

TEST(LabelChoice, EveryFormatIsOfThePart) {
  WriteOptions options;
  options.labels = choices({"endpoint:/get"});
  Profile profile = requests();
  EXPECT_EQ(write(profile, Format::kCollapsed, options), "get 1\n");
  for (Format format : {Format::kPprof, Format::kFlameGraph}) {
    Profile again = read(write(profile, format, options));
    EXPECT_EQ(again.sample_count(), 1u);
    EXPECT_EQ(again.metadata.title, "only endpoint:/get");
    ASSERT_EQ(again.quality.notes.size(), 1u);
  }
  for (Format format : {Format::kFlat, Format::kTraces}) {
    std::string text = write(profile, format, options);
    EXPECT_NE(text.find("only endpoint:/get;"), std::string::npos) << text;
    EXPECT_EQ(text.find("idle"), std::string::npos) << text;
  }
  options.labels = choices({"endpoint:no"});
  EXPECT_THROW(write(profile, Format::kPprof, options), FormatError);
}

}  // namespace
}  // namespace hearth::profile
