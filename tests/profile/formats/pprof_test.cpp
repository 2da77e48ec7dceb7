#include <gtest/gtest.h>

#include <algorithm>

#include "profile/codec/deflate.h"
#include "profile/codec/proto.h"
#include "profile/formats/formats.h"
#include "profile/model/quality.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

using namespace proto;

// Builds a profile.proto as some other tool might.
class ForeignProfile {
 public:
  ForeignProfile() {
    id("");
    std::string type;
    put_number(type, value_type_field::kType, id("cpu"));
    put_number(type, value_type_field::kUnit, id("nanoseconds"));
    put_bytes(messages_, profile_field::kSampleType, type);
  }

  int64_t id(std::string_view text) {
    put_bytes(strings_, profile_field::kStringTable, text);
    return next_string_++;
  }
  void function(int64_t number, std::string_view name) {
    std::string message;
    put_number(message, function_field::kId, number);
    put_number(message, function_field::kName, id(name));
    put_bytes(messages_, profile_field::kFunction, message);
  }
  // Lines innermost first, as pprof keeps inlined calls.
  void location(int64_t number, std::initializer_list<int64_t> functions, int64_t address = 0, int64_t mapping = 0) {
    std::string message;
    put_number(message, location_field::kId, number);
    put_number(message, location_field::kMappingId, mapping);
    put_number(message, location_field::kAddress, address);
    for (int64_t function : functions) {
      std::string line;
      put_number(line, line_field::kFunctionId, function);
      put_number(line, line_field::kLine, 10 * function);
      put_bytes(message, location_field::kLine, line);
    }
    put_bytes(messages_, profile_field::kLocation, message);
  }
  void mapping(int64_t number, std::string_view file) {
    std::string message;
    put_number(message, mapping_field::kId, number);
    put_number(message, mapping_field::kFileName, id(file));
    put_bytes(messages_, profile_field::kMapping, message);
  }
  // Unpacked numbers, and fields that nobody knows.
  void sample(std::initializer_list<int64_t> locations, std::initializer_list<int64_t> values) {
    std::string message;
    for (int64_t location : locations) put_number(message, sample_field::kLocationId, location);
    for (int64_t value : values) put_number(message, sample_field::kValue, value);
    put_bytes(message, 99, "unknown");
    put_tag(message, 98, Wire::kFixed64);
    message += "12345678";
    put_tag(message, 97, Wire::kFixed32);
    message += "1234";
    put_bytes(messages_, profile_field::kSample, message);
  }
  void raw(uint32_t field, std::string_view message) { put_bytes(messages_, field, message); }
  std::string bytes() const { return messages_ + strings_; }

 private:
  std::string messages_;
  std::string strings_;
  int64_t next_string_ = 0;
};

