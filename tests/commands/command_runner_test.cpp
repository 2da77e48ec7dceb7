#include "commands/command_runner.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "commands/fake_agent.h"

namespace hearth::commands {
namespace {

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

class FakeControl : public Control {
 public:
  Serving serve(const options::Options& options) override {
    if (!refusal.empty()) throw Error(refusal);
    return {"listens at " + options.http, "the secret", true};
  }
  std::string stop() override { return "stopped"; }
  void interrupt() override { interruptions++; }
  void end() override { ends++; }

  std::string refusal;
  int interruptions = 0, ends = 0;
};

TEST(CommandRunner, StartsAndStopsASession) {
  FakeAgent& agent = new_agent();
  Answer started = agent.execute("start,event=ctimer");
  EXPECT_TRUE(has(started.text, "ctimer")) << started.text;
  EXPECT_EQ(started.session, 1u);
  EXPECT_FALSE(started.is_product);
  EXPECT_TRUE(has(agent.execute("status").text, "ctimer"));
  EXPECT_TRUE(agent.execute("metrics").is_product);
  EXPECT_TRUE(agent.execute("stop,collapsed").is_product);
  EXPECT_TRUE(agent.table.running().empty());
  EXPECT_TRUE(has(refusal_of([&] { agent.execute("stop"); }), "no session"));
}

TEST(CommandRunner, APrivateSessionIsNotStoppedByAccident) {
  FakeAgent& agent = new_agent();
  agent.execute("start,event=ctimer,session=.mine");
  EXPECT_NE(refusal_of([&] { agent.execute("stop"); }), "");
  EXPECT_EQ(agent.table.running().size(), 1u);
  agent.execute("stop,session=.mine,collapsed");
  EXPECT_TRUE(agent.table.running().empty());
}

TEST(CommandRunner, AFailedStartChangesNothing) {
  FakeAgent& agent = new_agent();
  agent.execute("start,event=ctimer");
  EXPECT_TRUE(has(refusal_of([&] { agent.execute("start,event=cpu"); }), "session"));
  EXPECT_NE(refusal_of([&] { agent.execute("start,event=wall,begin=no_such_function"); }), "");
  EXPECT_EQ(agent.table.listed().size(), 1u);
  agent.execute("stop,collapsed");
}

TEST(CommandRunner, ReturnsTheProfileAsAModel) {
  FakeAgent& agent = new_agent();
  agent.execute("start,event=ctimer");
  bool is_stopped_before_the_model = false;
  ProfilePtr profile = agent.runner.profile(
      options::parse_options("stop"), [&] { is_stopped_before_the_model = agent.table.running().empty(); }, fake_jni());
  EXPECT_TRUE(is_stopped_before_the_model);
  EXPECT_EQ(profile->metadata.event, "ctimer");
}

TEST(CommandRunner, CommandsWaitForVmInit) {
  FakeAgent& agent = new_agent();
  auto before = [&](const char* text) { return agent.runner.execute(options::parse_options(text), nullptr, false); };
  EXPECT_TRUE(has(before("version").text, "hearth "));
  EXPECT_TRUE(has(refusal_of([&] { before("stop"); }), "has not started yet"));
  EXPECT_TRUE(has(refusal_of([&] { before("threads"); }), "no action"));
  EXPECT_EQ(before("start,event=ctimer,file=/dev/null,collapsed").text, "");
  EXPECT_TRUE(agent.table.running().empty());
  agent.runner.run_waiting(fake_jni());
  EXPECT_EQ(agent.table.running().size(), 1u);
  agent.execute("stop");
}

TEST(CommandRunner, NothingStartsWhenTheJvmEnds) {
  FakeAgent& agent = new_agent();
  agent.execute("start,event=ctimer,file=/dev/null,collapsed");
  agent.jvm.vm().ends = true;
  EXPECT_TRUE(has(refusal_of([&] { agent.execute("start,event=wall"); }), "is ending"));
  agent.sessions.end_all(fake_jni());
  EXPECT_TRUE(agent.table.running().empty());
}

TEST(CommandRunner, AServerStartsWithASessionOrAlone) {
  FakeAgent& agent = new_agent();
  EXPECT_TRUE(has(refusal_of([&] { agent.execute("http=7070"); }), "without a control server"));
  FakeControl control;
  agent.runner.set_control(&control);
  Answer alone = agent.execute("http=7070");
  EXPECT_EQ(alone.text, "listens at 7070");
  EXPECT_EQ(alone.secret, "the secret");
  Answer both = agent.execute("start,event=ctimer,http=7071");
  EXPECT_TRUE(has(both.text, "ctimer") && has(both.text, "\nlistens at 7071")) << both.text;
  EXPECT_EQ(agent.execute("stop-http").text, "stopped");
  EXPECT_NE(refusal_of([&] { agent.execute("start,event=ctimer,http=7072"); }), "");
  EXPECT_EQ(control.ends, 1) << "the server of a start that failed";
  agent.execute("stop,collapsed");
}

TEST(CommandRunner, AJvmThatStartsIsProfiledWithoutItsServer) {
  FakeAgent& agent = new_agent();
  FakeControl control;
  control.refusal = "the port is in use";
  agent.runner.set_control(&control);
  agent.log.configure(LogLevel::kNone, "", true);
  EXPECT_TRUE(has(refusal_of([&] { agent.execute("start,event=ctimer,http=7070"); }), "in use"));
  agent.runner.execute(options::parse_options("start,event=ctimer,http=7070,file=/dev/null,collapsed"), nullptr, false);
  agent.runner.run_waiting(fake_jni());
  EXPECT_EQ(agent.table.running().size(), 1u);
  agent.execute("stop");
}

}  // namespace
}  // namespace hearth::commands
