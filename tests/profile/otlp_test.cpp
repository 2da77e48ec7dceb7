#include "profile/otlp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "profile/proto.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

using namespace proto;

// Fields of one message, by number: numbers as they are, the rest as bytes.
struct Fields {
  std::map<uint32_t, std::vector<std::string>> bytes;
  std::map<uint32_t, std::vector<int64_t>> numbers;

  explicit Fields(std::string_view message) {
    for (ByteReader reader(message, "test"); !reader.at_end();) {
      uint64_t tag = reader.varint();
      auto field = static_cast<uint32_t>(tag >> 3);
      switch (static_cast<Wire>(tag & 7)) {
        case Wire::kBytes:
          bytes[field].emplace_back(reader.take(reader.varint()));
          break;
        case Wire::kFixed64:
          numbers[field].push_back(0);
          std::memcpy(&numbers[field].back(), reader.take(8).data(), 8);
          break;
        default:
          numbers[field].push_back(static_cast<int64_t>(reader.varint()));
      }
    }
  }
  Fields at(uint32_t field, size_t index = 0) const { return Fields(bytes.at(field).at(index)); }
  int64_t number(uint32_t field) const { return numbers.count(field) > 0 ? numbers.at(field).at(0) : 0; }
  std::vector<int64_t> packed(uint32_t field) const {
    std::vector<int64_t> values;
    if (bytes.count(field) == 0) return values;
    for (ByteReader reader(bytes.at(field).at(0), "test"); !reader.at_end();)
      values.push_back(static_cast<int64_t>(reader.varint()));
    return values;
  }
};

// A request, by the numbers of profiles.proto of opentelemetry-proto 1.11.0.
class Request {
 public:
  explicit Request(const std::string& bytes) : request_(bytes), dictionary_(request_.at(2)) {}

