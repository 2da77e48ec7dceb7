// The answers of the JVM and the agent.
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "launcher/attach/agent_link.h"
#include "launcher/attach/hotspot_attach.h"
#include "launcher/attach/reply_file.h"
#include "launcher/commands/profile_command.h"

namespace hearth::launcher {
namespace {

TEST(LoadReply, ReturnCodeOfTheAgent) {
  EXPECT_EQ(parse_load_reply("0\nreturn code: 0\n").return_code, 0);
  EXPECT_EQ(parse_load_reply("0\nreturn code: 7").return_code, 7);
  EXPECT_EQ(parse_load_reply("0\nreturn code: -1\n").return_code, -1);
  EXPECT_EQ(parse_load_reply("0\n0\n").return_code, 0) << "JDK 8";
}

TEST(LoadReply, NotLoadedWhateverTheFirstLineIs) {
  LoadReply jdk17 = parse_load_reply("-1\n/x.so was not loaded.\n/x.so: cannot open\n");
  EXPECT_FALSE(jdk17.return_code);
  EXPECT_EQ(jdk17.text, "/x.so was not loaded.\n/x.so: cannot open");
  LoadReply jdk25 = parse_load_reply("0\nDynamic agent loading is not enabled. Use …\n");
  EXPECT_FALSE(jdk25.return_code);
  EXPECT_EQ(jdk25.text, "Dynamic agent loading is not enabled. Use …");
  EXPECT_FALSE(parse_load_reply("0").return_code);
  EXPECT_FALSE(parse_load_reply("").return_code);
  EXPECT_FALSE(parse_load_reply("0\nreturn code: 0 or so").return_code);
}

TEST(AgentReply, AMessageForPeopleIsMarked) {
  AgentReply reply = parse_agent_reply("said\nx.html written\n");
  EXPECT_TRUE(reply.understood && reply.ok && reply.is_message);
  EXPECT_EQ(reply.text, "x.html written\n");
  EXPECT_FALSE(parse_agent_reply("ok\na;b 1\n").is_message);
}

class ReplyPiecesTest : public testing::Test {
 protected:
  ReplyPiecesTest() : path_(testing::TempDir() + "reply." + std::to_string(::getpid())) {}
  ~ReplyPiecesTest() override { ::unlink(path_.c_str()); }

  std::string path_;
};

TEST_F(ReplyPiecesTest, AreTheFile) {
  std::string content(1 << 20, 'x');
  replace_file(path_, content);
  ReplyPieces pieces(path_, 7, content.size());
  std::string read;
  for (std::string_view piece; !(piece = pieces.next()).empty();) read += piece;
  EXPECT_EQ(read, content);
}

TEST_F(ReplyPiecesTest, RefuseOneThatIsTooLongAtOnce) {
  replace_file(path_, "");
  ASSERT_EQ(::truncate(path_.c_str(), int64_t{1} << 40), 0);
  try {
    ReplyPieces pieces(path_, 7, size_t{16} << 20);
    ADD_FAILURE() << "1 TiB passed";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("process 7 replied with more than 16 MiB"), std::string::npos);
  }
}

TEST_F(ReplyPiecesTest, RefuseOneThatGrows) {
  replace_file(path_, std::string(1000, 'x'));
  ReplyPieces pieces(path_, 7, 1000);
  ASSERT_EQ(::truncate(path_.c_str(), 1001), 0);
  EXPECT_THROW(pieces.next(), Error);
}

TEST(QualityAccount, IsTheSentenceAndTheNotes) {
  std::string status =
      "Profiling is stopped after 1.0 s: 0 samples, 0 lost, engine ctimer\n  Own CPU time         : 2.00 ms\n"
      "  Note                 : no thread fits filter=nobody\n";
  EXPECT_EQ(quality_account(status, true), "0 samples, 0 lost, engine ctimer\nnote: no thread fits filter=nobody\n");
  EXPECT_EQ(quality_account(status, false), "note: no thread fits filter=nobody\n");
  EXPECT_EQ(quality_account("Nothing was profiled yet\n", true), "");
}

TEST(SessionPart, IsTheOneThatWasAskedAbout) {
  std::string running = "Profiling is running for 1.0 s: a\n  Note : x\n",
              early = "Profiling is stopped after 2.0 s: b\n",
              late = "Profiling is stopped after 3.0 s: c\n  Note : y\n";
  std::string status = "Always on: cpu\n" + running + early + late;
  EXPECT_EQ(session_part(status, true), late);
  EXPECT_EQ(session_part(status, false), running);
  EXPECT_EQ(session_part(running, true), running);
  EXPECT_EQ(session_part("Nothing was profiled yet\n", true), "");
}

TEST(AgentReply, FirstLineJudgesTheRestIsText) {
  using std::string_literals::operator""s;
  AgentReply ok = parse_agent_reply("ok\n\x1f\x8b\0\n\n"s);
  EXPECT_TRUE(ok.understood && ok.ok);
  EXPECT_EQ(ok.text, "\x1f\x8b\0\n\n"s);
  AgentReply error = parse_agent_reply("error\nunknown key");
  EXPECT_TRUE(error.understood);
  EXPECT_FALSE(error.ok);
  EXPECT_EQ(error.text, "unknown key");
}

TEST(AgentReply, SilenceIsNotUnderstood) {
  EXPECT_FALSE(parse_agent_reply("").understood);
  EXPECT_FALSE(parse_agent_reply("okay\n").understood);
  EXPECT_TRUE(parse_agent_reply("ok").understood);
}

}  // namespace
}  // namespace hearth::launcher