TEST(Pprof, ReadsItsOwnOutput) {
  Profile profile = sample_profile();
  StringId file = profile.string("parse.clj");
  FunctionId function =
      profile.function({profile.string("user/f"), profile.string("user$f.invoke"), file, FrameKind::kC1});
  int64_t values[] = {1, 7};
  for (uint32_t line : {10u, 20u}) profile.add(profile.child(0, profile.location(function, line)), 0, values);
  profile.metadata.comments = {"somebody's own"};

  Profile read = read_pprof(write_pprof(profile, {}));
  EXPECT_EQ(dump(read), dump(profile));
  EXPECT_EQ(read.quality.notes, profile.quality.notes);
  EXPECT_EQ(quality_lines(read.quality), quality_lines(profile.quality));
  EXPECT_EQ(read.metadata.event, "cpu");
  EXPECT_EQ(read.metadata.title, "A <test> & more");
  EXPECT_EQ(read.metadata.interval, 1'000'000);
  EXPECT_EQ(read.metadata.start_unix_ns, 1'700'000'000'123'000'000);
  EXPECT_EQ(read.metadata.duration_ns, 10'000'000'000);
  EXPECT_EQ(read.metadata.producer, "hearth 0.1.0");
  EXPECT_EQ(read.metadata.runtime, profile.metadata.runtime);
  EXPECT_EQ(read.metadata.program, profile.metadata.program);
  EXPECT_EQ(read.metadata.pid, profile.metadata.pid);
  EXPECT_EQ(read.metadata.host, profile.metadata.host);
  EXPECT_EQ(read.metadata.comments, profile.metadata.comments);
  EXPECT_EQ(read.value_types.back().unit, "nanoseconds");
  EXPECT_EQ(write_pprof(read, {}), write_pprof(read_pprof(write_pprof(read, {})), {}));
}

TEST(Pprof, TheDataOfErrorBoundsSurvives) {
  Profile profile;
  profile.value_types = {
      {"inuse_objects", "count"}, {"inuse_space", "bytes", 4096, 8192}, {"alloc_space", "bytes", 512}};
  add(profile, {{"f", FrameKind::kJit}}, {1, 16, 16});
  Profile read = read_pprof(write_pprof(profile, {}));
  for (size_t i = 0; i < profile.value_types.size(); ++i) {
    EXPECT_EQ(read.value_types[i].interval, profile.value_types[i].interval) << i;
    EXPECT_EQ(read.value_types[i].threshold, profile.value_types[i].threshold) << i;
  }
  EXPECT_TRUE(read.metadata.comments.empty());
}

TEST(Pprof, EveryKindSurvives) {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  for (int kind = 0; kind < kFrameKinds; ++kind)
    add(profile, {{"same name", static_cast<FrameKind>(kind)}}, {kind + 1});
  EXPECT_EQ(dump(read_pprof(write_pprof(profile, {}))), dump(profile));
}

TEST(Pprof, NegativeValuesSurvive) {
  Profile profile = read_collapsed("a -5\nb 9223372036854775807\nc -9223372036854775808\n");
  EXPECT_EQ(dump(read_pprof(write_pprof(profile, {}))), dump(profile));
}

TEST(Pprof, FiltersStacks) {
  WriteOptions options;
  options.exclude = {"clojure.main/*"};
  EXPECT_EQ(write_collapsed(read_pprof(write_pprof(sample_profile(), options)), {}),
            "[GC Thread#0 tid=7];G1ParTask::work;memcpy 1\n");
}

TEST(Pprof, ReadsProfilesOfOthers) {
  ForeignProfile file;
  file.mapping(1, "/usr/lib/libthing.so.1");
  file.mapping(2, "[kernel.kallsyms]");
  file.location(1000000007, {1});
  file.location(2, {3, 2});
  file.location(3, {}, 0x4f0, 1);
  file.location(4, {}, 0x4f0);
  file.location(5, {4}, 0, 2);
  file.function(1, "main.main");
  file.function(2, "outer");
  file.function(3, "inlined");
  file.function(4, "sys_read");
  file.sample({2, 1000000007}, {5});
  file.sample({5, 3, 2, 1000000007}, {7});
  file.sample({4}, {1});
  for (const std::string& bytes : {file.bytes(), deflate(file.bytes(), Wrapping::kGzip)}) {
    EXPECT_EQ(write_collapsed(read(bytes), {}),
              "0x4f0 1\nmain.main;outer;inlined 5\nmain.main;outer;inlined;[libthing.so.1];sys_read_[k] 7\n");
  }
  Profile profile = read_pprof(file.bytes());
  EXPECT_NE(dump(profile).find("outer|4|:20 inlined|4|:30"), std::string::npos) << dump(profile);
  EXPECT_TRUE(profile.quality.engine.empty());
}

TEST(Pprof, OlderFilesHaveTheirCommentsWithoutASign) {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  profile.metadata.comments = {"hearth.samples=7", "hearth.engine=ctimer", "hearth.note=a note", "hearth.event=cpu"};
  add(profile, {{"f", FrameKind::kJit}}, {1}, 0);
  Profile read = read_pprof(write_pprof(profile, {}));
  EXPECT_EQ(read.quality.samples, 7u);
  EXPECT_EQ(read.quality.engine, "ctimer");
  EXPECT_EQ(read.quality.notes, std::vector<std::string>{"a note"});
  EXPECT_EQ(read.metadata.event, "cpu");
  EXPECT_TRUE(read.metadata.comments.empty());
}

// Such characters in names and labels are left to the program that shows them.
TEST(Pprof, ControlCharactersStayOutOfMetadata) {
  const std::string escape = "\x1b[31m\n", shown = "\uFFFD[31m ";
  Profile profile;
  profile.value_types = {{"samples" + escape, "count" + escape}};
  add(profile, {{"f", FrameKind::kJit}}, {1}, profile.label_set({{"key" + escape, "", 1, "unit" + escape}}));
  constexpr std::string Metadata::*kTexts[] = {&Metadata::title,    &Metadata::event,   &Metadata::runtime,
                                               &Metadata::producer, &Metadata::program, &Metadata::pid};
  for (std::string Metadata::*text : kTexts) profile.metadata.*text = escape;
  profile.metadata.comments = {"somebody's" + escape};
  profile.quality.engine = escape;
  profile.quality.notes = {escape};
  profile.quality.failures = {{escape, 1}};
  profile.quality.without_symbols = {{escape, 1}};
  for (Format format : {Format::kPprof, Format::kFlameGraph}) {
    Profile read = profile::read(write(profile, format, {}));
    EXPECT_EQ(read.value_types[0].type, "samples" + shown);
    EXPECT_EQ(read.value_types[0].unit, "count" + shown);
    EXPECT_EQ(read.label_sets()[1][0].key, "key" + shown);
    EXPECT_EQ(read.label_sets()[1][0].unit, "unit" + shown);
    for (std::string Metadata::*text : kTexts) EXPECT_EQ(read.metadata.*text, shown);
    EXPECT_EQ(read.quality.engine, shown);
    EXPECT_EQ(read.quality.notes, std::vector<std::string>{shown});
    EXPECT_EQ(read.quality.failures.begin()->first, shown);
    EXPECT_EQ(read.quality.without_symbols.begin()->first, shown);
  }
  EXPECT_EQ(read_pprof(write_pprof(profile, {})).metadata.comments, profile.metadata.comments);
}

TEST(Pprof, ReportsTheError) {
  auto error = [](const ForeignProfile& file) -> std::string {
    try {
      read_pprof(file.bytes());
    } catch (const FormatError& problem) {
      return problem.what();
    }
    return "no error";
  };
  ForeignProfile location;
  location.sample({9}, {1});
  EXPECT_NE(error(location).find("location 9 is not in it"), std::string::npos) << error(location);
  ForeignProfile values;
  values.sample({}, {1, 2});
  EXPECT_NE(error(values).find("values of a sample: 2, value types of the profile: 1"), std::string::npos);
  ForeignProfile function;
  function.location(1, {5});
  EXPECT_NE(error(function).find("function 5 is not in it"), std::string::npos);
  ForeignProfile string;
  string.raw(profile_field::kFunction, std::string("\x10\x7F", 2));
  EXPECT_NE(error(string).find("string 127 is not in the string table"), std::string::npos);
  ForeignProfile cut;
  cut.raw(profile_field::kSample, "\x0A\x7F");
  EXPECT_NE(error(cut).find("it ends too early"), std::string::npos);
}

TEST(Pprof, InlinedFramesCannotEatTheMemory) {
  ForeignProfile file;
  file.function(1, "f");
  std::string message;
  std::string line;
  put_number(line, line_field::kFunctionId, 1);
  put_number(message, location_field::kId, 1);
  for (int i = 0; i < 10'000; ++i) put_bytes(message, location_field::kLine, line);
  file.raw(profile_field::kLocation, message);
  std::string sample;
  put_bytes(sample, sample_field::kLocationId, std::string(10'000, '\1'));
  put_number(sample, sample_field::kValue, 1);
  file.raw(profile_field::kSample, sample);
  EXPECT_THROW(read_pprof(file.bytes()), FormatError);
}

}  // namespace
}  // namespace hearth::profile
