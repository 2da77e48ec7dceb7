#include "profile/page/asprof_frames.h"

#include <gtest/gtest.h>

namespace hearth::profile {
namespace {

std::string frames_of(std::string_view collapsed) {
  return asprof_frames(read_collapsed(collapsed), {});
}

TEST(AsprofFrames, NamesAreSortedAndShareTheirBegin) {
  std::string text = frames_of("Main.run;Main.work 2\nMain.run;copy_[k] 3\n");
  EXPECT_NE(text.find("const cpool = [\n'all',\n' Main.run',\n'%work',\n' copy'\n];\nunpack(cpool);\n\n"),
            std::string::npos)
      << text;
}

TEST(AsprofFrames, EachNodeHasItsLevelAndTotal) {
  std::string text = frames_of("Main.run;Main.work 2\nMain.run;copy_[k] 3\n");
  size_t at = text.find("f(3,0,0,5)\n");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.substr(at), "f(3,0,0,5)\nf(9,1,0,5)\nf(17,2,0,2)\nf(29,2,0,3)\n\n</script>\n");
}

TEST(AsprofFrames, TheNumberOfLevelsIsThereWithTheRoot) {
  EXPECT_NE(frames_of("a;b;c 2\na;d 3\n").find("const levels = Array(4);\n"), std::string::npos);
  EXPECT_NE(frames_of("").find("const levels = Array(1);\n"), std::string::npos);
}

TEST(AsprofFrames, NamesCannotEndTheTextOrTheBlock) {
  std::string text = frames_of("a'b\\c;</script> 1\n");
  EXPECT_NE(text.find("' a\\'b\\\\c'"), std::string::npos) << text;
  EXPECT_EQ(text.find("</script>"), text.size() - std::string("</script>\n").size());
}

TEST(AsprofFrames, OnlyAsciiIsShared) {
  EXPECT_NE(frames_of("\u00fcber 1\n\u00fcbel 1\n").find("' \u00fcbel',\n' \u00fcber'"), std::string::npos);
}

TEST(AsprofFrames, ThePageCanStillBeRead) {
  Profile profile = read_collapsed("Main.run;Main.work 2\n");
  WriteOptions options;
  options.has_asprof_frames = true;
  EXPECT_EQ(write_collapsed(read(write(profile, Format::kFlameGraph, options)), {}), "Main.run;Main.work 2\n");
}

}  // namespace
}  // namespace hearth::profile
