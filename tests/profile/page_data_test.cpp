#include "profile/page_data.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profile/bytes.h"
#include "profile/call_tree.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

nlohmann::json header_of(std::string_view payload) {
  ByteReader reader(payload, "it");
  return nlohmann::json::parse(reader.take(reader.varint()));
}

TEST(PageData, BytesAreAsDescribed) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  add(profile, {{"aa", FrameKind::kJit}, {"ab", FrameKind::kKernel}}, {1, 300});
  add(profile, {{"aa", FrameKind::kJit}, {"aa", FrameKind::kJit}}, {2, 5});
  add(profile, {{"c", FrameKind::kNative}}, {3, 6});
  add(profile, {{"c", FrameKind::kCpp}}, {1, 200});
  std::string payload = encode_page_data(profile, {});
  ByteReader reader(payload, "it");
  reader.take(reader.varint());
  const std::string names("\0\2aa\1\1b\0\1c", 10);
  const std::string frames("\0\2\1\6\2\5", 6);
  const std::string levels_up("\0\0\1\2", 4);
  const std::string frame_of_node("\0\0\1\2", 4);
  const std::string samples("\0\2\1\4", 4);
  const std::string cpu("\0\5\xAC\2\xCE\1", 6);
  const std::string kinds_of_c("\3\2\4\6\5\xC8\1", 7);
  EXPECT_EQ(reader.take(reader.left()), names + frames + levels_up + frame_of_node + samples + cpu + kinds_of_c);
}

