#include "commands/sessions/session_choice.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hearth::commands {
namespace {

const SessionDescriptor kCpu = {1, "", {"cpu"}, true};
const SessionDescriptor kBoth = {2, "", {"wall", "alloc"}, true};
const SessionDescriptor kNamed = {3, "web-1", {"cpu"}, true};
const SessionDescriptor kEnded = {4, "", {"lock"}, false};

size_t chosen(const std::vector<SessionDescriptor>& sessions, const char* command) {
  return resolve_session(sessions, options::parse_options(command));
}

std::string refusal(const std::vector<SessionDescriptor>& sessions, const char* command) {
  try {
    chosen(sessions, command);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(SessionChoice, TheOnlySessionNeedsNoName) {
  EXPECT_EQ(chosen({kCpu}, "stop"), 0u);
  EXPECT_EQ(chosen({kEnded, kCpu}, "stop"), 1u);
  EXPECT_EQ(chosen({kNamed}, "dump"), 0u);
}

TEST(SessionChoice, EventsIdentifySessions) {
  EXPECT_EQ(chosen({kCpu, kBoth}, "stop,event=alloc"), 1u);
  EXPECT_EQ(chosen({kCpu, kBoth}, "stop,event=live"), 1u);
  EXPECT_EQ(chosen({kCpu, kBoth}, "stop,event=ctimer"), 0u);
  EXPECT_EQ(chosen({kCpu, kBoth}, "dump,event=wall"), 1u);
  EXPECT_EQ(chosen({kCpu, kBoth, kEnded}, "dump,event=lock"), 2u);
}

TEST(SessionChoice, NamesAndNumbersIdentifySessions) {
  EXPECT_EQ(chosen({kCpu, kNamed}, "stop,session=web-1"), 1u);
  EXPECT_EQ(chosen({kCpu, kNamed}, "stop,session=3"), 1u);
  EXPECT_EQ(chosen({kCpu, kNamed}, "dump,session=1"), 0u);
}

TEST(SessionChoice, ACommandWithoutOptionsMeansTheUnnamedSession) {
  EXPECT_EQ(chosen({kNamed, kCpu}, "stop"), 1u);
  EXPECT_EQ(chosen({kNamed, kCpu}, "stop,event=cpu"), 1u);
}

TEST(SessionChoice, NobodysStopEndsAnothersSession) {
  const SessionDescriptor of_client = {5, ".hearth-17", {"cpu"}, true};
  EXPECT_TRUE(has(refusal({of_client}, "stop"), "cpu (session=.hearth-17)"));
  EXPECT_TRUE(has(refusal({of_client}, "stop,event=cpu"), "session=NAME"));
  EXPECT_TRUE(has(refusal({of_client}, "stop,event=lock"), "no session samples lock"));
  EXPECT_EQ(chosen({of_client}, "stop,session=.hearth-17"), 0u);
  EXPECT_EQ(chosen({of_client}, "stop,session=5"), 0u);
  EXPECT_EQ(chosen({of_client, kNamed}, "stop"), 1u);
  EXPECT_EQ(chosen({kNamed, of_client}, "dump"), 0u);
  EXPECT_EQ(chosen({kEnded, of_client}, "dump"), 1u);
}

TEST(SessionChoice, AnAmbiguousChoiceIsRefusedWithAList) {
  std::string message = refusal({kCpu, kBoth}, "stop");
  EXPECT_TRUE(has(message, "2 sessions are running: cpu; wall, alloc")) << message;
  EXPECT_TRUE(has(message, "event=EVENT")) << message;
  SessionDescriptor other = kNamed;
  other.name = "web-2";
  EXPECT_TRUE(has(refusal({kNamed, other}, "stop"), "cpu (session=web-1); cpu (session=web-2)"));
}

TEST(SessionChoice, AMissingSessionIsReported) {
  EXPECT_TRUE(has(refusal({}, "stop"), "no session is running"));
  EXPECT_TRUE(has(refusal({kEnded}, "stop"), "no session is running"));
  EXPECT_TRUE(has(refusal({}, "dump"), "nothing was profiled yet"));
  EXPECT_TRUE(has(refusal({kCpu}, "stop,event=lock"), "no session samples lock; running: cpu"))
      << refusal({kCpu}, "stop,event=lock");
  EXPECT_TRUE(has(refusal({kCpu}, "stop,session=web"), "no session is called web"));
  EXPECT_TRUE(has(refusal({kEnded}, "dump,session=web"), "no session is called web"));
}

TEST(SessionChoice, OnlyAPausedEventCanResume) {
  SessionDescriptor paused = kBoth;
  paused.paused = {"alloc"};
  EXPECT_EQ(chosen({kCpu, paused}, "resume"), 1u);
  EXPECT_EQ(chosen({kCpu, paused}, "resume,event=alloc"), 1u);
  EXPECT_EQ(chosen({kCpu, paused}, "pause,event=wall"), 1u);
  const SessionDescriptor sampling = {6, "fine", {"alloc"}, true};
  for (const char* command : {"pause,event=alloc", "stop,event=alloc", "dump,event=alloc"})
    EXPECT_EQ(chosen({paused, sampling}, command), 1u) << command;
  EXPECT_EQ(chosen({paused}, "stop,event=alloc"), 0u);
  EXPECT_TRUE(has(refusal({kCpu, paused}, "resume,event=wall"),
                  "no session has paused wall; running: cpu; wall, alloc (alloc paused)"))
      << refusal({kCpu, paused}, "resume,event=wall");
  EXPECT_TRUE(has(refusal({kCpu}, "resume"), "no session has paused anything"));
  EXPECT_TRUE(has(refusal({kCpu, paused}, "pause,event=alloc"), "has paused alloc already"));
  EXPECT_TRUE(has(refusal({kEnded}, "pause"), "no session is running"));
  EXPECT_TRUE(has(refusal({{5, ".hearth-17", {"cpu"}, true}}, "pause"), "session=NAME"));
}

TEST(SessionChoice, OfThoseThatHaveEndedTheLastIsDumped) {
  SessionDescriptor later = kEnded;
  later.number = 5;
  EXPECT_EQ(chosen({kEnded, later}, "dump"), 1u);
}

}  // namespace
}  // namespace hearth::commands
