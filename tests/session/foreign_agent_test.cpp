#include "session/foreign_agent.h"

#include <gtest/gtest.h>

#include "profile/codec/proto.h"
#include "profile/formats/formats.h"
#include "session/process_context.h"

namespace hearth::session {
namespace {

using profile::proto::put_bytes;

std::string attribute(const std::string& key, const std::string& value) {
  std::string message, all;
  put_bytes(message, 1, key);
  put_bytes(message, 2, value);
  put_bytes(all, 2, message);
  return all;
}

std::string text(const std::string& words) {
  std::string value;
  put_bytes(value, 1, words);
  return value;
}

std::string names(const std::vector<std::string>& all) {
  std::string list, value;
  for (const std::string& name : all) put_bytes(list, 1, text(name));
  put_bytes(value, 5, list);
  return value;
}

TEST(ForeignAgent, ReadsTheNamesOfAttributes) {
  std::string context = attribute("threadlocal.schema_version", text("tlsdesc_v1_dev")) +
                        attribute("threadlocal.attribute_key_map", names({"http.route", "", "tenant"}));
  EXPECT_EQ(thread_attribute_names(context), (std::vector<std::string>{"http.route", "", "tenant"}));
  EXPECT_TRUE(thread_attribute_names(attribute("other", names({"a"}))).empty());
  EXPECT_TRUE(thread_attribute_names("").empty());
  EXPECT_THROW(thread_attribute_names(context.substr(0, context.size() - 1)), profile::FormatError);
}

TEST(ForeignAgent, ShowsNoIdsAndNoKeysOfItsOwn) {
  EXPECT_EQ(label_of_attribute("http.route"), "http.route");
  for (const char* name : {"datadog.local_root_span_id", "dd.trace_id", "thread", "state", ""})
    EXPECT_EQ(label_of_attribute(name), "") << name;
}

TEST(ForeignAgent, LeavesNumbersOfLabelSetsAsTheyAre) {
  vm::LabelSets labels;
  EXPECT_EQ(ForeignAgent::instance().label_set(7, &labels), 7);
}

}  // namespace
}  // namespace hearth::session
