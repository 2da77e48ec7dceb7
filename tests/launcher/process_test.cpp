#include "launcher/attach/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

namespace hearth::launcher {
namespace {

constexpr const char* kStatus =
    "Name:\tjava\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t4711\nNgid:\t0\nPid:\t4711\nPPid:\t1\n"
    "Uid:\t1000\t1001\t1000\t1000\nGid:\t100\t101\t100\t100\nGroups:\t24 27 1000 \nNStgid:\t4711\t12\t1\n"
    "NSpid:\t4711\t12\t1\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\nSigCgt:\t2000000181005ccf\n";

TEST(ParseStatus, TakesEffectiveIdsGroupsAndTheInnermostPid) {
  Process process;
  parse_status(kStatus, &process);
  EXPECT_EQ(process.state, 'S');
  EXPECT_EQ(process.thread_group, 4711);
  EXPECT_EQ(process.inner_pid, 1);
  EXPECT_EQ(process.uid, 1001u);
  EXPECT_EQ(process.gid, 101u);
  EXPECT_EQ(process.groups, (std::vector<gid_t>{24, 27, 1000}));
  EXPECT_TRUE(process.catches_sigquit);
}

TEST(ParseStatus, SigquitIsTheThirdBit) {
  Process process;
  parse_status("SigCgt:\tfffffffffffffffb\n", &process);
  EXPECT_FALSE(process.catches_sigquit);
  parse_status("SigCgt:\t0000000000000004\n", &process);
  EXPECT_TRUE(process.catches_sigquit);
}

TEST(ParseStatus, KeepsDefaultsOfMissingFields) {
  Process process;
  process.inner_pid = 7;
  parse_status("Groups:\t\nUid:\t0\nnonsense", &process);
  EXPECT_EQ(process.inner_pid, 7);
  EXPECT_TRUE(process.groups.empty());
}

TEST(StartTime, IsFoundBehindANameWithBlanksAndParentheses) {
  std::string fields = "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 ";
  EXPECT_EQ(start_time_in("42 (java) " + fields + "777 1 2 3"), 777u);
  EXPECT_EQ(start_time_in("42 (a) b (c d)) " + fields + "778 1"), 778u);
  EXPECT_EQ(start_time_in(""), 0u);
  EXPECT_EQ(start_time_in("42 (java) S 1 2"), 0u);
}

TEST(SplitWords, KeepsEmptyWordsAndAnUnendedLastOne) {
  using std::string_literals::operator""s;
  EXPECT_EQ(split_words("java\0\0-cp\0x"s), (std::vector<std::string>{"java", "", "-cp", "x"}));
  EXPECT_TRUE(split_words("").empty());
}

TEST(ReadProcess, KnowsItself) {
  Process process = read_process(::getpid());
  EXPECT_EQ(process.uid, ::geteuid());
  EXPECT_EQ(process.thread_group, ::getpid());
  EXPECT_FALSE(process.arguments.empty());
  EXPECT_NE(process.start_time, 0u);
  EXPECT_TRUE(is_alive(process));
}

TEST(ReadProcess, ALaterProcessWithTheSamePidIsAnother) {
  Process process = read_process(::getpid());
  ++process.start_time;
  EXPECT_FALSE(is_alive(process));
}

TEST(ReadProcess, ReportsThatAProcessHasEnded) {
  pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info;
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);  // it stays as a zombie
  try {
    read_process(child);
    ADD_FAILURE() << "a zombie passed";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("has ended"), std::string::npos) << error.what();
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_THROW(read_process(child), Error);
}

}  // namespace
}  // namespace hearth::launcher
