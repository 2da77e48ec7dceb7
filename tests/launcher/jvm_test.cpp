#include "launcher/attach/jvm.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "launcher/attach/jvm_list.h"

namespace hearth::launcher {
namespace {

TEST(ParseMaps, FindsTheLibraries) {
  MappedLibraries found = parse_maps(
      "7f0000000000-7f0000001000 r-xp 00000000 08:01 12 /usr/lib/jvm/a b/lib/server/libjvm.so\n"
      "7f0000002000-7f0000003000 rw-p 00000000 00:00 0\n"
      "7f0000004000-7f0000005000 r-xp 00000000 08:01 13 /opt/hearth/lib/libhearth.so (deleted)\n"
      "7f0000006000-7f0000007000 r-xp 00000000 00:00 0 [vdso]\n");
  ASSERT_TRUE(found.libjvm);
  EXPECT_EQ(found.libjvm->path, "/usr/lib/jvm/a b/lib/server/libjvm.so");
  EXPECT_FALSE(found.libjvm->replaced);
  ASSERT_TRUE(found.libhearth);
  EXPECT_EQ(found.libhearth->path, "/opt/hearth/lib/libhearth.so");
  EXPECT_TRUE(found.libhearth->replaced);
  EXPECT_FALSE(found.openj9);
}

TEST(ParseMaps, KnowsACopyOfTheAgentAndOpenJ9) {
  EXPECT_TRUE(parse_maps("1-2 r-xp 0 08:01 13 /tmp/.hearth-libhearth-0.1.0-00c0ffee.so\n").libhearth);
  EXPECT_TRUE(parse_maps("1-2 r-xp 0 08:01 13 /opt/j9/lib/default/libj9vm29.so\n").openj9);
  EXPECT_FALSE(parse_maps("1-2 r-xp 0 08:01 13 /home/libhearth/notes.txt\n").libhearth);
  EXPECT_FALSE(parse_maps("").libjvm);
}

TEST(VersionInRelease, IsAVersionAndNothingElse) {
  EXPECT_EQ(version_in_release("A=\"1\"\nJAVA_VERSION=\"17.0.15\"\nB=\"2\"\n"), "17.0.15");
  EXPECT_EQ(version_in_release("JAVA_VERSION=\"1.8.0_442\""), "1.8.0_442");
  EXPECT_EQ(version_in_release("JAVA_VERSION=\"25-ea+3\""), "25-ea+3");
  for (const std::string& hostile : {std::string("17\x1B]0;PWNED\a"), std::string(41, '1'), std::string("1 7")})
    EXPECT_EQ(version_in_release("JAVA_VERSION=\"" + hostile + "\"\n"), "") << hostile;
}

TEST(RequireJvm, RefusesAProcessThatIsNone) {
  try {
    require_jvm(::getpid());
    ADD_FAILURE() << "this test passed as a JVM";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("is not a JVM"), std::string::npos) << error.what();
  }
}

Jvm jvm(pid_t pid, const std::string& main) {
  Jvm made;
  made.process.pid = pid;
  made.command.main = main;
  return made;
}

std::string refusal(const std::string& name, const std::vector<Jvm>& jvms) {
  try {
    pid_by_name(name, jvms);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PidByName, TakesThePartOfOneName) {
  std::vector<Jvm> jvms = {jvm(1, "clojure.main"), jvm(2, "service.jar"), jvm(3, "service.jar.old")};
  EXPECT_EQ(pid_by_name("cloj", jvms), 1);
  EXPECT_EQ(pid_by_name("service.jar", jvms), 2) << "the whole name wins";
}

TEST(PidByName, ListsMatchesAndCandidates) {
  std::vector<Jvm> jvms = {jvm(1, "a.Main"), jvm(2, "b.Main")};
  EXPECT_EQ(refusal("Main", jvms), "2 JVMs run Main: 1 a.Main, 2 b.Main; give a pid");
  EXPECT_EQ(refusal("c.Main", jvms), "no JVM here runs c.Main; running: 1 a.Main, 2 b.Main");
  EXPECT_EQ(refusal("x", {}), "no JVM here runs x; no JVM is running");
}

TEST(ResolveTarget, ANumberIsAPidEvenWhenItIsTooLarge) {
  EXPECT_EQ(resolve_target("4711"), 4711);
  EXPECT_THROW(resolve_target("99999999999999"), Error);
  EXPECT_THROW(resolve_target("0"), Error);
}

TEST(JvmName, IsOneLineThatATerminalOnlyShows) {
  EXPECT_EQ(jvm(1, "x\x1B]0;PWNED\ay\n9 root z").name(), "x\uFFFD]0;PWNED\uFFFDy 9 root z");
  EXPECT_EQ(jvm(1, std::string(10'000, 'x')).name(), "…" + std::string(199, 'x'));
}

TEST(JvmTable, AlignsItsColumns) {
  EXPECT_EQ(jvm_table({jvm(12345, "Main")}).substr(0, 22), "  PID  USER  JAVA  HEA");
}

}  // namespace
}  // namespace hearth::launcher
