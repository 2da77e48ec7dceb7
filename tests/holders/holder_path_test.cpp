#include "holders/holder_path.h"

#include <gtest/gtest.h>

namespace hearth::holders {
namespace {

TEST(HolderPath, FoldsStepsThatRepeat) {
  HolderPath path = {"static A.list", "java.util.LinkedList.first"};
  path.insert(path.end(), 3000, "java.util.LinkedList$Node.next");
  path.insert(path.end(), {"java.util.LinkedList$Node.item", "byte[]"});
  EXPECT_EQ(folded(path),
            (HolderPath{"static A.list", "java.util.LinkedList.first", "java.util.LinkedList$Node.next × 3,000",
                        "java.util.LinkedList$Node.item", "byte[]"}));
}

TEST(HolderPath, FoldsCycles) {
  HolderPath path = {"static A.root"};
  for (int i = 0; i < 4; ++i) path.insert(path.end(), {"B.children", "C[]"});
  path.emplace_back("D");
  EXPECT_EQ(folded(path), (HolderPath{"static A.root", "(B.children → C[]) × 4", "D"}));
}

TEST(HolderPath, LeavesStepsThatRepeatTwice) {
  HolderPath path = {"static A.a", "B.next", "B.next", "C"};
  EXPECT_EQ(folded(path), path);
}

TEST(HolderPath, NamesThreadLocals) {
  HolderPath path = {"thread main",
                     "java.lang.Thread.threadLocals",
                     "java.lang.ThreadLocal$ThreadLocalMap.table",
                     "java.lang.ThreadLocal$ThreadLocalMap$Entry[]",
                     "java.lang.ThreadLocal$ThreadLocalMap$Entry.value",
                     "byte[]"};
  EXPECT_EQ(folded(path), (HolderPath{"thread-local of thread main", "byte[]"}));
  path[1] = "Worker.map";
  EXPECT_EQ(folded(path), path);
}

TEST(HolderPath, NamesClassesBySignatures) {
  EXPECT_EQ(class_name_of("Ljava/lang/String;"), "java.lang.String");
  EXPECT_EQ(class_name_of("[[I"), "int[][]");
  EXPECT_EQ(class_name_of("[Ljava/util/Map$Entry;"), "java.util.Map$Entry[]");
  EXPECT_EQ(class_name_of("Z"), "boolean");
  EXPECT_EQ(class_name_of(""), "?");
  EXPECT_EQ(class_name_of("["), "?[]");
}

}  // namespace
}  // namespace hearth::holders
