#include "commands/session_commands.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "commands/fake_agent.h"
#include "wait_until.h"

namespace hearth::commands {
namespace {

class SessionCommandsTest : public testing::Test {
 protected:
  std::vector<std::string> paused() const { return agent_.table.running().at(0)->paused(); }

  FakeAgent& agent_ = new_agent();
};

TEST_F(SessionCommandsTest, AnEventIsPausedWhileOthersContinue) {
  agent_.execute("start,event=ctimer,wall=50ms");
  EXPECT_NE(agent_.execute("pause,event=wall").text.find("Paused wall"), std::string::npos);
  EXPECT_EQ(paused(), std::vector<std::string>{"wall"});
  EXPECT_NE(refusal_of([&] { agent_.execute("pause,event=wall"); }).find("paused wall already"), std::string::npos);
  std::string refusal = refusal_of([&] { agent_.execute("resume,event=cpu"); });
  EXPECT_NE(refusal.find("no session has paused cpu"), std::string::npos) << refusal;
  EXPECT_NE(agent_.execute("resume").text.find("Resumed wall"), std::string::npos);
  EXPECT_TRUE(paused().empty());
  agent_.execute("stop,collapsed");
}

TEST_F(SessionCommandsTest, AnotherSessionMayTakeAPausedEvent) {
  agent_.execute("start,event=ctimer");
  agent_.execute("pause");
  agent_.execute("start,event=ctimer,session=other");
  EXPECT_EQ(agent_.table.running().size(), 2u);
  agent_.execute("stop,session=other,collapsed");
  agent_.execute("resume");
  agent_.execute("stop,collapsed");
}

TEST_F(SessionCommandsTest, ADumpLeavesTheSessionRunning) {
  agent_.execute("start,event=ctimer");
  EXPECT_TRUE(agent_.execute("dump,collapsed").is_product);
  EXPECT_EQ(agent_.table.running().size(), 1u);
  agent_.execute("stop,collapsed");
  EXPECT_TRUE(agent_.execute("dump,collapsed").is_product) << "of a session that has ended";
}

TEST_F(SessionCommandsTest, TwoSessionsDoNotWriteOneFile) {
  agent_.execute("start,event=ctimer,file=/tmp/hearth-one-file.html");
  std::string refusal = refusal_of([&] { agent_.execute("start,event=wall,file=/tmp/hearth-one-file.html"); });
  EXPECT_NE(refusal.find("/tmp/hearth-one-file.html"), std::string::npos) << refusal;
  EXPECT_EQ(agent_.table.running().size(), 1u);
  agent_.execute("stop,collapsed");
}

TEST_F(SessionCommandsTest, ATimeoutEndsASession) {
  agent_.execute("start,event=ctimer,timeout=1ms,file=/dev/null,collapsed");
  EXPECT_TRUE(wait_until("the end of the session", [&] {
    std::lock_guard<std::mutex> lock(agent_.locks.state());
    return agent_.table.running().empty();
  }));
  AgentLocks::Lock written(agent_.locks.commands());
  EXPECT_TRUE(agent_.outputs.wait_for_all(kPatience));
}

}  // namespace
}  // namespace hearth::commands
