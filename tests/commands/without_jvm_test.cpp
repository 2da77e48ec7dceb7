#include "commands/without_jvm.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "base/files.h"
#include "commands/fake_agent.h"

namespace hearth::commands {
namespace {

std::string refusal(const char* command) {
  return refusal_of([&] { refuse_what_needs_jvm(options::parse_options(command)); });
}

TEST(WithoutJvm, RefusesWhatNeedsOneByItsName) {
  EXPECT_NE(refusal("start,event=alloc").find("event alloc: this process has no JVM"), std::string::npos);
  EXPECT_NE(refusal("start,event=cpu,alloc=1k").find("event alloc"), std::string::npos);
  EXPECT_NE(refusal("start,event=lock").find("event lock"), std::string::npos);
  EXPECT_NE(refusal("start,event=cpu,ttsp").find("ttsp"), std::string::npos);
  EXPECT_NE(refusal("start,store=/tmp/none").find("the store"), std::string::npos);
  EXPECT_NE(refusal("start,event=cpu,http=0").find("http"), std::string::npos);
  EXPECT_EQ(refusal("start,event=cpu,wall=10ms,file=x.jfr"), "");
  EXPECT_EQ(refusal("stop,collapsed"), "");
}

struct PlainAgent : AgentParts {
  PlainAgent() { jvm.enter_without_jvm(); }
  Answer execute(const std::string& text) { return runner.execute(options::parse_options(text), nullptr, false); }
};

TEST(WithoutJvm, SessionsRunAndAreWritten) {
  static auto* agent = new PlainAgent;
  EXPECT_NE(agent->execute("start,event=ctimer,interval=1ms").text.find("ctimer"), std::string::npos);
  volatile double sum = 0;
  while (agent->table.running().front()->capture().recorder.counters().samples < 5) sum = sum + 1;
  Answer stopped = agent->execute("stop,collapsed");
  EXPECT_TRUE(stopped.is_product);
  EXPECT_NE(stopped.text.find("__libc_start_main"), std::string::npos) << stopped.text;
}

TEST(WithoutJvm, APauseForExecWritesTheFileAndCanBeUndone) {
  static auto* agent = new PlainAgent;
  std::string file = testing::TempDir() + "/before_exec.collapsed";
  std::remove(file.c_str());
  agent->execute("start,event=ctimer,interval=1ms,file=" + file);
  SessionTable::SessionPtr session = agent->table.running().front();
  auto samples = [&] { return session->capture().recorder.counters().samples.load(); };
  volatile double sum = 0;
  while (samples() < 5) sum = sum + 1;
  auto go_on = agent->sessions.leave_for_exec(nullptr);
  EXPECT_NE(read_file(file).find("__libc_start_main"), std::string::npos);
  EXPECT_EQ(session->paused().size(), 1u);
  go_on();
  EXPECT_TRUE(session->paused().empty());
  auto before = samples();
  while (samples() < before + 5) sum = sum + 1;
  agent->execute("stop,collapsed");
  std::remove(file.c_str());
}

}  // namespace
}  // namespace hearth::commands
