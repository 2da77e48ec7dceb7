#include "naming/span_labels.h"

#include <gtest/gtest.h>

#include "vm/unseen_spans.h"

namespace hearth::naming {
namespace {

TEST(SpanLabels, AreHexadecimalOfFullLength) {
  capture::SpanTable spans;
  profile::LabelSet labels;
  add_span_labels(spans, spans.number_of({0xabc, 0x8000000000000001, 0xf}), &labels);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].key, "trace_id");
  EXPECT_EQ(labels[0].text, "0000000000000abc8000000000000001");
  EXPECT_EQ(labels[1].key, "span_id");
  EXPECT_EQ(labels[1].text, "000000000000000f");
}

TEST(SpanLabels, AreEmptyForNoneAndShowOther) {
  capture::SpanTable spans;
  profile::LabelSet labels;
  add_span_labels(spans, capture::SpanTable::kNone, &labels);
  EXPECT_TRUE(labels.empty());
  add_span_labels(spans, capture::SpanTable::kOther, &labels);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].text, "(other)");
  EXPECT_EQ(labels[1].text, "(other)");
}

TEST(SpanLabels, AreMissedWithANote) {
  EXPECT_TRUE(span_notes({}).empty());
  EXPECT_EQ(span_notes({3, 0}),
            (std::vector<std::string>{"trace_id and span_id of 3 samples are (other): a session keeps 65534 spans, and "
                                      "500000 stacks in a span"}));
  EXPECT_EQ(span_notes({0, 2}).size(), 1U);
}

TEST(UnseenSpans, ReportEachReasonInANote) {
  vm::UnseenSpans unseen;
  unseen.set_trouble("too late");
  EXPECT_EQ(unseen.notes(), (std::vector<std::string>{"too late"}));
  unseen.set_trouble("");
  EXPECT_TRUE(unseen.notes().empty());
  unseen.ignore_thread();
  for (int i = 0; i < 2; i++) unseen.fail();
  ASSERT_EQ(unseen.notes().size(), 2U);
  EXPECT_EQ(unseen.notes()[0].rfind("spans of 1 virtual threads are not seen: ", 0), 0U);
  EXPECT_EQ(unseen.notes()[1].rfind("2 spans that became current are not seen: ", 0), 0U);
}

}  // namespace
}  // namespace hearth::naming
