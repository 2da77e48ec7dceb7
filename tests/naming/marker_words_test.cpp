#include <gtest/gtest.h>

#include <set>

#include "naming/frame_namer.h"
#include "page.h"
#include "profile/analysis/stack_quality.h"

namespace hearth::naming {
namespace {

using capture::Marker;

TEST(MarkerWords, ThePageExplainsEachOfThem) {
  for (int i = 0; i < static_cast<int>(Marker::kCount); i++) {
    std::string frame = "[" + marker_word(static_cast<Marker>(i)) + "]";
    EXPECT_NE(html::flame_graph_page().find(frame), std::string_view::npos) << frame;
  }
}

TEST(MarkerWords, ReportsKnowWhichAreFailures) {
  const std::set<Marker> others = {Marker::kTruncated,     Marker::kLost,     Marker::kVirtualThread, Marker::kUnknown,
                                   Marker::kUnknownHolder, Marker::kDeadlock, Marker::kUnknownWaker};
  for (int i = 0; i < static_cast<int>(Marker::kCount); i++) {
    auto marker = static_cast<Marker>(i);
    std::string word = marker_word(marker);
    EXPECT_EQ(profile::is_failure_word(word), others.count(marker) == 0) << word;
  }
}

}  // namespace
}  // namespace hearth::naming
