#include "profile/page/transforms.h"

#include <gtest/gtest.h>

#include "profile/formats/formats.h"

namespace hearth::profile {
namespace {

std::string read(std::string_view typed) {
  Transform transform = transform_of_text(typed);
  return transform.type + (transform.gaps ? " with gaps" : "") + " [" + transform.what + "] [" + transform.replacement +
         "]";
}

std::string refusal(std::string_view typed) {
  try {
    return "accepted: " + read(typed);
  } catch (const FormatError& error) {
    return error.what();
  }
}

TEST(Transforms, AreReadAsTyped) {
  EXPECT_EQ(read("filter:a;b:c"), "filter [a;b:c] []");
  EXPECT_EQ(read("remove:/^x,y$/i"), "remove [/^x,y$/i] []");
  EXPECT_EQ(read("hide:a"), "hide [a] []");
  EXPECT_EQ(read("collapse-recursion"), "collapse-recursion [] []");
  EXPECT_EQ(read("collapse-gaps:/a/"), "collapse-recursion with gaps [/a/] []");
  EXPECT_EQ(read("merge-similar"), "merge-similar [] []");
  EXPECT_EQ(read("group:/thread"), "group [/thread] []");
}

TEST(Transforms, AReplacementIsWrittenAsSedHasIt) {
  EXPECT_EQ(read("replace:/a/b/"), "replace [/a/] [b]");
  EXPECT_EQ(read("replace:/a//"), "replace [/a/] []");
  EXPECT_EQ(read("replace:/a\\/(\\d)/$1\\/\\\\/i"), "replace [/a/(\\d)/i] [$1/\\\\]");
  EXPECT_EQ(read("replace:|a/b|c|"), "replace [/a/b/] [c]");
}

TEST(Transforms, ImpossibleTransformsAreRefusedWithTheAcceptedOnes) {
  EXPECT_NE(refusal("fitler:a").find("did you mean filter?"), std::string::npos) << refusal("fitler:a");
  EXPECT_NE(refusal("x").find("transforms are filter:P"), std::string::npos);
  EXPECT_EQ(refusal("filter"), "transform filter needs a pattern, like filter:text or filter:/REGEX/");
  EXPECT_EQ(refusal("group:"), "transform group needs a label, like group:thread");
  EXPECT_EQ(refusal("merge-similar:a"), "transform merge-similar takes no pattern, but a was given");
  EXPECT_EQ(refusal("hide:/a"), "pattern /a begins with / but does not end with /; write /REGEX/ or /REGEX/i");
  for (const char* typed : {"hide:/", "hide://", "hide:/i", "replace", "replace:", "replace:a", "replace:/a",
                            "replace:/a/b", "replace://b/", "replace:/a/b/g", "replace:\\a\\b\\"})
    EXPECT_EQ(refusal(typed).find("accepted"), std::string::npos) << refusal(typed);
}

}  // namespace
}  // namespace hearth::profile
