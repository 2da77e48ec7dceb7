#include "naming/notes/escape_analysis_note.h"

#include <gtest/gtest.h>

namespace hearth::naming {
namespace {

using capture::Frame;
using capture::RawKind;
using capture::StackTree;

class AllocationsByC2Test : public ::testing::Test {
 protected:
  void add(std::initializer_list<Frame> outermost_first, double objects, uint16_t event = 1) {
    capture::Sample sample{};
    for (Frame frame : outermost_first) sample.stack = tree_.child(sample.stack, frame);
    sample.event = event;
    sample.objects = objects;
    counts_.add(sample);
  }

  StackTree tree_{1 << 10};
  session::SampleCounts counts_;
};

constexpr Frame made(RawKind kind) {
  return Frame::java(1, 0, kind);
}

TEST_F(AllocationsByC2Test, TheCompiledFrameDecides) {
  Frame object = Frame::allocated(1, capture::AllocationPlace::kUnknown);
  add({made(RawKind::kCompiledC2), made(RawKind::kInterpreted), object}, 1);
  add({made(RawKind::kCompiledC2), made(RawKind::kCompiledC1), made(RawKind::kInlined), object}, 2);
  add({made(RawKind::kCompiledC2), object}, 4);
  add({made(RawKind::kCompiledC2), made(RawKind::kInlined), made(RawKind::kInlined), object}, 8);
  add({made(RawKind::kJava), object}, 16);  // how it ran is not known
  add({object}, 32);
  add({made(RawKind::kCompiledC2)}, 0, 0);
  AllocationsByC2 sites = allocations_by_c2(tree_, counts_, 1);
  EXPECT_EQ(sites.objects, 63U);
  EXPECT_EQ(sites.from_c2, 28U);
  EXPECT_NE(escape_analysis_note(sites).find("28 of 63 objects"), std::string::npos);
  EXPECT_NE(escape_analysis_note({1'764'705, 1'764'045}).find("1,764,045 of 1,764,705 objects"), std::string::npos);
}

}  // namespace
}  // namespace hearth::naming
