#include "naming/missing_symbols.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hearth::naming {
namespace {

using capture::Frame;
using capture::RawKind;
using capture::StackTree;

// Stacks in a tree, counted.
class SymbolGaps : public ::testing::Test {
 protected:
  void add(std::initializer_list<Frame> outermost_first, int64_t times) {
    uint32_t node = StackTree::kRoot;
    for (Frame frame : outermost_first) node = tree_.child(node, frame);
    capture::Sample sample{};
    sample.stack = node;
    counts_.add(sample, times);
  }

  StackTree tree_{1 << 10};
  session::SampleCounts counts_;
};

constexpr uint64_t kNowhere = 0x1000;  // no library is mapped so low

TEST_F(SymbolGaps, TheInnermostFrameOutsideTheKernelCounts) {
  Frame java = Frame::java(1, 0);
  Frame native = Frame::of(RawKind::kNative, 7);
  Frame kernel = Frame::of(RawKind::kKernel, 9);
  add({java, native}, 1);
  add({java, native, kernel}, 2);
  add({java, native, kernel, Frame::of(RawKind::kAddress, 9)}, 4);
  add({native, java}, 8);
  add({kernel}, 16);
  EXPECT_EQ(innermost_code(tree_, counts_), (SamplesByPc{{7, 7}}));
}

TEST_F(SymbolGaps, SymbolsLeaveNoGap) {
  vm::Vm vm;
  vm.modules.refresh();
  vm.code_names.add(0x2000, 16, "a stub");
  SamplesByPc samples = {{reinterpret_cast<uint64_t>(&std::malloc), 1}, {0x2008, 2}, {kNowhere, 4}};
  EXPECT_EQ(samples_without_symbols(samples, &vm), (std::map<std::string, uint64_t>{{"[unknown]", 4}}));
}

}  // namespace
}  // namespace hearth::naming
