#include "session/published_context.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/files.h"
#include "session/process_context.h"
#include "vm/thread_records.h"

namespace hearth::session {
namespace {

TEST(PublishedContext, WritesLabelsAsAttributes) {
  PublishedContext& context = PublishedContext::instance();
  std::string first = context.attributes_of({{"endpoint", "/a"}, {"tenant", "x"}});
  ASSERT_EQ(first.size(), 2 + 2 + 2 + 1u);
  EXPECT_EQ(first.substr(1, 3), std::string("\2/a"));
  EXPECT_EQ(context.attributes_of({{"tenant", "x"}}), first.substr(4)) << "a key keeps its index";
  EXPECT_EQ(context.attributes_of({}), "");
  std::string cut = context.attributes_of({{"tenant", std::string(254, 'a') + "ö"}});
  EXPECT_EQ(cut.size(), 2 + 254u) << "no half of a character";
  vm::LabelSets::Set many;
  for (char key = 'a'; key < 'f'; key++) many[std::string(1, key)] = std::string(200, 'v');
  EXPECT_EQ(context.attributes_of(many).size(), 3 * 202u) << "as many as fit";
  // 28 bytes of ids and sizes come before them, and Java writes them as words.
  vm::LabelSets::Set nearly_full = {
      {"a", std::string(255, 'v')}, {"b", std::string(255, 'v')}, {"c", std::string(93, 'v')}};
  EXPECT_EQ(context.attributes_of(nearly_full).size(), 2 * 257u);
  nearly_full["c"].pop_back();
  EXPECT_EQ(context.attributes_of(nearly_full).size(), 608u);
}

TEST(PublishedContext, IsAMappingThatItsOwnReaderLeavesAlone) {
  PublishedContext::instance().begin({{"service.name", "checkout", 0, ""}});
  EXPECT_TRUE(PublishedContext::instance().has_begun());
  EXPECT_NE(read_file("/proc/self/maps").find("OTEL_CTX"), std::string::npos);
  EXPECT_EQ(find_process_context(), 0u);
  PublishedContext::instance().begin({{"service.name", "other", 0, ""}});
}

TEST(ThreadRecords, AreOneForEachThread) {
  vm::ThreadRecord* own = vm::take_thread_record();
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(vm::take_thread_record(), own);
  vm::ThreadRecord* first = nullptr;
  std::thread([&] { first = vm::take_thread_record(); }).join();
  EXPECT_NE(first, own);
  std::thread([&] { EXPECT_EQ(vm::take_thread_record(), first) << "of a thread that has ended"; }).join();
}

}  // namespace
}  // namespace hearth::session
