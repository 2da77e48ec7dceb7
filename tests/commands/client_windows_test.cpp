#include "commands/sessions/client_windows.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "commands/fake_agent.h"

namespace hearth::commands {
namespace {

class ClientWindowsTest : public testing::Test {
 protected:
  ClientWindows::Window open(const char* needed) {
    options::Options options = options::parse_options(needed);
    return agent_.windows.open(options, options, fake_jni());
  }
  void close(ClientWindows::Window* window) { agent_.windows.close(window, fake_jni()); }
  size_t running() const { return agent_.table.running().size(); }

  FakeAgent& agent_ = new_agent();
};

TEST_F(ClientWindowsTest, ClientsShareASessionThatEndsWithTheLast) {
  ClientWindows::Window first = open("start,event=ctimer,interval=10ms"),
                        second = open("start,event=ctimer,interval=10ms");
  EXPECT_TRUE(first.is_new && first.is_shared);
  EXPECT_FALSE(second.is_new);
  EXPECT_EQ(first.session, second.session);
  EXPECT_EQ(agent_.windows.events().size(), 1u);
  close(&first);
  EXPECT_EQ(running(), 1u);
  close(&second);
  EXPECT_EQ(running(), 0u);
}

TEST_F(ClientWindowsTest, AWindowUsesAUsersSessionThatIsAsFine) {
  agent_.execute("start,event=ctimer,interval=1ms");
  ClientWindows::Window window = open("start,event=ctimer,interval=10ms");
  EXPECT_FALSE(window.is_new || window.is_shared);
  close(&window);
  EXPECT_EQ(running(), 1u) << "it is the user's";
  agent_.execute("stop,collapsed");
}

TEST_F(ClientWindowsTest, ACoarserOrPrivateSessionIsNotUsed) {
  agent_.execute("start,event=ctimer,interval=100ms");
  agent_.execute("start,event=ctimer,interval=1ms,session=.private");
  ClientWindows::Window window = open("start,event=ctimer,interval=10ms");
  EXPECT_TRUE(window.is_new);
  EXPECT_EQ(running(), 3u);
  close(&window);
  EXPECT_EQ(running(), 2u);
  agent_.execute("stop,session=.private,collapsed");
  agent_.execute("stop,collapsed");
}

TEST_F(ClientWindowsTest, NoCommandEndsTheSessionOfClients) {
  ClientWindows::Window window = open("start,event=ctimer,interval=10ms");
  EXPECT_NE(refusal_of([&] { agent_.execute("stop"); }), "");
  EXPECT_EQ(running(), 1u);
  profile::Profile profile = agent_.windows.profile(window, session::ProfileRange{window.since, {}}, {}, fake_jni());
  EXPECT_EQ(profile.metadata.event, "ctimer");
  close(&window);
}

TEST_F(ClientWindowsTest, NoWindowOpensWhenTheJvmEnds) {
  agent_.jvm.vm().ends = true;
  EXPECT_NE(refusal_of([&] { open("start,event=ctimer"); }).find("is ending"), std::string::npos);
  EXPECT_EQ(running(), 0u);
}

}  // namespace
}  // namespace hearth::commands
