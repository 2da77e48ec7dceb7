#include "profile/otlp/otlp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "base/formatted.h"
#include "profile/codec/proto.h"
#include "profile/model/label_values.h"
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
    return text + attributes(sample.packed(2)) + link(sample.number(3)) + " " + std::to_string(sample.packed(4).at(0));
  }
  // " trace/span" in hexadecimal; "" of none.
  std::string link(int64_t index) const {
    if (index == 0) return "";
    Fields link = dictionary_.at(4, static_cast<size_t>(index));
    std::string text;
    for (uint32_t id : {1, 2}) {
      text += id == 1 ? " " : "/";
      for (char byte : link.bytes[id].at(0)) text += formatted("{:02x}", static_cast<uint8_t>(byte));
    }
    return text;
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

// The whole profile, which is small.
Request request_of(const Profile& profile) {
  Profile samples = otlp_samples(profile);
  OtlpRequest request = write_otlp(samples, 0, source());
  EXPECT_EQ(request.next, samples.sample_count());
  return Request(request.bytes);
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
  Request request = request_of(several_events());
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

TEST(Otlp, NamesTheResource) {
  Request request = request_of(several_events());
  Fields pid = request.resource().at(1, 1);
  EXPECT_EQ(request.resource().at(1).bytes[1][0], "service.name");
  EXPECT_EQ(request.resource().at(1).at(2).bytes[1][0], "checkout");
  EXPECT_EQ(pid.bytes[1][0], "process.pid");
  EXPECT_EQ(pid.at(2).number(3), 7);
  EXPECT_EQ(request.scope().bytes[1][0], "hearth");
  EXPECT_EQ(request.scope().bytes[2][0], "1.2.3");
}

TEST(Otlp, TablesBeginWithNothing) {
  Request request = request_of(several_events());
  for (uint32_t table : {1, 2, 3, 5, 6, 7}) EXPECT_EQ(request.dictionary().bytes.at(table).at(0), "") << table;
  EXPECT_EQ(request.dictionary().at(4).bytes[1][0].size(), 16u);
  EXPECT_EQ(request.dictionary().at(4).bytes[2][0].size(), 8u);
  for (const auto& [table, items] : request.dictionary().bytes) {
    std::vector<std::string> sorted = items;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end()) << table;
  }
}

// A sample is identified by its stack and attributes.
TEST(Otlp, IsOneSampleWhereOnlyTheTimeOrTheCompilerDiffer) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  profile.metadata.time_step_ns = 1000;
  int64_t values[] = {1, 5};
  for (TimeStep time : {1, 2}) profile.add(stack_at(&profile, FrameKind::kJit, 1), 0, values, time);
  profile.add(stack_at(&profile, FrameKind::kInterpreted, 1), 0, values, 3);
  profile.add(stack_at(&profile, FrameKind::kNative, 1), 0, values, 3);
  Request request = request_of(profile);
  EXPECT_EQ(request.samples(0), (std::vector<std::string>{"a.Main.work:1 15", "a.Main.work:1 5"}));
  std::vector<std::string> kinds;
  for (size_t location : {1, 2}) kinds.push_back(request.attributes(request.dictionary().at(2, location).packed(4)));
  std::sort(kinds.begin(), kinds.end());
  EXPECT_EQ(kinds, (std::vector<std::string>{" profile.frame.type=jvm", " profile.frame.type=native"}));
}

constexpr const char* kTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
constexpr const char* kSpan = "00f067aa0ba902b7";

Profile only_cpu() {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  return profile;
}

void add_in_span(Profile* profile, const char* trace, const char* span, int64_t ns, const char* thread = "main") {
  LabelSet labels = {{"thread", thread, 0, ""}};
  if (trace != nullptr) labels.push_back({"trace_id", trace, 0, ""});
  if (span != nullptr) labels.push_back({"span_id", span, 0, ""});
  int64_t values[] = {1, ns};
  profile->add(stack_at(profile, FrameKind::kJit, 1), profile->label_set(labels), values);
}

TEST(Otlp, WritesTheSpanAsALinkAndNotAsAttributes) {
  Profile profile = only_cpu();
  add_in_span(&profile, kTrace, kSpan, 1);
  add_in_span(&profile, kTrace, kSpan, 2, "other");
  add_in_span(&profile, kTrace, "ffffffffffffffff", 4);
  add_in_span(&profile, nullptr, nullptr, 8);
  Request request = request_of(profile);
  std::string main = "a.Main.work:1 thread.name=main", trace = std::string(" ") + kTrace;
  EXPECT_EQ(request.samples(0),
            (std::vector<std::string>{main + trace + "/" + kSpan + " 1", main + trace + "/ffffffffffffffff 4",
                                      main + " 8", "a.Main.work:1 thread.name=other" + trace + "/" + kSpan + " 2"}));
  EXPECT_EQ(request.dictionary().bytes.at(4).size(), 3u) << "none, and each span once";
  for (const std::string& text : request.dictionary().bytes.at(5)) EXPECT_FALSE(is_span_label(text));
}

