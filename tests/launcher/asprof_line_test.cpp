#include "launcher/line/asprof_line.h"

#include <gtest/gtest.h>

#include "launcher/line/usage_error.h"

namespace hearth::launcher {
namespace {

using Words = std::vector<std::string>;

AsprofRequest request(const Words& arguments) {
  return std::get<AsprofRequest>(parse_asprof_line(arguments));
}

std::string refusal(const Words& arguments) {
  try {
    parse_asprof_line(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AsprofLine, CollectsForAMinuteByDefault) {
  AsprofRequest asked = request({"1234"});
  EXPECT_EQ(asked.action, "collect");
  EXPECT_EQ(asked.target, "1234");
  EXPECT_EQ(asked.duration, std::chrono::seconds(60));
  EXPECT_EQ(asprof_options("start,quiet", asked, ""), "asprof,start,quiet");
  EXPECT_EQ(asprof_options("stop", asked, ""), "asprof,stop,text");
}

TEST(AsprofLine, TheStartHasTheFileAndItsFormat) {
  AsprofRequest asked = request({"-d", "30", "-e", "cpu", "-i", "1ms", "-t", "-s", "-f", "/x/a.html", "7"});
  EXPECT_EQ(asprof_options("start,quiet", asked, "/x/a.html"),
            "asprof,start,quiet,file=/x/a.html,event=cpu,interval=1ms,threads,simple");
  EXPECT_EQ(asprof_options("stop", asked, "/x/a.html"), "asprof,stop,file=/x/a.html,simple");
}

TEST(AsprofLine, CommasOfValues) {
  AsprofRequest asked = request({"-F", "vtable,comptask", "--filter", "1,2-3", "-e", "cpu,alloc", "7"});
  EXPECT_EQ(asprof_options("start", asked, ""), "asprof,start,features=vtable+comptask,filter=1;2-3,event=cpu,alloc");
  EXPECT_EQ(refusal({"--begin", "a,b", "7"}).substr(0, 12), "--begin a,b:");
}

TEST(AsprofLine, TargetsAndTheirPlace) {
  EXPECT_EQ(request({"stop", "-o", "flat", "jps"}).target, "jps");
  EXPECT_EQ(request({"-d", "5", "MyApp"}).target, "MyApp");
  EXPECT_EQ(request({"7", "-d", "5"}).target, "7");
  EXPECT_NE(refusal({"MyApp", "-d", "5"}).find("Unrecognized option: MyApp"), std::string::npos);
  EXPECT_NE(refusal({"--tracee", "x", "7"}).find("Unrecognized option: --tracee"), std::string::npos);
  EXPECT_TRUE(std::get<AsprofText>(parse_asprof_line({"-d", "5"})).is_wrong_usage);
}

TEST(AsprofLine, ATimeoutOrALoopIsAStart) {
  EXPECT_EQ(request({"--timeout", "10", "7"}).action, "start");
  EXPECT_EQ(request({"--loop", "1h", "-f", "/x/%t.html", "7"}).action, "start");
}

TEST(AsprofLine, MistakesAreFoundBeforeAnythingIsAttachedTo) {
  EXPECT_NE(refusal({"-e", "7up", "7"}).find("no such event, counter"), std::string::npos);
  EXPECT_NE(refusal({"-e", "ctimer", "--record-cpu", "7"}).find("only perf_events"), std::string::npos);
  EXPECT_EQ(refusal({"-d", "x", "7"}).substr(0, 5), "-d x:");
}

TEST(AsprofLine, CommandsOfTheJvm) {
  auto command = std::get<JvmCommandRequest>(parse_asprof_line({"jcmd", "7", "GC.class_histogram", "-all"}));
  EXPECT_EQ(command.target, "7");
  EXPECT_EQ(command.words, (Words{"jcmd", "GC.class_histogram", "-all"}));
  EXPECT_EQ(std::get<JvmCommandRequest>(parse_asprof_line({"threaddump", "7"})).words, Words{"threaddump"});
}

TEST(AsprofLine, HelpAndVersion) {
  EXPECT_EQ(std::get<AsprofText>(parse_asprof_line({"--help"})).text.substr(0, 13), "Usage: asprof");
  EXPECT_EQ(std::get<AsprofText>(parse_asprof_line({"-v"})).text.substr(0, 18), "Async-profiler 4.5");
}

}  // namespace
}  // namespace hearth::launcher
