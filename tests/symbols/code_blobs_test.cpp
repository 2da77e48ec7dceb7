#include "symbols/jvm/code_blobs.h"

#include <gtest/gtest.h>

namespace hearth::symbols {
namespace {

TEST(CodeBlobNames, CodeHasTheNameOfItsPiece) {
  CodeBlobNames names;
  names.add(0x1000, 0x100, "Interpreter");
  names.add(0x1040, 0x20, "return entry points");
  EXPECT_EQ(names.name_of(0x1050), "return entry points");
  EXPECT_EQ(names.name_of(0x1070), "Interpreter");
  EXPECT_EQ(names.name_of(0x1100), "");
  EXPECT_EQ(names.name_of(0xfff), "");
}

TEST(CodeBlobNames, StubsHaveTheNamesOfOtherReleases) {
  CodeBlobNames names;
  names.add(0x1000, 0x10, "call_stub_stub (stub gen)");
  names.add(0x2000, 0x10, "cont_returnBarrier_entry (stub gen)");
  names.add(0x3000, 0x10, "initial_blob (stub gen)");
  names.add(0x4000, 0x10, "_stub (stub gen)");
  names.add(0x5000, 0x10, nullptr);
  EXPECT_EQ(names.name_of(0x1000), "call_stub");
  EXPECT_EQ(names.name_of(0x2000), "cont_returnBarrier");
  EXPECT_EQ(names.name_of(0x3000), "initial_blob");
  EXPECT_EQ(names.name_of(0x4000), "_stub");
  EXPECT_EQ(names.name_of(0x5000), "");
}

TEST(CodeBlobNames, AStubIsFoundByTheEndOfItsName) {
  CodeBlobNames names;
  names.add(0x1000, 0x10, "cont_thaw");
  names.add(0x2000, 0x10, "cont_returnBarrier_stub (stub gen)");
  names.add(0x3000, 0x10, "Cont thaw return barrier exception");
  EXPECT_EQ(names.start_of("returnbarrier"), 0x2000U);
  EXPECT_EQ(names.start_of("nosuchstub"), 0U);
}

}  // namespace
}  // namespace hearth::symbols
