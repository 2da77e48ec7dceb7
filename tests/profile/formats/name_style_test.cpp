#include "profile/formats/name_style.h"

#include <gtest/gtest.h>

#include "profile/formats/formats.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

std::string collapsed(const char* stacks, const NameStyle& style) {
  return write_collapsed(with_name_style(read_collapsed(stacks), style), {});
}

constexpr const char* kStacks =
    "Main.main;java/util/HashMap.merge(Ljava/lang/Object|)V 1\n"
    "Main.main;my/app/Foo$$Lambda/0x00007f01.run 2\n"
    "clojure.core/map;my.deep.ns/eval12/reify--13.run;user/eval1 3\n"
    "libc/start;a::b/c;vfs/read_[k] 4\n";

TEST(NameStyle, DotsForJavaOnly) {
  NameStyle dots;
  dots.dots = true;
  std::string text = collapsed(kStacks, dots);
  EXPECT_NE(text.find("Main.main;java.util.HashMap.merge(Ljava/lang/Object|)V 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("my.app.Foo$$Lambda/0x00007f01.run 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("clojure.core/map;my.deep.ns/eval12/reify--13.run;user/eval1 3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("a::b/c;vfs/read_[k] 4\n"), std::string::npos) << text;
}

TEST(NameStyle, SimpleNamesHaveNoPackages) {
  NameStyle simple;
  simple.simple = true;
  std::string text = collapsed(kStacks, simple);
  EXPECT_NE(text.find("Main.main;HashMap.merge(Ljava/lang/Object|)V 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Main.main;Foo$$Lambda/0x00007f01.run 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("core/map;ns/eval12/reify--13.run;user/eval1 3\n"), std::string::npos) << text;
}

TEST(NameStyle, KeepsEverythingElse) {
  Profile profile = sample_profile();
  EXPECT_EQ(dump(with_name_style(profile, {})), dump(profile));
  EXPECT_EQ(with_name_style(profile, {}).metadata.runtime, profile.metadata.runtime);
  EXPECT_EQ(with_name_style(profile, {}).quality.lost, profile.quality.lost);
}

}  // namespace
}  // namespace hearth::profile
