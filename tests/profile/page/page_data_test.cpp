#include "profile/page/page_data.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profile/codec/bytes.h"
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
  int64_t values[] = {1, 200};
  profile.add(profile.child(0, profile.location(profile.function("c", FrameKind::kCpp), 300)), 0, values);
  std::string payload = encode_page_data(profile, {});
  ByteReader reader(payload, "it");
  reader.take(reader.varint());
  const std::string names("\0\2aa\1\1b\0\1c", 10);
  const std::string frames("\0\2\0\1\6\0\2\4\0\2\5\xAC\2", 13);
  const std::string levels_up("\0\0\1\2\1", 5);
  const std::string frame_of_node("\0\0\1\2\3", 5);
  const std::string rows_of_node("\0\1\1\1\1", 5);
  const std::string samples("\2\1\3\1", 4);
  const std::string cpu("\5\xAC\2\6\xC8\1", 6);
  EXPECT_EQ(reader.take(reader.left()), names + frames + levels_up + frame_of_node + rows_of_node + samples + cpu);
}

TEST(PageData, TheHeaderDescribesTheData) {
  WriteOptions options;
  options.lens = Lens::kTotal;
  options.reverse = true;
  options.minwidth = 0.5;
  options.lines = true;
  nlohmann::json header = header_of(encode_page_data(sample_profile(), options));
  EXPECT_EQ(header["format"], 2);
  EXPECT_EQ(header["title"], "A <test> & more");
  EXPECT_EQ(header["event"], "cpu");
  EXPECT_EQ(header["lens"], 1);
  EXPECT_EQ(header["values"],
            nlohmann::json::parse(
                R"([{"type":"samples","unit":"count","samples":8},{"type":"cpu","unit":"nanoseconds","samples":8}])"));
  EXPECT_EQ(
      header["view"],
      nlohmann::json::parse(
          R"({"reverse":true,"inverted":false,"minwidth":0.5,"kinds":false,"lines":true,"sort":"name","highlights":[],"tree":false})"));
  EXPECT_EQ(header["transforms"], nlohmann::json::array());
  EXPECT_EQ(header["labels"], nlohmann::json::parse(R"([{"key":"request_bytes","unit":"bytes"},{"key":"thread"}])"));
  EXPECT_EQ(header["time"], nullptr);
  EXPECT_EQ(header["interval"], 1'000'000);
  EXPECT_EQ(header["start_unix_ms"], 1'700'000'000'123);
  EXPECT_EQ(header["duration_ns"], 10'000'000'000);
  EXPECT_EQ(header["producer"], "hearth 0.1.0");
  EXPECT_EQ(header["quality"]["engine"], "perf_events");
  EXPECT_EQ(header["names"], 10);
  EXPECT_EQ(header["frames"], 12);
  EXPECT_EQ(header["nodes"], 12);
  EXPECT_EQ(header["words"], 1);
  EXPECT_EQ(header["label_sets"], 1);
  EXPECT_EQ(header["rows"], 6);
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

TEST(PageData, ReadsItsOwnOutput) {
  WriteOptions options;
  options.annotate = true;
  std::string payload = encode_page_data(sample_profile(), options);
  Profile read = decoded(payload);
  EXPECT_EQ(encode_page_data(read, options), payload);
  EXPECT_EQ(dump(read), dump(sample_profile()));
}

TEST(PageData, TheDataOfErrorBoundsSurvives) {
  Profile profile;
  profile.value_types = {{"inuse_objects", "count"}, {"inuse_space", "bytes", 4096, 8192}};
  add(profile, {{"f", FrameKind::kJit}}, {1, 16});
  std::string payload = encode_page_data(profile, {});
  EXPECT_EQ(header_of(payload)["values"], nlohmann::json::parse(R"([{"type":"inuse_objects","unit":"count"},
                                          {"type":"inuse_space","unit":"bytes","interval":4096,"threshold":8192,"deviations":true}])"));
  Profile read = decoded(payload);
  EXPECT_EQ(read.value_types[0].threshold, 0);
  EXPECT_EQ(read.value_types[1].threshold, 8192);
  EXPECT_EQ(read.value_types[1].interval, 4096);
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
  EXPECT_EQ(write_collapsed(decoded(payload), {}), "bad\uFFFD name 1\n");
}

TEST(PageData, NegativeValuesAreRefused) {
  EXPECT_THROW(encode_page_data(read_collapsed("a -1\n"), {}), FormatError);
}

TEST(PageData, MinwidthKeepsTheTotal) {
  WriteOptions options;
  options.minwidth = 20;
  Profile read = decoded(encode_page_data(read_collapsed("a;b 90\na;c 5\nd 5\n"), options));
  EXPECT_EQ(write_collapsed(read, {}), "[below minwidth] 5\na;[below minwidth] 5\na;b 90\n");
}

std::string payload_of(const std::string& header, const std::string& rest) {
  std::string payload;
  put_varint(payload, header.size());
  return payload + header + rest;
}

TEST(PageData, RefusesOtherPayloads) {
  auto header = [](const char* counts) {
    return R"({"format":2,"values":[{"type":"samples","unit":"count"}],"labels":[{"key":"k"}],)" + std::string(counts) +
           "}";
  };
  const char* one_frame = R"("names":1,"frames":1,"nodes":0,"words":0,"label_sets":0,"rows":0)";
  const char* one_node = R"("names":1,"frames":1,"nodes":1,"words":0,"label_sets":0,"rows":1)";
  const char* one_set = R"("names":1,"frames":1,"nodes":1,"words":1,"label_sets":1,"rows":1)";
  const std::string bad[] = {
      "",
      "\x05",
      payload_of("[]", ""),
      payload_of(R"({"format":3})", ""),
      payload_of(R"({"format":2})", ""),
      payload_of(header(R"("names":0,"frames":0)"), ""),
      payload_of(header(R"("names":-1,"frames":0,"nodes":0,"words":0,"label_sets":0,"rows":0)"), ""),
      payload_of(header(R"("names":1000000000000,"frames":0,"nodes":0,"words":0,"label_sets":0,"rows":0)"), "abc"),
      payload_of(header(R"("names":0,"frames":0,"nodes":0,"words":0,"label_sets":0,"rows":9,"time":{})"), "abc"),
      payload_of(header(R"("names":0,"frames":0,"nodes":0,"words":0,"label_sets":0,"rows":0,
                           "time":{"step_ns":-1,"count":1})"),
                 ""),
      payload_of(header(one_frame), std::string("\0\1a\1\2\0", 6)),
      payload_of(header(one_frame), std::string("\0\1a\0\x20\0", 6)),
      payload_of(header(one_frame), std::string("\0\1a\0\2\x80\x80\x80\x80\x70", 10)),
      payload_of(header(one_node), std::string("\0\1a\0\2\0\1\0\1\1", 10)),
      payload_of(header(one_node), std::string("\0\1a\0\2\0\0\1\1\1", 10)),
      payload_of(header(one_node), std::string("\0\1a\0\2\0\0\0\2\1", 10)),
      payload_of(header(one_node), std::string("\0\1a\0\2\0\0\0\0\1", 10)),
      payload_of(header(one_set), std::string("\0\1a\0\2\0\0\0\0\1b\1\1\0\1\1\1", 17)),
      payload_of(header(one_set), std::string("\0\1a\0\2\0\0\0\0\1b\1\0\1\1\1\1", 17)),
      payload_of(header(one_set), std::string("\0\1a\0\2\0\0\0\0\1b\1\0\0\1\2\1", 17)),
  };
  for (const std::string& payload : bad) EXPECT_THROW(decoded(payload), FormatError) << payload;
  std::string good = payload_of(header(one_node), std::string("\0\1a\0\2\7\0\0\1\1", 10));
  EXPECT_EQ(dump(decoded(good)), "a|2|:7 samples=1 \n");
  good = payload_of(header(one_set), std::string("\0\1a\0\2\0\0\0\0\1b\1\0\0\1\1\1", 17));
  EXPECT_EQ(dump(decoded(good)), "a|2|:0 samples=1 <k:b0>\n");
}

TEST(PageData, ReadsTheFirstFormat) {
  const char* header = R"({"format":1,"values":[{"type":"samples","unit":"count"},
      {"type":"cpu","unit":"nanoseconds","deviations":true}],"names":2,"frames":2,"nodes":3,"mixed":1})";
  const std::string names("\0\1a\0\1b", 6), frames("\0\2\1\4", 4), levels_up("\0\0\1", 3);
  const std::string frame_of_node("\0\1\0", 3), samples("\0\1\2", 3), cpu("\0\7\x08", 3), deviations("\0\1\1", 3);
  const std::string mixed("\0\2\0\1\2\1", 6);
  Profile read =
      decoded(payload_of(header, names + frames + levels_up + frame_of_node + samples + cpu + deviations + mixed));
  EXPECT_EQ(dump(read), "a|2|:0 a|2|:0 samples=2 cpu=8 \na|2|:0 b|4|:0 samples=1 cpu=7 \n");
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
  const char* names =
      R"({"format":2,"values":[],"labels":[],"names":100000,"frames":0,"nodes":0,"words":0,"label_sets":0,"rows":0})";
  EXPECT_THROW(decoded(payload_of(names, rest)), FormatError);
  const char* words =
      R"({"format":2,"values":[],"labels":[],"names":0,"frames":0,"nodes":0,"words":100000,"label_sets":0,"rows":0})";
  EXPECT_THROW(decoded(payload_of(words, rest)), FormatError);
}

}  // namespace
}  // namespace hearth::profile
