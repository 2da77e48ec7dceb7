#include "profile/page/flame_graph_page.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "profile/formats/formats.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr const char* kPage =
    "<!DOCTYPE html><title>{{HEARTH_TITLE}}</title>"
    R"(<script id="hearth-data" type="application/octet-stream">{{HEARTH_DATA}}</script><p>end)";

TEST(FlameGraph, FillsThePage) {
  std::string page = fill_page(kPage, "a <b> & \"c\"\xFF", "payload");
  EXPECT_EQ(page.find("{{"), std::string::npos);
  EXPECT_NE(page.find("<title>a &lt;b&gt; &amp; &quot;c&quot;\uFFFD</title>"), std::string::npos);
  EXPECT_EQ(page.substr(page.size() - 6), "<p>end");
  EXPECT_EQ(page_payload(page), "payload");
}

TEST(FlameGraph, APlaceholderInTheTitleIsText) {
  EXPECT_EQ(page_payload(fill_page(kPage, "{{HEARTH_DATA}} {{HEARTH_TITLE}}", "payload")), "payload");
}

TEST(FlameGraph, ATemplateWithoutPlaceholdersIsABug) {
  EXPECT_THROW(fill_page("<html>", "t", "d"), std::logic_error);
}

TEST(FlameGraph, RefusesPagesOfOthers) {
  EXPECT_THROW(page_payload("<html>"), FormatError);
  std::string page = fill_page(kPage, "t", "payload");
  EXPECT_THROW(page_payload(page.substr(0, page.find("</script>"))), FormatError);
}

TEST(FlameGraph, TheRealPageGivesTheProfileBack) {
  WriteOptions options;
  options.annotate = true;
  std::string page = write_flame_graph(sample_profile(), options);
  EXPECT_NE(page.find("A &lt;test&gt; &amp; more"), std::string::npos);
  EXPECT_EQ(page.find("{{HEARTH"), std::string::npos);
  EXPECT_EQ(write_collapsed(read(page), options), write_collapsed(sample_profile(), options));
}

}  // namespace
}  // namespace hearth::profile
