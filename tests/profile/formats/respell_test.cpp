#include "profile/formats/respell.h"

#include <gtest/gtest.h>

#include "profile/formats/formats.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

std::string collapsed(const char* stacks, const Respelling& style) {
  return write_collapsed(respelled(read_collapsed(stacks), style), {});
}

constexpr const char* kStacks =
    "Main.main;java/util/HashMap.merge(Ljava/lang/Object|)V 1\n"
    "Main.main;my/app/Foo$$Lambda/0x00007f01.run 2\n"
    "clojure.core/map;my.deep.ns/eval12/reify--13.run;user/eval1 3\n"
    "libc/start;a::b/c;vfs/read_[k] 4\n";

TEST(Respell, DotsForJavaOnly) {
  Respelling dots;
  dots.dots = true;
  std::string text = collapsed(kStacks, dots);
  EXPECT_NE(text.find("Main.main;java.util.HashMap.merge(Ljava/lang/Object|)V 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("my.app.Foo$$Lambda/0x00007f01.run 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("clojure.core/map;my.deep.ns/eval12/reify--13.run;user/eval1 3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("a::b/c;vfs/read_[k] 4\n"), std::string::npos) << text;
}

TEST(Respell, SimpleNamesHaveNoPackages) {
  Respelling simple;
  simple.simple = true;
  std::string text = collapsed(kStacks, simple);
  EXPECT_NE(text.find("Main.main;HashMap.merge(Ljava/lang/Object|)V 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Main.main;Foo$$Lambda/0x00007f01.run 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("core/map;ns/eval12/reify--13.run;user/eval1 3\n"), std::string::npos) << text;
}

TEST(Respell, KeepsEverythingElse) {
  Profile profile = sample_profile();
  EXPECT_EQ(dump(respelled(profile, {})), dump(profile));
  EXPECT_EQ(respelled(profile, {}).metadata.runtime, profile.metadata.runtime);
  EXPECT_EQ(respelled(profile, {}).quality.lost, profile.quality.lost);
}

}  // namespace
}  // namespace hearth::profile