  const Fields& dictionary() const { return dictionary_; }
  Fields resource() const { return request_.at(1).at(1); }
  Fields scope() const { return request_.at(1).at(2).at(1); }
  std::vector<Fields> profiles() const {
    std::vector<Fields> all;
    Fields scope = request_.at(1).at(2);
    for (const std::string& bytes : scope.bytes[2]) all.emplace_back(bytes);
    return all;
  }
  const std::string& string(int64_t index) const { return dictionary_.bytes.at(5).at(static_cast<size_t>(index)); }
  std::string type(const Fields& value_type) const {
    return string(value_type.number(1)) + "/" + string(value_type.number(2));
  }
  std::string attributes(const std::vector<int64_t>& indices) const {
    std::string text;
    for (int64_t index : indices) {
      Fields pair = dictionary_.at(6, static_cast<size_t>(index));
      Fields value = pair.at(2);
      std::string shown = value.bytes.count(1) > 0 ? value.bytes[1][0] : std::to_string(value.number(3));
      text += " " + string(pair.number(1)) + "=" + shown;
    }
    return text;
  }
  // "outer(type);inner(type):line key=value 5"
  std::string sample(const std::string& bytes) const {
    Fields sample(bytes);
    std::vector<int64_t> locations = dictionary_.at(7, static_cast<size_t>(sample.number(1))).packed(1);
    std::string text;
    for (auto index = locations.rbegin(); index != locations.rend(); ++index) {
      Fields location = dictionary_.at(2, static_cast<size_t>(*index));
      Fields line = location.at(3);
      Fields function = dictionary_.at(3, static_cast<size_t>(line.number(1)));
      text += (text.empty() ? "" : ";") + string(function.number(1)) + ":" + std::to_string(line.number(2));
    }
    return text + attributes(sample.packed(2)) + " " + std::to_string(sample.packed(4).at(0));
  }
  std::vector<std::string> samples(size_t profile) const {
    std::vector<std::string> all;
    Fields one = profiles().at(profile);
    for (const std::string& bytes : one.bytes[2]) all.push_back(sample(bytes));
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  Fields request_, dictionary_;
};

OtlpSource source() {
  return {
      {{"service.name", "checkout", 0, ""}, {"process.pid", "", 7, ""}}, "1.2.3", 1'795'420'800'000'000'001, 60'000};
}

NodeId stack_at(Profile* profile, FrameKind kind, uint32_t line) {
  return profile->child(0, profile->location(profile->function("a.Main.work", kind), line));
}

Profile several_events() {
  Profile profile;
  profile.value_types = {{"samples", "count"},
                         {"cpu", "nanoseconds", 20},
                         {"wall", "nanoseconds", 500},
                         {"alloc_objects", "count"},
                         {"alloc_space", "bytes", 2048}};
  LabelSetId labels = profile.label_set({{"endpoint", "/a", 0, ""}, {"thread", "main", 0, ""}, {"tid", "", 0, ""}});
  NodeId stack = stack_at(&profile, FrameKind::kJit, 12);
  int64_t cpu[] = {1, 10, 0, 0, 0}, wall[] = {1, 0, 20, 0, 0}, allocated[] = {0, 0, 0, 3, 64};
  for (const int64_t* values : {cpu, wall, allocated}) profile.add(stack, labels, values);
  return profile;
}

TEST(Otlp, HasAProfileForEachAmount) {
  Request request(write_otlp(several_events(), source()));
  std::vector<std::string> types, periods;
  for (const Fields& profile : request.profiles()) {
    types.push_back(request.type(profile.at(1)));
    periods.push_back(profile.bytes.count(5) > 0 ? request.type(profile.at(5)) + " " + std::to_string(profile.number(6))
                                                 : "");
    EXPECT_EQ(profile.number(3), 1'795'420'800'000'000'001);
    EXPECT_EQ(profile.number(4), 60'000);
  }
  EXPECT_EQ(types, (std::vector<std::string>{"cpu/nanoseconds", "wall/nanoseconds", "alloc_space/bytes",
                                             "alloc_objects/count"}));
  EXPECT_EQ(periods,
            (std::vector<std::string>{"cpu/nanoseconds 20", "wall/nanoseconds 500", "alloc_space/bytes 2048", ""}));
  std::string sample = "a.Main.work:12 endpoint=/a thread.name=main thread.id=0 ";
  EXPECT_EQ(request.samples(0), std::vector<std::string>{sample + "10"});
  EXPECT_EQ(request.samples(1), std::vector<std::string>{sample + "20"});
  EXPECT_EQ(request.samples(2), std::vector<std::string>{sample + "64"});
  EXPECT_EQ(request.samples(3), std::vector<std::string>{sample + "3"});
}

TEST(Otlp, SaysWhoseItIs) {
  Request request(write_otlp(several_events(), source()));
  Fields pid = request.resource().at(1, 1);
  EXPECT_EQ(request.resource().at(1).bytes[1][0], "service.name");
  EXPECT_EQ(request.resource().at(1).at(2).bytes[1][0], "checkout");
  EXPECT_EQ(pid.bytes[1][0], "process.pid");
  EXPECT_EQ(pid.at(2).number(3), 7);
  EXPECT_EQ(request.scope().bytes[1][0], "hearth");
  EXPECT_EQ(request.scope().bytes[2][0], "1.2.3");
}

TEST(Otlp, TablesBeginWithNothing) {
  Request request(write_otlp(several_events(), source()));
  for (uint32_t table : {1, 2, 3, 5, 6, 7}) EXPECT_EQ(request.dictionary().bytes.at(table).at(0), "") << table;
  EXPECT_EQ(request.dictionary().at(4).bytes[1][0].size(), 16u);
  EXPECT_EQ(request.dictionary().at(4).bytes[2][0].size(), 8u);
  for (const auto& [table, items] : request.dictionary().bytes) {
    std::vector<std::string> sorted = items;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end()) << table;
  }
}

// A sample is what its stack and attributes are.
TEST(Otlp, IsOneSampleWhereOnlyTheTimeOrTheCompilerDiffer) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  profile.metadata.time_step_ns = 1000;
  int64_t values[] = {1, 5};
  for (TimeStep time : {1, 2}) profile.add(stack_at(&profile, FrameKind::kJit, 1), 0, values, time);
  profile.add(stack_at(&profile, FrameKind::kInterpreted, 1), 0, values, 3);
  profile.add(stack_at(&profile, FrameKind::kNative, 1), 0, values, 3);
  Request request(write_otlp(profile, source()));
  EXPECT_EQ(request.samples(0), (std::vector<std::string>{"a.Main.work:1 15", "a.Main.work:1 5"}));
  std::vector<std::string> kinds;
  for (size_t location : {1, 2}) kinds.push_back(request.attributes(request.dictionary().at(2, location).packed(4)));
  std::sort(kinds.begin(), kinds.end());
  EXPECT_EQ(kinds, (std::vector<std::string>{" profile.frame.type=jvm", " profile.frame.type=native"}));
}

TEST(Otlp, HasNoProfileOfAnEventWithoutSamples) {
  Profile idle;
  idle.value_types = several_events().value_types;
  EXPECT_TRUE(Request(write_otlp(idle, source())).profiles().empty());
}

TEST(Otlp, ReadsWhatAServerSays) {
  std::string partial, reply;
  put_number(partial, 1, 2);
  put_bytes(partial, 2, "too old");
  put_bytes(reply, 1, partial);
  EXPECT_EQ(read_otlp_reply(reply).rejected, 2);
  EXPECT_EQ(read_otlp_reply(reply).message, "too old");
  EXPECT_EQ(read_otlp_reply("").rejected, 0);
  EXPECT_THROW(read_otlp_reply(reply.substr(0, reply.size() - 1)), FormatError);

  std::string status;
  put_number(status, 1, 3);
  put_bytes(status, 2, "no such stack");
  EXPECT_EQ(read_otlp_error(status), "no such stack");
  EXPECT_THROW(read_otlp_error("\x12\x7fhalf"), FormatError);
}

}  // namespace
}  // namespace hearth::profile
