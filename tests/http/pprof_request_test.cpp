#include "http/routes/pprof_request.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "options/event_table.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;
using Query = std::multimap<std::string, std::string>;

Refusal refusal_of(const Query& query) {
  try {
    pprof_request(query);
  } catch (const Refusal& refusal) {
    return refusal;
  }
  return {200, "", ""};
}

TEST(PprofRequest, NothingIsPprofOfTheUsualTime) {
  PprofRequest request = pprof_request({});
  EXPECT_FALSE(request.time);
  EXPECT_EQ(request.format->word, "pprof");
}

TEST(PprofRequest, TimeFormatAndShape) {
  PprofRequest request = pprof_request(
      {{"seconds", "5"}, {"format", "html"}, {"threads", ""}, {"include", "a*"}, {"include", "b"}, {"minwidth", "1"}});
  EXPECT_EQ(request.time, 5s);
  EXPECT_EQ(request.format->word, "html");
  EXPECT_TRUE(request.output.threads);
  EXPECT_EQ(request.output.write.include, (std::vector<std::string>{"a*", "b"}));
  EXPECT_EQ(request.output.write.minwidth, 1);
  EXPECT_EQ(pprof_request({{"seconds", "3600"}}).time, 3600s);
}

TEST(PprofRequest, LabelsAreChosen) {
  PprofRequest request = pprof_request({{"label", "endpoint:/x"}, {"seconds", "5"}, {"label", "state:"}});
  ASSERT_EQ(request.output.write.labels.size(), 2u);
  EXPECT_EQ(request.output.write.labels[0].value, "/x");
  EXPECT_EQ(request.output.write.labels[1].key, "state");
  EXPECT_EQ(refusal_of({{"label", "main"}}).message, "label: cannot use \"main\"; write KEY:VALUE, like thread:main");
}

TEST(PprofRequest, RequestsOfGoScrapersAreUnderstood) {
  EXPECT_EQ(pprof_request({{"debug", "0"}, {"gc", "1"}, {"seconds", "1"}}).time, 1s);
  EXPECT_EQ(refusal_of({{"debug", "1"}}).status, 400);
}

TEST(PprofRequest, RefusesSecondsThatAreNone) {
  for (const char* wrong : {"", "0", "-1", "1.5", "3601", "00030", "1e3", "x", "10s", " 1", "99999999999999999999"}) {
    Refusal refusal = refusal_of({{"seconds", wrong}});
    EXPECT_EQ(refusal.status, 400) << wrong;
    EXPECT_EQ(refusal.message, "seconds: cannot use \"" + std::string(wrong) + "\"");
  }
  EXPECT_EQ(refusal_of({{"seconds", "1"}, {"seconds", "2"}}).message, "seconds: it was given twice");
}

TEST(PprofRequest, RefusesByName) {
  EXPECT_EQ(refusal_of({{"format", "xml"}}).message, "format: cannot use \"xml\"");
  EXPECT_EQ(refusal_of({{"second", "1"}}).message, "unknown option \"second\"");
  EXPECT_EQ(refusal_of({{"interval", "1ms"}}).message, "option interval is not for this");
  EXPECT_EQ(refusal_of({{"event", "cpu"}}).message, "option event is not for this");
  EXPECT_EQ(refusal_of({{"file", "/tmp/x"}}).message, "option file is not for HTTP");
  EXPECT_EQ(refusal_of({{"minwidth", "x"}}).status, 400);
  EXPECT_EQ(pprof_request({{"title", "a,file=/tmp/x"}}).output.write.title, "a,file=/tmp/x");  // and no file
}

TEST(PprofRequest, EveryKindCanBeSampled) {
  for (const PprofKind& kind : pprof_kinds()) {
    EXPECT_NO_THROW(start_of(kind.needed)) << kind.name;
    EXPECT_NO_THROW(start_of(kind.started)) << kind.name;
  }
}

TEST(PprofRequest, TheHeapIsLiveObjects) {
  EXPECT_TRUE(start_of("alloc,live").live);
  EXPECT_FALSE(start_of("alloc").live);
}

TEST(PprofRequest, EachEventHasAPath) {
  for (const options::EventRow& row : options::event_rows()) {
    auto is_its = [&](const PprofKind& kind) { return kind.name == row.pprof_path && kind.events.front() == row.name; };
    EXPECT_TRUE(std::any_of(pprof_kinds().begin(), pprof_kinds().end(), is_its)) << row.name;
  }
}

TEST(PprofRequest, CollectsGarbageWhereGoWould) {
  EXPECT_FALSE(pprof_request({}).collects_garbage);
  EXPECT_FALSE(pprof_request({{"gc", "0"}}).collects_garbage);
  EXPECT_FALSE(pprof_request({{"gc", "-1"}}).collects_garbage);
  EXPECT_FALSE(pprof_request({{"gc", ""}}).collects_garbage);
  EXPECT_TRUE(pprof_request({{"gc", "1"}}).collects_garbage);
  EXPECT_TRUE(pprof_request({{"gc", "10"}}).collects_garbage);
}

}  // namespace
}  // namespace hearth::http
