#include "options/process_options.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "options/option_table.h"

namespace hearth::options {
namespace {

TEST(ProcessOptions, AreRefusedOfClients) {
  for (const char* command :
       {"start,file=/tmp/x", "file=/tmp/x,start", "stop,collapsed,log=/tmp/x", "start,store=/tmp/x", "http=0",
        "stop-http", "start,push-credentials=/c", "dump,reply=/tmp/x"})
    EXPECT_THROW(check_for_client(command), Error) << command;
  for (const char* command : {"", "version", "start,event=cpu,title=file", "stop,collapsed,include=file*"})
    EXPECT_NO_THROW(check_for_client(command)) << command;
}

TEST(ProcessOptions, AreAllThatNameFiles) {
  for (const OptionRow& row : option_rows()) {
    bool names_file = row.accepts.find("a path") != std::string_view::npos ||
                      row.accepts.find("a directory") != std::string_view::npos;
    EXPECT_EQ(names_file, row.is_path) << row.name;
    EXPECT_TRUE(!names_file || (row.entries & (kByHttp | kByMBean | kByClojure)) == 0) << row.name;
  }
}

}  // namespace
}  // namespace hearth::options
