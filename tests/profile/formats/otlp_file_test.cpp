#include <gtest/gtest.h>

#include "profile/codec/deflate.h"
#include "profile/codec/proto.h"
#include "profile/formats/formats.h"
#include "profile/model/event_view.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

using proto::put_bytes;
using proto::put_number;

Profile back(const Profile& profile, const WriteOptions& options = {}) {
  return read(write(profile, Format::kOtlp, options));
}

// All events, with times and a span.
Profile several_events() {
  Profile profile;
  profile.value_types = {{"samples", "count"},
                         {"cpu", "nanoseconds", 20},
                         {"wall", "nanoseconds", 500},
                         {"alloc_objects", "count"},
                         {"alloc_space", "bytes", 2048, 4096}};
  profile.metadata.event = "cpu, wall, alloc";
  profile.metadata.shown_event = "wall";
  profile.metadata.start_unix_ns = 1'795'420'800'000'000'000;
  profile.metadata.duration_ns = 100'000'000;
  profile.metadata.time_step_ns = 20'000'000;
  LabelSetId labels = profile.label_set({{"endpoint", "/a", 0, ""},
                                         {"span_id", "00f067aa0ba902b7", 0, ""},
                                         {"state", "socket", 0, ""},
                                         {"thread", "main", 0, ""},
                                         {"tid", "", 7, ""},
                                         {"trace_id", "4bf92f3577b34da6a3ce929d0e0e4736", 0, ""}});
  NodeId node = stack(profile, {{"a/B.main", FrameKind::kJit}, {"read", FrameKind::kNative}});
  int64_t cpu[] = {1, 10, 0, 0, 0}, wall[] = {2, 0, 20, 0, 0}, allocated[] = {0, 0, 0, 3, 64};
  profile.add(node, labels, cpu, 0);
  profile.add(node, labels, wall, 3);
  profile.add(node, 0, allocated, 4);
  profile.add(node, 0, allocated, 4);
  return profile;
}

TEST(OtlpFile, KeepsValuesLabelsAndTimes) {
  Profile profile = several_events();
  Profile read = back(profile);
  EXPECT_EQ(dump(read), dump(profile));
  ASSERT_EQ(read.value_types.size(), profile.value_types.size());
  for (size_t type = 0; type < read.value_types.size(); type++) {
    EXPECT_EQ(read.value_types[type].interval, profile.value_types[type].interval) << type;
    EXPECT_EQ(read.value_types[type].threshold, profile.value_types[type].threshold) << type;
  }
  EXPECT_EQ(read.metadata.shown_event, "wall");
  EXPECT_EQ(read.metadata.event, profile.metadata.event);
  EXPECT_EQ(read.metadata.start_unix_ns, profile.metadata.start_unix_ns);
  EXPECT_EQ(read.metadata.duration_ns, profile.metadata.duration_ns);
}

TEST(OtlpFile, KeepsQualityAndMetadata) {
  Profile profile = sample_profile(), read = back(profile);
  EXPECT_EQ(write_collapsed(read, {}), write_collapsed(profile, {}));
  for (std::string Metadata::*text :
       {&Metadata::title, &Metadata::producer, &Metadata::runtime, &Metadata::program, &Metadata::pid})
    EXPECT_EQ(read.metadata.*text, profile.metadata.*text);
  EXPECT_EQ(read.quality.failures, profile.quality.failures);
  EXPECT_EQ(read.quality.notes, profile.quality.notes);
  EXPECT_EQ(read.quality.samples, 8u);
  WriteOptions titled;
  titled.title = "Mine";
  EXPECT_EQ(back(profile, titled).metadata.title, "Mine");
}

TEST(OtlpFile, IsTheSameOfTheSame) {
  std::string once = write(several_events(), Format::kOtlp, {});
  EXPECT_EQ(write(several_events(), Format::kOtlp, {}), once);
  std::string again = write(read(once), Format::kOtlp, {});  // with the producer, which it did not have
  EXPECT_EQ(write(read(again), Format::kOtlp, {}), again);
  EXPECT_EQ(dump(read(deflate(once, Wrapping::kGzip))), dump(several_events())) << "of a compressed one, too";
}

TEST(OtlpFile, HasTheSelectedStacksAndTheShownEventFirst) {
  WriteOptions options;
  options.include = {"*parse*"};
  EXPECT_EQ(write_collapsed(back(sample_profile(), options), {}), write_collapsed(sample_profile(), options));
  options = {};
  options.event = "alloc";
  EXPECT_EQ(back(several_events(), options).metadata.shown_event, "alloc");
}

TEST(OtlpFile, HasTheValuesOfAProfileWithoutEvents) {
  Profile plain = read_collapsed("a;b 3\na;c 4\n");
  EXPECT_EQ(write_collapsed(back(plain), {}), "a;b 3\na;c 4\n");
  EXPECT_EQ(back(plain).quality.samples, 7u);
}

// A file as others write one: strings of the dictionary from 1 on, a stack of one location with two inlined functions.
struct Foreign {
  std::string dictionary, profiles;

