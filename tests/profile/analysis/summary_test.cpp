#include "profile/analysis/summary.h"

#include <gtest/gtest.h>

#include "base/formatted.h"
#include "profile/model/label_values.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr auto kJava = FrameKind::kJit;

Profile counted() {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  return profile;
}

// A line for each method: name, self, total, samples.
std::string methods_of(const Profile& profile, const WriteOptions& options = {}) {
  CallTree tree = call_tree(profile, options);
  std::string text;
  for (const MethodWeight& method : method_weights(tree, tree.self.size() - 1, options.annotate))
    text += formatted("{} {} {} {}\n", method.name, method.self, method.total, method.samples);
  return text;
}

void append(const std::vector<Path>& paths, const std::string& indent, std::string* text) {
  for (const Path& path : paths) {
    *text += formatted("{}{} {} {}\n", indent, joined(path.frames, ">"), path.total, path.self);
    append(path.callees, indent + " ", text);
  }
}

// A line for each path, callees indented: frames, total, self.
std::string paths_of(const Profile& profile, size_t limit = 100) {
  CallTree tree = call_tree(profile, {});
  std::string text;
  append(hottest_paths(tree, tree.self.size() - 1, false, limit), "", &text);
  return text;
}

TEST(Summary, ClassesAreOfTheValueThatTheyHave) {
  Profile profile;
  profile.value_types = {{"cpu", "nanoseconds"}, {"alloc_space", "bytes"}};
  add(profile, {{"main", kJava}}, {30, 0});
  add(profile, {{"main", kJava}, {"byte[]", FrameKind::kClass}}, {0, 500});
  CallTree tree = call_tree(profile, {});
  EXPECT_FALSE(has_classes(tree, 0));
  EXPECT_TRUE(has_classes(tree, 1));
}

TEST(Summary, AMethodCountsOnceAStackHoweverOftenItIsInIt) {
  Profile profile = counted();
  add(profile, {{"main", kJava}, {"f", kJava}, {"g", kJava}, {"f", kJava}}, {3});
  add(profile, {{"main", kJava}, {"g", kJava}}, {2});
  EXPECT_EQ(methods_of(profile), "f 3 3 3\ng 2 5 2\nmain 0 5 0\n");
}

TEST(Summary, KindsOfOneMethodAreOneUnlessAnnotated) {
  Profile profile = counted();
  add(profile, {{"a", kJava}, {"f", FrameKind::kC1}}, {3});
  add(profile, {{"b", kJava}, {"f", FrameKind::kInterpreted}}, {2});
  EXPECT_EQ(methods_of(profile), "f 5 5 5\na 0 3 0\nb 0 2 0\n");
  WriteOptions annotated;
  annotated.annotate = true;
  EXPECT_EQ(methods_of(profile, annotated), "f_[1] 3 3 3\nf_[0] 2 2 2\na_[j] 0 3 0\nb_[j] 0 2 0\n");
}

TEST(Summary, PathsRunOnWhileTheWeightStaysTogether) {
  Profile profile = counted();
  add(profile, {{"root", kJava}, {"run", kJava}, {"left", kJava}, {"leaf", kJava}}, {60});
  add(profile, {{"root", kJava}, {"run", kJava}, {"right", kJava}}, {38});
  add(profile, {{"root", kJava}, {"run", kJava}}, {1});
  add(profile, {{"other", kJava}}, {1});
  EXPECT_EQ(paths_of(profile),
            "root>run 99 1\n"
            " left>leaf 60 60\n"
            " right 38 38\n"
            "other 1 1\n");
}

TEST(Summary, APathThatLosesWeightEnds) {
  Profile profile = counted();
  add(profile, {{"root", kJava}, {"heavy", kJava}}, {70});
  add(profile, {{"root", kJava}}, {30});
  EXPECT_EQ(paths_of(profile), "root 100 30\n heavy 70 70\n");
}

TEST(Summary, FewPathsAreTheHeaviest) {
  Profile profile = counted();
  for (const char* name : {"a", "b", "c", "d"}) add(profile, {{"root", kJava}, {name, kJava}}, {10});
  add(profile, {{"root", kJava}, {"hot", kJava}}, {60});
  EXPECT_EQ(paths_of(profile, 2), "root 100 0\n hot 60 60\n");
  EXPECT_EQ(paths_of(profile, 0), "");
  EXPECT_EQ(paths_of(counted()), "");
}

TEST(Summary, AVeryDeepStackIsOnePath) {
  Profile profile = counted();
  NodeId node = 0;
  for (int i = 0; i < 100'000; ++i)
    node = profile.child(node, profile.location(profile.function(formatted("f{}", i), kJava), 0));
  int64_t one = 1;
  profile.add(node, 0, &one);
  CallTree tree = call_tree(profile, {});
  std::vector<Path> paths = hottest_paths(tree, 0, false, 10);
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_EQ(paths[0].frames.size(), 100'000u);
  EXPECT_EQ(method_weights(tree, 0, false)[0].name, "f99999");
}

std::string labels_of(const Profile& profile, std::string_view key, const WriteOptions& options = {}) {
  std::string text;
  for (const LabelWeight& group : label_weights(profile, options, key, profile.value_types.size() - 1))
    text += formatted("'{}' {} {} {} {}\n", group.label, group.total, group.samples, group.hottest.name,
                      group.hottest.self);
  return text;
}

TEST(Summary, SharesByLabel) {
  Profile profile = sample_profile();
  EXPECT_EQ(label_keys(profile), (std::vector<std::string>{"request_bytes", "thread"}));
  EXPECT_EQ(labels_of(profile, "request_bytes"),
            "'' 5000000 5 vfs_read_[k] 1100000\n'512 bytes' 3000000 3 cheshire.parse/parse* 3000000\n");
  EXPECT_EQ(labels_of(profile, "thread"),
            "'' 4000000 4 vfs_read_[k] 1100000\n"
            "'main' 3000000 3 cheshire.parse/parse* 3000000\n"
            "'GC Thread#0' 1000000 1 memcpy 1000000\n");
  Profile hostile = counted();
  add(hostile, {{"[\x1b]0;owned\x07 tid=1]", FrameKind::kThread}, {"f", kJava}}, {1});
  EXPECT_EQ(labels_of(hostile, "thread").find_first_of("\x1b\x07"), std::string::npos);
  WriteOptions without_kernel;
  without_kernel.exclude = {"vfs_read*"};
  EXPECT_EQ(labels_of(profile, "request_bytes", without_kernel),
            "'' 3900000 4 itable stub 1000000\n'512 bytes' 3000000 3 cheshire.parse/parse* 3000000\n");
}

}  // namespace
}  // namespace hearth::profile
