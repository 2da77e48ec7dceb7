#include <gtest/gtest.h>

#include "base/error.h"
#include "launcher/attach/jvm.h"
#include "launcher/commands/launch_command.h"
#include "launcher/line/command_line.h"
#include "launcher/line/usage_error.h"
#include "launcher/words.h"

namespace hearth::launcher {
namespace {

LaunchRequest launch(Words arguments) {
  arguments.insert(arguments.begin(), "launch");
  return std::get<LaunchRequest>(parse_command_line(arguments));
}

std::string wrong_usage(const Words& arguments) {
  try {
    launch(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

Launch plan(const LaunchRequest& request, const std::string& tool_options = "") {
  return plan_launch(request, "/opt/hearth/lib/libhearth.so", "/w/" + request.file, tool_options);
}

TEST(Launch, TheCommandFollowsTheDashes) {
  LaunchRequest request = launch({"-e", "alloc", "--", "java", "-cp", "x", "--", "-e"});
  EXPECT_EQ(request.command, (Words{"java", "-cp", "x", "--", "-e"}));
  EXPECT_EQ(request.options, (Words{"event=alloc", "flamegraph"}));
  EXPECT_EQ(request.file, "profile-%p.html");
}

TEST(Launch, OptionsAreThoseOfProfiling) {
  LaunchRequest request = launch({"-i", "1ms", "-d", "1m", "-f", "x.pb.gz", "-t", "--filter", "a,b", "--", "java"});
  EXPECT_EQ(request.options, (Words{"interval=1ms", "filter=a;b", "timeout=60000ms", "pprof", "threads"}));
  EXPECT_EQ(launch({"-o", "collapsed", "--", "java"}).file, "profile-%p.collapsed");
  EXPECT_EQ(launch({"-o", "flat=5", "--", "java"}).file, "profile-%p.txt");
  EXPECT_EQ(launch({"--http", "--", "java"}).options, (Words{"flamegraph", "http=0"}));
  EXPECT_EQ(launch({"--http=7070", "--token=/t", "--", "java"}).options,
            (Words{"flamegraph", "http=7070", "token=/t"}));
  EXPECT_EQ(launch({"--http", "unix:/s", "--", "java"}).options, (Words{"flamegraph", "http=unix:/s"}));
}

TEST(Launch, RefusesInvalidCommandLines) {
  EXPECT_NE(wrong_usage({}).find("launch what?"), std::string::npos);
  EXPECT_NE(wrong_usage({"--"}).find("launch what?"), std::string::npos);
  EXPECT_NE(wrong_usage({"java", "-jar", "x"}).find("after --"), std::string::npos);
  EXPECT_NE(wrong_usage({"-e", "cpu", "java", "--", "x"}).find("java comes before --"), std::string::npos);
  EXPECT_NE(wrong_usage({"--evnt", "cpu", "--", "java"}).find("did you mean --event?"), std::string::npos);
  EXPECT_NE(wrong_usage({"-f", "-", "--", "java"}).find("standard output belongs to the program"), std::string::npos);
  EXPECT_NE(wrong_usage({"-d", "1", "--timeout", "1", "--", "java"}).find("give one"), std::string::npos);
  EXPECT_NE(wrong_usage({"--children", "-f", "x.html", "--", "mvn"}).find("put %p into the name"), std::string::npos);
  EXPECT_NE(wrong_usage({"-e", "7up", "--", "java"}).find("option event: "), std::string::npos);
  EXPECT_NE(wrong_usage({"-i", "often", "--", "java"}).find("option interval: "), std::string::npos);
  EXPECT_NE(wrong_usage({"--http=99999", "--", "java"}).find("option http: "), std::string::npos);
  EXPECT_NE(wrong_usage({"--token", "x", "--", "java"}).find("--token belongs to --http"), std::string::npos);
  EXPECT_NE(wrong_usage({"-f", "x.pb.gz", "--reverse", "--", "java"}).find("applies to a flame graph"),
            std::string::npos);
}

TEST(Launch, AJavaGetsTheAgentAsItsFirstOption) {
  Launch planned = plan(launch({"-f", "x.html", "--", "/usr/bin/java", "-jar", "a b.jar"}), "-Dx=1");
  EXPECT_EQ(
      planned.command,
      (Words{"/usr/bin/java", "-agentpath:/opt/hearth/lib/libhearth.so=start,file=/w/x.html,loglevel=info,flamegraph",
             "-jar", "a b.jar"}));
  EXPECT_TRUE(planned.environment.empty());
}

TEST(Launch, TheAgentLogsAtInfoUnlessALevelIsGiven) {
  auto agent = [](const Words& words) { return plan(launch(words)).command[1]; };
  EXPECT_NE(agent({"--", "java"}).find(",loglevel=info"), std::string::npos);
  std::string chosen = agent({"-L", "error", "--", "java"});
  EXPECT_NE(chosen.find(",loglevel=error"), std::string::npos);
  EXPECT_EQ(chosen.find("loglevel=info"), std::string::npos);
}

TEST(Launch, AJvmOfAScriptGetsTheAgentAfterItsOwnOptions) {
  Launch planned = plan(launch({"-f", "my x.html", "--", "mvn", "test"}), "-Dx=1");
  EXPECT_EQ(planned.command, (Words{"mvn", "test"}));
  EXPECT_EQ(planned.environment["JAVA_TOOL_OPTIONS"],
            "-Dx=1 -agentpath:/opt/hearth/lib/libhearth.so=start,file=/w/my' "
            "x%{HEARTH_FILE_SUFFIX}.html,loglevel=info,flamegraph'");
  EXPECT_EQ(planned.environment["HEARTH_FILE_TO_CLAIM"], "/w/my x.html");
  EXPECT_EQ(planned.environment["HEARTH_FILE_SUFFIX"], "");
  EXPECT_EQ(planned.environment["HEARTH_TOOL_OPTIONS_BEFORE"], "-Dx=1");
}

TEST(Launch, JvmsOfAScriptDoNotWriteOverEachOther) {
  auto options = [](const char* file) {
    return plan(launch({"-f", file, "--", "mvn"})).environment["JAVA_TOOL_OPTIONS"];
  };
  EXPECT_NE(options("a.pb.gz").find("/w/a%{HEARTH_FILE_SUFFIX}.pb.gz,"), std::string::npos);
  EXPECT_NE(options("a.b.html").find("/w/a.b%{HEARTH_FILE_SUFFIX}.html,"), std::string::npos);
  EXPECT_NE(options("plain").find("/w/plain%{HEARTH_FILE_SUFFIX},"), std::string::npos);
  EXPECT_NE(options("x-%p.html").find("/w/x-%p.html,"), std::string::npos);
  EXPECT_EQ(plan(launch({"-f", "x.html", "--", "java"})).environment.size(), 0U);
}

TEST(Launch, ChildrenInheritTheOptions) {
  Launch planned = plan(launch({"--children", "--", "java", "Main"}));
  EXPECT_EQ(planned.command, (Words{"java", "Main"}));
  EXPECT_EQ(planned.environment.count("JAVA_TOOL_OPTIONS"), 1U);
  EXPECT_EQ(planned.environment.count("HEARTH_TOOL_OPTIONS_BEFORE"), 0U);
}

TEST(Launch, ACommaOfAFileIsNotTheAgents) {
  Launch planned = plan(launch({"-f", "a,b-%p.html", "--", "java"}));
  EXPECT_EQ(planned.command[1],
            "-agentpath:/opt/hearth/lib/libhearth.so=start,file=/w/a%{HEARTH_COMMA}b-%p.html,loglevel=info,flamegraph");
  EXPECT_EQ(planned.environment, (std::map<std::string, std::string>{{"HEARTH_COMMA", ","}}));
}

TEST(Launch, OneAgentIsEnough) {
  EXPECT_THROW(plan(launch({"--", "mvn"}), "-agentpath:/x/libhearth.so"), Error);
  EXPECT_THROW(plan(launch({"--", "java", "-agentpath:/x/libhearth.so=start", "Main"})), Error);
  EXPECT_NO_THROW(plan(launch({"--", "java", "Main", "/x/libhearth.so"})));
  EXPECT_THROW(plan_launch(launch({"--", "java"}), "/a=b/libhearth.so", "/x", ""), Error);
}

TEST(Launch, QuotesAsTheJvmReads) {
  EXPECT_EQ(quoted_for_jvm("-Dx=1"), "-Dx=1");
  EXPECT_EQ(quoted_for_jvm("a b c"), "a' b c'");
  EXPECT_EQ(quoted_for_jvm("it's"), "it\"'s\"");
  EXPECT_EQ(quoted_for_jvm("'\"'"), "\"'\"'\"'\"'\"");
}

TEST(Launch, KnowsJavaByItsRelease) {
  EXPECT_EQ(version_in_release("A=\"1\"\nJAVA_VERSION=\"1.7.0_80\"\n"), "1.7.0_80");
  EXPECT_EQ(version_in_release(""), "");
  EXPECT_EQ(major_version("1.7.0_80"), 7);
  EXPECT_EQ(major_version("17.0.2"), 17);
  EXPECT_EQ(major_version("25"), 25);
  EXPECT_EQ(major_version(""), 0);
}

}  // namespace
}  // namespace hearth::launcher