TEST(Otlp, HasNoLinkOfASampleWithoutASpan) {
  Profile profile = only_cpu();
  const std::string zeros(32, '0'), capitals = "4BF92F3577B34DA6A3CE929D0E0E4736", more = std::string(kTrace) + "00";
  add_in_span(&profile, nullptr, nullptr, 1);
  add_in_span(&profile, "(other)", "(other)", 2);
  add_in_span(&profile, kTrace, nullptr, 4);
  add_in_span(&profile, nullptr, kSpan, 8);
  add_in_span(&profile, kTrace, "00f067aa0ba902b", 16);
  add_in_span(&profile, kTrace, "00f067aa0ba902bx", 32);
  add_in_span(&profile, more.c_str(), kSpan, 64);
  add_in_span(&profile, capitals.c_str(), kSpan, 128);
  add_in_span(&profile, zeros.c_str(), kSpan, 256);
  Request request = request_of(profile);
  EXPECT_EQ(request.samples(0), std::vector<std::string>{"a.Main.work:1 thread.name=main 511"}) << "one sample";
  EXPECT_EQ(request.dictionary().bytes.at(4).size(), 1u);
}

std::vector<std::string> requests_of(const Profile& profile) {
  Profile samples = otlp_samples(profile);
  std::vector<std::string> requests;
  for (size_t first = 0; first < samples.sample_count();) {
    OtlpRequest request = write_otlp(samples, first, source());
    EXPECT_EQ(Request(request.bytes).profiles().at(0).bytes[2].size(), request.next - first);
    if (request.next == first) break;
    requests.push_back(request.bytes);
    first = request.next;
  }
  return requests;
}

TEST(Otlp, IsInSeveralRequestsWhereThereAreManySpans) {
  Profile profile = only_cpu();
  constexpr int64_t kSpans = 20'000;
  std::vector<std::string> wanted;
  for (int64_t i = 1; i <= kSpans; i++) {
    std::string span = formatted("{:016x}", i);
    add_in_span(&profile, kTrace, span.c_str(), i);
    wanted.push_back(formatted("a.Main.work:1 thread.name=main {}/{} {}", kTrace, span, i));
  }
  std::vector<std::string> all;
  std::vector<size_t> samples;
  for (const std::string& request : requests_of(profile)) {
    std::vector<std::string> some = Request(request).samples(0);
    all.insert(all.end(), some.begin(), some.end());
    samples.push_back(some.size());
  }
  std::sort(wanted.begin(), wanted.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, wanted);
  EXPECT_EQ(samples, (std::vector<size_t>{kMostOtlpSamples, kSpans - kMostOtlpSamples}));
}

TEST(Otlp, IsInSeveralRequestsWhereStacksAreDeep) {
  Profile profile = only_cpu();
  constexpr uint32_t kDepth = 1000, kStacks = 5000;
  for (uint32_t i = 0; i < kStacks; i++) {
    NodeId stack = 0;
    for (uint32_t frame = 0; frame < kDepth; frame++)
      stack = profile.child(stack, profile.location(profile.function("a.Main.deep", FrameKind::kJit), i + frame));
    int64_t values[] = {1, i + 1};
    profile.add(stack, 0, values);
  }
  std::vector<size_t> sizes;
  for (const std::string& request : requests_of(profile)) sizes.push_back(request.size());
  ASSERT_GT(sizes.size(), 2u);
  EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), kMostOtlpBytes + 100'000);
  EXPECT_GE(*std::min_element(sizes.begin(), sizes.end() - 1), kMostOtlpBytes) << "as few as can be";
}

TEST(Otlp, BoundsTheSamplesOfEachEventAndKeepsThoseOfAStackTogether) {
  Profile profile = several_events();
  std::vector<NodeId> stacks = {stack_at(&profile, FrameKind::kJit, 1), stack_at(&profile, FrameKind::kJit, 2)};
  int64_t cpu[] = {1, 10, 0, 0, 0}, wall[] = {1, 0, 20, 0, 0};
  constexpr size_t kSamples = 10'000;  // of each event
  for (size_t i = 0; i < kSamples; i++) {
    for (NodeId stack : stacks) {
      LabelSetId labels = profile.label_set({{"endpoint", "", static_cast<int64_t>(i), ""}});
      profile.add(stack, labels, stack == stacks[0] ? cpu : wall);
    }
  }
  Profile samples = otlp_samples(profile);
  OtlpRequest request = write_otlp(samples, 0, source());
  EXPECT_EQ(request.next, 2 * kSamples + 1);
  std::vector<NodeId> sorted;
  for (size_t i = 0; i < samples.sample_count(); i++) sorted.push_back(samples.sample(i).stack);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
}

TEST(Otlp, LeavesOutSamplesOfNothing) {
  Profile profile = only_cpu();
  int64_t none[] = {1, 0};
  profile.add(stack_at(&profile, FrameKind::kJit, 1), 0, none);
  EXPECT_EQ(otlp_samples(profile).sample_count(), 0u);
}

TEST(Otlp, HasNoProfileOfAnEventWithoutSamples) {
  Profile idle;
  idle.value_types = several_events().value_types;
  EXPECT_TRUE(request_of(idle).profiles().empty());
}

TEST(Otlp, ReadsTheReplyOfAServer) {
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
