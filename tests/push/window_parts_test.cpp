#include "push/window_parts.h"

#include <gtest/gtest.h>

#include "profile/codec/deflate.h"
#include "profile/formats/formats.h"
#include "stored_windows.h"

namespace hearth::push {
namespace {

const store::StoredWindow kWindow = {store::Level::kWindow, kBegin, 1500 * kSecond / 1000, 1, "", 0};

options::PushTarget target() {
  options::PushTarget target = options::parse_push_url("http://h:4040");
  target.service = "checkout";
  target.labels = {{"env", "prod"}};
  return target;
}

TEST(WindowParts, HaveAnEventEach) {
  WindowParts parts(profile::write_pprof(full_window(0), {}), options::Protocol::kPyroscope);
  ASSERT_EQ(parts.end(), 4u);
  std::vector<std::vector<std::string>> types;
  for (size_t i = 0; i < parts.end(); i++) {
    profile::Profile part = profile::read_pprof(parts.part(i, target(), kWindow).body);
    types.emplace_back();
    for (const profile::ValueType& type : part.value_types) types.back().push_back(type.type);
    EXPECT_EQ(part.sample_count(), 1u);
    EXPECT_EQ(parts.part(i, target(), kWindow).next, i + 1);
    EXPECT_EQ(part.metadata.start_unix_ns, kBegin);
  }
  EXPECT_EQ(types,
            (std::vector<std::vector<std::string>>{
                {"samples", "cpu"}, {"samples", "wall"}, {"alloc_objects", "alloc_space"}, {"contentions", "delay"}}));
}

TEST(WindowParts, AreMadeOnlyForEventsWithSamples) {
  profile::Profile window = full_window(0);
  profile::Profile idle;
  idle.value_types = window.value_types;
  idle.metadata = window.metadata;
  EXPECT_EQ(WindowParts(profile::write_pprof(idle, {}), options::Protocol::kPyroscope).end(), 0u);
  int64_t only_wall[] = {1, 0, 20, 0, 0, 0, 0};
  idle.add(0, 0, only_wall);
  EXPECT_EQ(WindowParts(profile::write_pprof(idle, {}), options::Protocol::kPyroscope).end(), 1u);
}

TEST(WindowParts, KeepTheApplicationsLabelsButNeitherThreadNorSpan) {
  WindowParts parts(profile::write_pprof(full_window(0), {}), options::Protocol::kPyroscope);
  profile::Profile part = profile::read_pprof(parts.part(0, target(), kWindow).body);
  const profile::LabelSet& labels = part.label_sets()[part.sample(0).labels];
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_EQ(labels[0].text, "/export");
}

TEST(WindowParts, HaveNameAndTime) {
  WindowParts parts(profile::write_pprof(full_window(0), {}), options::Protocol::kPyroscope);
  EXPECT_EQ(parts.part(0, target(), kWindow).query,
            "/ingest?name=checkout%7Benv%3Dprod%7D&from=1795420800&until=1795420802&format=pprof&spyName=hearth&"
            "sampleRate=50");
  EXPECT_EQ(parts.part(2, target(), kWindow).query,
            "/ingest?name=checkout%7Benv%3Dprod%7D&from=1795420800&until=1795420802&format=pprof&spyName=hearth");
}

TEST(WindowParts, AreOneForOtlpWithThreadsAndSpans) {
  WindowParts parts(profile::write_pprof(full_window(0), {}), options::Protocol::kOtlp);
  options::PushTarget whose = target();
  whose.resource = {{"service.name", "checkout", 0, ""}, {"process.pid", "", 7, ""}};
  whose.others_until_ns = kWindow.begin_ns - 1;
  PushPart part = parts.part(0, whose, kWindow);
  EXPECT_EQ(part.next, parts.end());
  EXPECT_EQ(part.query, "");
  EXPECT_STREQ(part.content_type, "application/x-protobuf");
  EXPECT_TRUE(part.is_gzip);
  std::string request = profile::inflate(part.body, profile::Wrapping::kGzip, "the request");
  for (const char* text : {"service.name", "process.pid", "thread.name", "alloc_space", "a.Main.work", "/export"})
    EXPECT_NE(request.find(text), std::string::npos) << text;
  EXPECT_NE(request.find("\x4b\xf9\x2f\x35\x77\xb3\x4d\xa6\xa3\xce\x92\x9d\x0e\x0e\x47\x36"), std::string::npos);
  EXPECT_EQ(request.find("trace_id"), std::string::npos);

  whose.others_until_ns = kWindow.begin_ns;
  request = profile::inflate(parts.part(0, whose, kWindow).body, profile::Wrapping::kGzip, "the request");
  EXPECT_NE(request.find("service.name"), std::string::npos);
  EXPECT_EQ(request.find("process.pid"), std::string::npos) << "another process wrote it";
}

TEST(WindowParts, AreSeveralByOtlpThatHaveEachSampleOnce) {
  std::string window = profile::write_pprof(window_of_spans(0, 40'000), {});
  WindowParts parts(window, options::Protocol::kOtlp);
  ASSERT_EQ(parts.end(), 40'000u);
  std::vector<size_t> begins;
  for (size_t begin = 0; begin < parts.end(); begin = parts.part(begin, target(), kWindow).next)
    begins.push_back(begin);
  EXPECT_EQ(begins, (std::vector<size_t>{0, 16'000, 32'000}));
  EXPECT_EQ(WindowParts(window, options::Protocol::kOtlp).part(16'000, target(), kWindow).body,
            parts.part(16'000, target(), kWindow).body)
      << "what goes again after a failure";
  EXPECT_EQ(WindowParts(window, options::Protocol::kPyroscope).end(), 1u);
}

TEST(WindowParts, AreNoneByOtlpWhereNothingWasSampled) {
  profile::Profile idle;
  idle.value_types = full_window(0).value_types;
  EXPECT_EQ(WindowParts(profile::write_pprof(idle, {}), options::Protocol::kOtlp).end(), 0u);
}

TEST(WindowParts, RefuseOtherData) {
  EXPECT_THROW(WindowParts("half of a f", options::Protocol::kPyroscope), profile::FormatError);
}

}  // namespace
}  // namespace hearth::push
