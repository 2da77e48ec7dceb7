// Small files that expand to very much: they are refused, and at once.
#include <gtest/gtest.h>

#include <chrono>

#include "base/formatted.h"
#include "profile/codec/bytes.h"
#include "profile/codec/deflate.h"
#include "profile/codec/proto.h"
#include "profile/formats/formats.h"
#include "profile/page/flame_graph_page.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

using namespace proto;

constexpr size_t kMiB = size_t{1} << 20;

// Of a file that is read or refused; without bounds some take hours, others all memory.
std::string answer_to(const std::string& file) {
  constexpr std::chrono::seconds kLongest(60);
  auto start = std::chrono::steady_clock::now();
  std::string answer = "read";
  try {
    read(file);
  } catch (const FormatError& error) {
    answer = error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, kLongest);
  return answer;
}

bool is_refused(const std::string& file) {
  return answer_to(file).find("it unfolds to far more than a file of its size may hold") != std::string::npos;
}

std::string page_of(const std::string& header, const std::string& rest) {
  std::string payload;
  put_varint(payload, header.size());
  constexpr const char* kPage =
      "<!DOCTYPE html><title>{{HEARTH_TITLE}}</title>"
      R"(<script id="hearth-data" type="application/octet-stream">{{HEARTH_DATA}}</script>)";
  return fill_page(kPage, "t", payload + header + rest);
}

std::string header_of(size_t names, size_t frames, size_t words) {
  return formatted(
      R"({{"format":2,"values":[],"labels":[],"names":{},"frames":{},"nodes":0,"words":{},"label_sets":0,"rows":0}})",
      names, frames, words);
}

// The first in full, the others by the prefix that they share, which is the whole text.
std::string equal_texts(size_t count, size_t length) {
  std::string texts;
  put_varint(texts, 0);
  put_varint(texts, length);
  texts += std::string(length, 'a');
  for (size_t i = 1; i < count; ++i) {
    put_varint(texts, length);
    put_varint(texts, 0);
  }
  return texts;
}

