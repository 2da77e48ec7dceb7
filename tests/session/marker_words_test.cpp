#include <gtest/gtest.h>

#include "page.h"
#include "session/frame_namer.h"

namespace hearth::session {
namespace {

TEST(MarkerWords, ThePageExplainsEachOfThem) {
  for (int i = 0; i < static_cast<int>(capture::Marker::kCount); i++) {
    std::string frame = "[" + marker_word(static_cast<capture::Marker>(i)) + "]";
    EXPECT_NE(html::flame_graph_page().find(frame), std::string_view::npos) << frame;
  }
}

}  // namespace
}  // namespace hearth::session