TEST(PageData, HeaderSaysWhatThereIs) {
  WriteOptions options;
  options.lens = Lens::kTotal;
  options.reverse = true;
  options.minwidth = 0.5;
  nlohmann::json header = header_of(encode_page_data(sample_profile(), options));
  EXPECT_EQ(header["format"], 1);
  EXPECT_EQ(header["title"], "A <test> & more");
  EXPECT_EQ(header["event"], "cpu");
  EXPECT_EQ(header["lens"], 1);
  EXPECT_EQ(header["values"],
            nlohmann::json::parse(R"([{"type":"samples","unit":"count"},{"type":"cpu","unit":"nanoseconds"}])"));
  EXPECT_EQ(header["view"], nlohmann::json::parse(R"({"reverse":true,"inverted":false,"minwidth":0.5})"));
  EXPECT_EQ(header["interval"], 1'000'000);
  EXPECT_EQ(header["start_unix_ms"], 1'700'000'000'123);
  EXPECT_EQ(header["duration_ns"], 10'000'000'000);
  EXPECT_EQ(header["producer"], "hearth 0.1.0");
  EXPECT_EQ(header["quality"]["engine"], "perf_events");
  EXPECT_EQ(header["names"], 10);
  EXPECT_EQ(header["frames"], 10);
  EXPECT_EQ(header["nodes"], 10);
}

TEST(PageData, OpensOnAllocatedBytes) {
  Profile profile;
  profile.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"}};
  add(profile, {{"byte[]", FrameKind::kClass}}, {5, 500});
  auto first = [&](Lens lens, const std::string& event = "") {
    WriteOptions options;
    options.lens = lens;
    options.event = event;
    return header_of(encode_page_data(profile, options))["lens"].get<int>();
  };
  EXPECT_EQ(first(Lens::kUsual), 1);
  EXPECT_EQ(first(Lens::kTotal), 1);
  EXPECT_EQ(first(Lens::kSamples), 0);
  profile = {};
  profile.value_types = {{"samples", "count"},     {"cpu", "nanoseconds"},     {"alloc_objects", "count"},
                         {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}};
  add(profile, {{"byte[]", FrameKind::kClass}}, {1, 10, 5, 500, 2, 200});
  EXPECT_EQ(first(Lens::kUsual), 5);
  EXPECT_EQ(first(Lens::kSamples), 4);
  EXPECT_EQ(first(Lens::kSamples, "alloc"), 2);
  EXPECT_EQ(first(Lens::kSamples, "cpu"), 1);
}

TEST(PageData, ReadsWhatItWrites) {
  WriteOptions options;
  options.annotate = true;
  std::string payload = encode_page_data(sample_profile(), options);
  Profile read = decode_page_data(payload);
  EXPECT_EQ(encode_page_data(read, options), payload);
  EXPECT_EQ(write_collapsed(read, options), write_collapsed(sample_profile(), options));
}

TEST(PageData, WhatBoundsAreMadeOfSurvives) {
  Profile profile;
  profile.value_types = {{"inuse_objects", "count"}, {"inuse_space", "bytes", 4096, 8192}};
  add(profile, {{"f", FrameKind::kJit}}, {1, 16});
  std::string payload = encode_page_data(profile, {});
  EXPECT_EQ(header_of(payload)["values"], nlohmann::json::parse(R"([{"type":"inuse_objects","unit":"count"},
                                          {"type":"inuse_space","unit":"bytes","interval":4096,"threshold":8192,"deviations":true}])"));
  Profile read = decode_page_data(payload);
  EXPECT_EQ(read.value_types[0].threshold, 0);
  EXPECT_EQ(read.value_types[1].threshold, 8192);
  EXPECT_EQ(read.value_types[1].interval, 4096);
}

TEST(PageData, DeviationsAreFoldedWithTheirNodes) {
  Profile profile;
  profile.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes", 1 << 20}};
  for (const char* leaf : {"a", "b", "c"})
    add(profile, {{"f", FrameKind::kJit}, {leaf, FrameKind::kClass}}, {100, 1600});
  CallTree tree = call_tree(profile, {});
  EXPECT_TRUE(tree.variance[0].empty()) << "of objects whose size is not told";
  ASSERT_EQ(tree.variance[1].size(), 4U);
  CallTree folded = fold_small_nodes(tree, 50, 1);
  ASSERT_EQ(folded.size(), 2U);
  EXPECT_EQ(folded.variance[1], (std::vector<int64_t>{0, 3 * tree.variance[1][1]}));
}

TEST(PageData, EqualProfilesGiveEqualBytes) {
  Profile one = read_collapsed("a;b 1\na;c 2\nd 3\n");
  Profile other = read_collapsed("d 3\na;c 1\na;b 1\na;c 1\n");
  EXPECT_EQ(encode_page_data(one, {}), encode_page_data(other, {}));
}

TEST(PageData, BadUtf8IsReplaced) {
  Profile profile = read_collapsed("bad\xFF name 1\n");
  profile.metadata.title = "also \xFF";
  std::string payload = encode_page_data(profile, {});
  EXPECT_EQ(header_of(payload)["title"], "also \uFFFD");
  EXPECT_EQ(write_collapsed(decode_page_data(payload), {}), "bad\uFFFD name 1\n");
}

TEST(PageData, NegativeValuesAreRefused) {
  EXPECT_THROW(encode_page_data(read_collapsed("a -1\n"), {}), FormatError);
}

TEST(PageData, MinwidthKeepsTheTotal) {
  WriteOptions options;
  options.minwidth = 20;
  Profile read = decode_page_data(encode_page_data(read_collapsed("a;b 90\na;c 5\nd 5\n"), options));
  EXPECT_EQ(write_collapsed(read, {}), "[below minwidth] 5\na;[below minwidth] 5\na;b 90\n");
}

std::string payload_of(const std::string& header, const std::string& rest) {
  std::string payload;
  put_varint(payload, header.size());
  return payload + header + rest;
}

TEST(PageData, RefusesOtherPayloads) {
  auto header = [](const char* counts) {
    return R"({"format":1,"values":[{"type":"samples","unit":"count"}],)" + std::string(counts) + "}";
  };
  const std::string bad[] = {
      "",
      "\x05",
      payload_of("[]", ""),
      payload_of(R"({"format":2})", ""),
      payload_of(R"({"format":1})", ""),
      payload_of(header(R"("names":0,"frames":0)"), ""),
      payload_of(header(R"("names":-1,"frames":0,"nodes":0)"), ""),
      payload_of(header(R"("names":1000000000000,"frames":0,"nodes":0)"), "abc"),
      payload_of(header(R"("names":1,"frames":0,"nodes":0)"), std::string("\1\1a", 3)),
      payload_of(header(R"("names":1,"frames":1,"nodes":0)"), std::string("\0\1a\1\2", 5)),
      payload_of(header(R"("names":1,"frames":1,"nodes":0)"), std::string("\0\1a\0\x20", 5)),
      payload_of(header(R"("names":1,"frames":1,"nodes":1)"), std::string("\0\1a\0\2\1\0\1", 8)),
      payload_of(header(R"("names":1,"frames":1,"nodes":1)"), std::string("\0\1a\0\2\0\1\1", 8)),
  };
  for (const std::string& payload : bad) EXPECT_THROW(decode_page_data(payload), FormatError) << payload;
  std::string good = payload_of(header(R"("names":1,"frames":1,"nodes":1)"), std::string("\0\1a\0\2\0\0\1", 8));
  EXPECT_EQ(write_collapsed(decode_page_data(good), {}), "a 1\n");
}

TEST(PageData, SharedPrefixesCannotEatTheMemory) {
  constexpr int kNames = 100'000;
  std::string rest;
  put_varint(rest, 0);
  put_varint(rest, 1 << 20);
  rest += std::string(1 << 20, 'a');
  for (int i = 1; i < kNames; ++i) {
    put_varint(rest, 1 << 20);
    put_varint(rest, 0);
  }
  std::string header = R"({"format":1,"values":[],"names":100000,"frames":0,"nodes":0})";
  EXPECT_THROW(decode_page_data(payload_of(header, rest)), FormatError);
}

}  // namespace
}  // namespace hearth::profile
