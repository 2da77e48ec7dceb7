#include "profile/page/page_tree.h"

#include <gtest/gtest.h>

#include "profile/codec/bytes.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr FrameKind kJit = FrameKind::kJit;

std::vector<uint64_t> numbers(const std::string& column) {
  std::vector<uint64_t> numbers;
  for (ByteReader reader(column, "a column"); !reader.at_end();) numbers.push_back(reader.varint());
  return numbers;
}

// "depth name/kind:line" a line, then "LABELS@TIME value,value" a row.
std::string drawn(const PageTree& tree) {
  std::string text;
  size_t row = 0, depth = 0;
  std::vector<uint64_t> up = numbers(tree.levels_up), frames = numbers(tree.frame), counts = numbers(tree.row_count);
  std::vector<uint64_t> labels = numbers(tree.labels), times = numbers(tree.time);
  for (size_t node = 0; node < tree.nodes; ++node) {
    const TreeFrame& frame = tree.frames[frames[node]];
    depth += 1 - up[node];
    text += std::string(depth, ' ') + frame.name + "/" + std::to_string(static_cast<int>(frame.kind)) + ":" +
            std::to_string(frame.line);
    for (uint64_t left = counts[node]; left > 0; --left, ++row) {
      text += " {" + std::to_string(labels[row]) + "@";
      text += times[row] == 0 ? "-" : std::to_string(times[row] - 1);
      for (const std::string& column : tree.values) text += " " + std::to_string(numbers(column)[row]);
      text += "}";
    }
    text += "\n";
  }
  EXPECT_EQ(row, tree.rows);
  return text;
}

TEST(PageTree, PartsFramesByKindAndLine) {
  Profile profile = counted();
  FunctionId jit = profile.function("a", kJit), interpreted = profile.function("a", FrameKind::kInterpreted);
  for (LocationId location : {profile.location(jit, 12), profile.location(jit, 7), profile.location(interpreted, 7)}) {
    int64_t one = 1;
    profile.add(profile.child(profile.child(0, location), profile.location(jit, 0)), 0, &one);
  }
  EXPECT_EQ(drawn(page_tree(profile, {})),
            " a/0:7\n  a/2:0 {0@- 1}\n a/2:7\n  a/2:0 {0@- 1}\n a/2:12\n  a/2:0 {0@- 1}\n");
}

TEST(PageTree, ANodesRowsAreOrderedByLabelsThenTime) {
  Profile profile = counted();
  profile.metadata.time_step_ns = 20;
  LabelSetId z = profile.label_set({{"thread", "z", 0, ""}});
  LabelSetId unused = profile.label_set({{"thread", "b", 0, ""}});
  LabelSetId a = profile.label_set({{"thread", "a", 0, ""}});
  NodeId node = stack(profile, {{"f", kJit}});
  int64_t value = 1, nothing = 0;
  for (LabelSetId labels : {z, a, LabelSetId{0}})
    for (TimeStep time : {5u, kNoTime, 2u}) profile.add(node, labels, &value, time);
  profile.add(node, unused, &nothing, 5);
  PageTree tree = page_tree(profile, {});
  EXPECT_EQ(drawn(tree), " f/2:0 {0@2 1} {0@5 1} {0@- 1} {1@2 1} {1@5 1} {1@- 1} {2@2 1} {2@5 1} {2@- 1}\n");
  ASSERT_EQ(tree.label_sets.size(), 3u);
  EXPECT_EQ(tree.label_sets[1][0].text, "a");
  EXPECT_EQ(tree.label_sets[2][0].text, "z");
  EXPECT_EQ(tree.time_step_ns, 20);
  EXPECT_EQ(tree.time_steps, 6u);
}

TEST(PageTree, StacksThatReadAlikeHaveTheirRowsAddedUp) {
  Profile profile = counted();
  StringId name = profile.string("f");
  for (const char* file : {"One.java", "Other.java"}) {
    FunctionId function = profile.function({name, name, profile.string(file), kJit});
    int64_t two = 2;
    profile.add(profile.child(0, profile.location(function, 3)), 0, &two);
  }
  EXPECT_EQ(drawn(page_tree(profile, {})), " f/2:3 {0@- 4}\n");
}

TEST(PageTree, IncludesAndExcludes) {
  WriteOptions options;
  options.include = {"a"};
  options.exclude = {"c"};
  EXPECT_EQ(drawn(page_tree(read_collapsed("a;b 1\na;c 2\nd 4\n"), options)), " a/4:0\n  b/4:0 {0@- 1}\n");
}

TEST(PageTree, KnowsTheChanceInEachRow) {
  Profile profile;
  profile.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes", 1 << 20}};
  add(profile, {{"f", kJit}}, {100, 1600});
  add(profile, {{"f", kJit}}, {100, 1600}, profile.label_set({{"thread", "main", 0, ""}}));
  PageTree tree = page_tree(profile, {});
  EXPECT_FALSE(tree.has_deviations[0]) << "of objects whose size is not told";
  ASSERT_TRUE(tree.has_deviations[1]);
  std::vector<uint64_t> deviations = numbers(tree.deviations[1]);
  ASSERT_EQ(deviations.size(), 2u);
  EXPECT_GT(deviations[0], 0u);
  EXPECT_EQ(deviations[0], deviations[1]);
}

TEST(PageTree, EmptyProfilesAreFine) {
  EXPECT_EQ(page_tree(Profile(), {}).nodes, 0u);
  EXPECT_EQ(page_tree(counted(), {}).rows, 0u);
}

}  // namespace
}  // namespace hearth::profile
