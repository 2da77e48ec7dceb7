#include <gtest/gtest.h>

#include "page.h"
#include "profile/stack_quality.h"
#include "session/frame_namer.h"

namespace hearth::session {
namespace {

using capture::Marker;

TEST(MarkerWords, ThePageExplainsEachOfThem) {
  for (int i = 0; i < static_cast<int>(Marker::kCount); i++) {
    std::string frame = "[" + marker_word(static_cast<Marker>(i)) + "]";
    EXPECT_NE(html::flame_graph_page().find(frame), std::string_view::npos) << frame;
  }
}

TEST(MarkerWords, ReportsKnowWhichAreFailures) {
  for (int i = 0; i < static_cast<int>(Marker::kTruncated); i++) {
    std::string word = marker_word(static_cast<Marker>(i));
    EXPECT_TRUE(profile::is_failure_word(word)) << word;
  }
  for (Marker other : {Marker::kTruncated, Marker::kLost, Marker::kUnknown})
    EXPECT_FALSE(profile::is_failure_word(marker_word(other))) << marker_word(other);
}

}  // namespace
}  // namespace hearth::session
