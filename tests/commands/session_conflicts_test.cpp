#include "commands/sessions/session_conflicts.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "base/log.h"
#include "commands/command_replies.h"
#include "vm/vm.h"

namespace hearth::commands {
namespace {

class SessionConflictsTest : public testing::Test {
 protected:
  SessionTable::SessionPtr make(const std::string& options) {
    return std::make_shared<session::ProfileSession>(&vm_, &log_, options::parse_options("start," + options),
                                                     session::ProfileSession::Hooks{});
  }
  void check_start(const std::string& options) { conflicts_.check_start(options::parse_options("start," + options)); }

  vm::Vm vm_;
  Log log_;
  SessionTable table_;
  OutputWriter outputs_{&table_};
  SessionConflicts conflicts_{&table_, &outputs_};
};

TEST_F(SessionConflictsTest, StoppedSessionsDoNotConflict) {
  table_.add_user(make("event=alloc,file=/tmp/one.html"));
  EXPECT_NO_THROW(check_start("event=alloc,file=/tmp/one.html"));
}

TEST_F(SessionConflictsTest, ASessionOfClientsDoesNotShareAllocations) {
  table_.add_auxiliary(make("event=alloc"));
  EXPECT_THROW(check_start("event=alloc"), Error);
  EXPECT_NO_THROW(check_start("event=cpu"));
}

TEST_F(SessionConflictsTest, ASessionWithBreakpointsNeedsTheJvmToItself) {
  table_.add_auxiliary(make("event=cpu"));
  EXPECT_THROW(check_start("event=cpu,begin=open"), Error);
}

TEST_F(SessionConflictsTest, AFileThatCannotBeReplacedIsRefusedBeforeTheStart) {
  EXPECT_THROW(check_start("event=cpu,file=/nowhere/at/all/one.html"), Error);
}

TEST(CommandReplies, GoToTheLaunchersFile) {
  std::string path = testing::TempDir() + "hearth_reply";
  auto content = [&] {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  Log log;
  std::ofstream(path).close();
  deliver({"a message", false, 0, "a secret"}, path, &log);
  EXPECT_EQ(content(), "said\na message\na secret");
  std::ofstream(path).close();
  deliver({"a profile", true}, path, &log);
  EXPECT_EQ(content(), "ok\na profile");
  std::ofstream(path).close();
  deliver_error("a reason", path, &log);
  EXPECT_EQ(content(), "error\na reason");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace hearth::commands