  Foreign() {
    put_bytes(dictionary, 1, "");
    std::string mapping, location, second, function, other, line, caller, locations;
    put_number(mapping, 4, 5);
    put_bytes(dictionary, 1, mapping);
    put_number(line, 1, 1);
    put_number(line, 2, 12);
    put_number(caller, 1, 2);
    put_bytes(location, 3, line);
    put_bytes(location, 3, caller);
    put_number(second, 1, 1);
    put_number(second, 2, 0x123);
    put_bytes(dictionary, 2, "");
    put_bytes(dictionary, 2, location);
    put_bytes(dictionary, 2, second);
    put_number(function, 1, 3);
    put_number(other, 1, 4);
    put_bytes(dictionary, 3, "");
    put_bytes(dictionary, 3, function);
    put_bytes(dictionary, 3, other);
    for (const char* text :
         {"", "cpu", "nanoseconds", "inner", "outer", "/usr/lib/libx.so", "samples", "count", "alloc_space", "By"})
      put_bytes(dictionary, 5, text);
    put_varint(locations, 1);
    put_varint(locations, 2);
    std::string stack;
    put_bytes(stack, 1, locations);
    put_bytes(dictionary, 7, "");
    put_bytes(dictionary, 7, stack);
  }

  static std::string type(int64_t name, int64_t unit) {
    std::string message;
    put_number(message, 1, name);
    put_number(message, 2, unit);
    return message;
  }
  void add(const std::string& type, const std::string& period_type, int64_t period, const std::string& sample) {
    std::string profile;
    put_bytes(profile, 1, type);
    put_bytes(profile, 2, sample);
    proto::put_fixed64(profile, 3, 1'000'000'000'000);
    put_number(profile, 4, 1'000'000'000);
    if (!period_type.empty()) put_bytes(profile, 5, period_type);
    put_number(profile, 6, period);
    put_bytes(profiles, 2, profile);
  }
  std::string file() const {
    std::string bytes, resource;
    put_bytes(resource, 2, profiles);
    put_bytes(bytes, 2, dictionary);
    put_bytes(bytes, 1, resource);
    return bytes;
  }
};

std::string sample_of(const std::vector<int64_t>& values, const std::vector<uint64_t>& times = {}) {
  std::string message, packed, stamps;
  put_number(message, 1, 1);
  for (int64_t value : values) put_varint(packed, static_cast<uint64_t>(value));
  for (uint64_t time : times) proto::append_fixed64(stamps, time);
  if (!values.empty()) put_bytes(message, 4, packed);
  if (!times.empty()) put_bytes(message, 5, stamps);
  return message;
}

constexpr const char* kStack = "[libx.so]|4|:0 outer|4|:0 inner|4|:12 ";

TEST(OtlpFile, CountsSamplesWithAPeriodOfTimeAsTime) {
  Foreign foreign;
  foreign.add(Foreign::type(6, 7), Foreign::type(1, 2), 10, sample_of({}, {1'000'000'000'000, 1'000'500'000'000}));
  Profile profile = read(foreign.file());
  EXPECT_EQ(dump(profile), std::string(kStack) + "samples=1 cpu=10 @0\n" + kStack + "samples=1 cpu=10 @25\n");
  EXPECT_EQ(profile.metadata.event, "cpu");
  EXPECT_EQ(profile.quality.samples, 2u);
  EXPECT_EQ(interval_of(profile, 1), 10);
}

TEST(OtlpFile, CountsObjectsThatAreNotCounted) {
  Foreign foreign;
  foreign.add(Foreign::type(8, 9), "", 0, sample_of({64, 32}));
  foreign.add(Foreign::type(1, 2), Foreign::type(1, 2), 5, sample_of({15}));
  Profile profile = read(foreign.file());
  EXPECT_EQ(dump(profile), std::string(kStack) + "samples=1 cpu=15 alloc_objects=2 alloc_space=96 \n");
  EXPECT_EQ(profile.metadata.event, "cpu, alloc");
  EXPECT_EQ(profile.metadata.shown_event, "alloc") << "the first";
}

std::string refusal_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(OtlpFile, RefusesWhatIsNoneOrDamaged) {
  Foreign foreign;
  foreign.add(Foreign::type(8, 9), "", 0, sample_of({64, 32}, {1}));
  EXPECT_NE(refusal_of(foreign.file()).find("a sample has 2 values and 1 times"), std::string::npos);
  std::string two = foreign.file() + foreign.file();
  EXPECT_NE(refusal_of(two).find("several dictionaries"), std::string::npos);
  Foreign beyond;
  beyond.add(Foreign::type(99, 9), "", 0, "");
  EXPECT_NE(refusal_of(beyond.file()).find("string 99 is not in its table"), std::string::npos);
  std::string ours = write(several_events(), Format::kOtlp, {});
  constexpr size_t kLeast = 4;  // of what does not look like text
  for (size_t size = kLeast; size < ours.size(); size++) EXPECT_THROW(read(ours.substr(0, size)), FormatError) << size;
}

}  // namespace
}  // namespace hearth::profile
