#include "capture/labels/thread_spans.h"

#include <gtest/gtest.h>

#include <thread>

namespace hearth::capture {
namespace {

const VmLayout kNoVm;
const ThreadAccess kNoAccess;

SpanCell cell_of(const SpanIds& ids) {
  return {ids, (ids.trace_high * 31 + ids.trace_low) * 31 + ids.span};
}

TEST(ThreadSpans, AreOfTheThreadThatWroteThem) {
  *span_cell() = cell_of({1, 2, 3});
  EXPECT_TRUE(current_span(kNoVm, kNoAccess).ids == (SpanIds{1, 2, 3}));
  std::thread([] { EXPECT_TRUE(current_span(kNoVm, kNoAccess).ids == SpanIds()); }).join();
  *span_cell() = {};
}

// Whichever words of another span, or of none, are there already.
TEST(ThreadSpans, TornSpansAreDetected) {
  EXPECT_TRUE(SpanCell().is_whole());
  // A root span with the trace's id, as in some tracers; another span of that trace; another trace; none.
  const SpanIds spans[] = {{0, 77, 77}, {0, 77, 78}, {0x8e21c5b3aa10ff43, 0x19d2b40f6c73ae85, 0xd4f7023b9a6e51c8}, {}};
  for (const SpanIds& one : spans) {
    for (const SpanIds& other : spans) {
      EXPECT_TRUE(cell_of(one).is_whole());
      for (int written = 0; written < 16; written++) {
        auto pick = [&](int word, uint64_t a, uint64_t b) { return (written >> word & 1) != 0 ? b : a; };
        SpanCell from = cell_of(one), to = cell_of(other);
        SpanIds ids = {pick(0, one.trace_high, other.trace_high), pick(1, one.trace_low, other.trace_low),
                       pick(2, one.span, other.span)};
        SpanCell torn = {ids, pick(3, from.check, to.check)};
        bool is_one_of_both = ids == one || ids == other;
        if (torn.is_whole()) {
          EXPECT_TRUE(is_one_of_both) << written;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hearth::capture
