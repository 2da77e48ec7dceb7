#include "page.h"

#include <gtest/gtest.h>

#include <string>

namespace hearth::html {
namespace {

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) found++;
  return found;
}

TEST(Page, IsAWholeDocument) {
  const std::string_view page = flame_graph_page();
  EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
  EXPECT_NE(page.find("</html>"), std::string_view::npos);
  EXPECT_EQ(page.find('\0'), std::string_view::npos);
}

TEST(Page, HasEachPlaceholderOnceAndNoOther) {
  const std::string_view page = flame_graph_page();
  EXPECT_EQ(count(page, "<title>{{HEARTH_TITLE}}</title>"), 1u);
  EXPECT_EQ(count(page, R"(<script id="hearth-data" type="application/octet-stream">{{HEARTH_DATA}}</script>)"), 1u);
  EXPECT_EQ(count(page, "{{"), 2u);
}

TEST(Page, LoadsNothingAndRunsOnlyItsOwnScript) {
  const std::string_view page = flame_graph_page();
  EXPECT_EQ(count(page, "default-src 'none'; script-src 'sha256-"), 1u);
  EXPECT_EQ(count(page, "unsafe-"), 0u);
  EXPECT_EQ(count(page, "<script"), 2u);
  EXPECT_EQ(count(page, "https://"), 0u);
  // The namespace of the icon, which nothing is loaded from, is the only address.
  EXPECT_EQ(count(page, "http://"), count(page, "http://www.w3.org/2000/svg"));
}

TEST(Console, IsAWholeDocumentWithoutGaps) {
  const std::string_view page = console_page();
  EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
  EXPECT_NE(page.find("</html>"), std::string_view::npos);
  EXPECT_EQ(page.find('\0'), std::string_view::npos);
  EXPECT_EQ(count(page, "{{"), 0u);
}

TEST(Console, LoadsNothingAndRunsOnlyItsOwnScript) {
  const std::string_view page = console_page();
  EXPECT_EQ(count(page, "unsafe-"), 0u);
  EXPECT_EQ(count(page, "<script>"), 1u);
  EXPECT_EQ(count(page, "innerHTML"), 0u);
  EXPECT_EQ(count(page, "https://"), 0u);
  EXPECT_EQ(count(page, "http://"), count(page, "http://www.w3.org/2000/svg"));
}

TEST(Console, ItsPolicyIsThatOfThePage) {
  const std::string policy(console_policy());
  EXPECT_EQ(policy.find("default-src 'none'; script-src 'sha256-"), 0u) << policy;
  for (const char* rule : {"; style-src 'sha256-", "; connect-src 'self'; base-uri 'none'; form-action 'none'",
                           "; require-trusted-types-for 'script'; trusted-types 'none'"})
    EXPECT_NE(policy.find(rule), std::string::npos) << policy;
  EXPECT_EQ(count(console_page(), policy), 1u);
}

}  // namespace
}  // namespace hearth::html