TEST(HostileInput, PagesWhoseNamesShareAll) {
  constexpr size_t kNames = 257;
  std::string page = page_of(header_of(kNames, 0, 0), equal_texts(kNames, 64 * kMiB));
  EXPECT_LT(page.size(), 500'000u);
  EXPECT_TRUE(is_refused(page));
  EXPECT_TRUE(is_refused(page_of(header_of(0, 0, kNames), equal_texts(kNames, 64 * kMiB))));
}

TEST(HostileInput, PagesWhoseFramesHaveOneLongName) {
  constexpr size_t kFrames = 100'000;
  std::string rest = equal_texts(1, kMiB);
  for (size_t line = 0; line < kFrames; ++line) {
    rest += std::string("\0\2", 2);
    put_varint(rest, line);
  }
  EXPECT_TRUE(is_refused(page_of(header_of(1, kFrames, 0), rest)));
}

TEST(HostileInput, PagesThatAreAllHeader) {
  EXPECT_NE(answer_to(page_of("[" + std::string(17 * kMiB, '['), "")).find("its header is longer than 16 MiB"),
            std::string::npos);
}

// One string of 1 MiB is the name of whatever refers to it.
class LongName {
 public:
  LongName() {
    std::string type;
    put_number(type, value_type_field::kType, kType);
    put_bytes(bytes_, profile_field::kSampleType, type);
    put_bytes(bytes_, profile_field::kStringTable, "");
    put_bytes(bytes_, profile_field::kStringTable, std::string(kMiB, 'x'));
    put_bytes(bytes_, profile_field::kStringTable, "samples");
  }

  void function(int64_t number) {
    put(profile_field::kFunction, {{function_field::kId, number}, {function_field::kName, kName}});
  }
  void mapping(int64_t number) {
    put(profile_field::kMapping, {{mapping_field::kId, number}, {mapping_field::kFileName, kName}});
  }
  void location(int64_t number, int64_t mapping) {
    put(profile_field::kLocation, {{location_field::kId, number}, {location_field::kMappingId, mapping}});
  }
  void location_in_function(int64_t number, int64_t function, int lines = 1) {
    std::string message;
    put_number(message, location_field::kId, number);
    for (int i = 0; i < lines; ++i) {
      std::string line;
      put_number(line, line_field::kFunctionId, function);
      put_number(line, line_field::kLine, number + i);
      put_bytes(message, location_field::kLine, line);
    }
    put_bytes(bytes_, profile_field::kLocation, message);
  }
  void sample(int64_t location) {
    put(profile_field::kSample, {{sample_field::kLocationId, location}, {sample_field::kValue, 1}});
  }
  void comment() { put_number(bytes_, profile_field::kComment, kName); }
  void value_type() { put_bytes(bytes_, profile_field::kSampleType, ""); }

  const std::string& plain() const { return bytes_; }
  std::string compressed() const { return deflate(bytes_, Wrapping::kGzip); }
  bool refused() const { return is_refused(plain()) && is_refused(compressed()); }

 private:
  static constexpr int64_t kName = 1, kType = 2;

  void put(uint32_t field, std::initializer_list<std::pair<uint32_t, int64_t>> numbers) {
    std::string message;
    for (const auto& [number_field, number] : numbers) put_number(message, number_field, number);
    put_bytes(bytes_, field, message);
  }

  std::string bytes_;
};

constexpr int64_t kMany = 120'000;

TEST(HostileInput, PprofFunctionsOfOneLongName) {
  LongName file;
  for (int64_t i = 1; i <= kMany; ++i) file.function(i);
  EXPECT_TRUE(file.refused());
}

TEST(HostileInput, PprofLocationsOfOneLongName) {
  LongName file;
  file.function(1);
  for (int64_t i = 1; i <= kMany; ++i) file.location_in_function(i, 1);
  EXPECT_TRUE(file.refused());
}

TEST(HostileInput, PprofMappingsOfOneLongName) {
  LongName file;
  for (int64_t i = 1; i <= kMany; ++i) {
    file.mapping(i);
    file.location(i, i);
  }
  EXPECT_TRUE(file.refused());
}

TEST(HostileInput, PprofCommentsOfOneLongText) {
  LongName file;
  for (int64_t i = 1; i <= kMany; ++i) file.comment();
  EXPECT_TRUE(file.refused());
}

TEST(HostileInput, PprofLocationsOfOneMappingAreOneFrame) {
  LongName file;
  file.mapping(1);
  for (int64_t i = 1; i <= kMany; ++i) {
    file.location(i, 1);
    file.sample(i);
  }
  EXPECT_EQ(answer_to(file.plain()), "read");
  EXPECT_EQ(read_pprof(file.compressed()).sample_count(), 1u);
}

TEST(HostileInput, PprofSamplesThatGoDownManyInlinedFramesAgain) {
  LongName file;
  file.function(1);
  constexpr int kLines = 200;
  file.location_in_function(1, 1, kLines);
  file.location_in_function(2, 1, kLines);
  for (int64_t i = 0; i < 10 * kMany; ++i) file.sample(1 + i % 2);
  EXPECT_TRUE(is_refused(file.compressed()));
}

TEST(HostileInput, PprofWithoutEndOfTypesOrLabels) {
  LongName types;
  for (size_t i = 0; i < kMostValueTypes; ++i) types.value_type();
  EXPECT_NE(answer_to(types.plain()).find("it has more than 256 value types"), std::string::npos);
  std::string sample;
  for (int i = 0; i < 10'001; ++i) put_bytes(sample, sample_field::kLabel, "");
  std::string labels = LongName().plain();
  put_bytes(labels, profile_field::kSample, sample);
  EXPECT_NE(answer_to(labels).find("a sample has more than 10000 labels"), std::string::npos);
}

// As a large program gives them: 4,300 names, and no stack like another.
TEST(HostileInput, LargeHonestProfilesAreRead) {
  constexpr uint32_t kStacks = 50'000, kNames = 4300, kDepth = 60;
  std::string stacks;
  uint32_t random = 1;
  for (uint32_t i = 0; i < kStacks; ++i) {
    for (uint32_t depth = 0; depth < kDepth; ++depth) {
      random = random * 1664525 + 1013904223;
      uint32_t choices = depth < kDepth / 2 ? 2 : kNames;
      stacks += formatted("com/example/of/some/package/Service{}.handle;", (random >> 8) % choices);
    }
    stacks += "java/lang/Thread.run 1\n";
  }
  Profile profile = read_collapsed(stacks);
  std::string pprof = write_pprof(profile, {}), page = write_flame_graph(profile, {});
  EXPECT_EQ(read(pprof).sample_count(), profile.sample_count());
  EXPECT_EQ(read(page).sample_count(), profile.sample_count());
}

}  // namespace
}  // namespace hearth::profile
