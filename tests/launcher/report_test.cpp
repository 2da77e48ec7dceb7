#include "launcher/commands/report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "launcher/commands/report_command.h"
#include "launcher/text/columns.h"

namespace hearth::launcher {
namespace {

Report sample_report() {
  Report report;
  report.file = "x.pb.gz";
  report.about.event = "cpu";
  report.about.interval = 1'000'000;
  report.events = "cpu every 1.00 ms";
  report.values = {{"samples", "count"}, {"cpu", "nanoseconds", 1'000'000}};
  report.about.duration_ns = 10'000'000'000;
  report.about.runtime = "OpenJDK 17";
  report.about.producer = "hearth 0.1.0";
  report.quality.engine = "ctimer";
  report.quality.samples = 1000;
  report.quality.java_samples = 10;
  report.quality.whole = 9;
  report.quality.failures = {{"unknown_Java", 5}};
  report.quality.notes = {"a note that goes on for so long that it has to be broken somewhere on its way to the end"};
  report.value = {"cpu", "nanoseconds"};
  report.total = 2'000'000'000;
  report.methods = {{"java/util/HashMap.merge", 500'000'000, 600'000'000, 250},
                    {"com/example/of/a/package/whose/name/has/no/end/Service.answer", 1'000'000, 1'900'000'000, 1}};
  report.paths = {{{"clone", "main"}, 2'000'000'000, 0, {{{"java/util/HashMap.merge"}, 600'000'000, 500'000'000, {}}}}};
  report.label = "thread";
  report.groups = {{"main", 1'500'000'000, 900, {"java/util/HashMap.merge", 300'000'000}},
                   {"", 500'000'000, 100, {"f", 500'000'000}}};
  return report;
}

TEST(Report, DividesByAnotherEvent) {
  Report report = sample_report();
  report.ratios = Ratios{"cycles", "count", 1.5, {{"java/util/HashMap.merge", {0.5, 0.75, 0.0625}}}};
  std::string text = report_text(report, {80, false});
  EXPECT_NE(text.find("Hottest methods, of 2.00 s cpu; 1.5 per cycles\n"
                      "     self               total    self ratio   total\n"
                      "   500 ms   25.0 %   30.0 %     0.5 ±0.062    0.75  java/util/HashMap.merge\n"
                      "  1.00 ms    0.1 %   95.0 %                         com/example"),
            std::string::npos)
      << text;
  report.ratios->unit = "nanoseconds";
  report.ratios->event = "wall";
  text = report_text(report, {80, false});
  EXPECT_NE(text.find("; 1.5e+06 per ms of wall\n"), std::string::npos) << text;
  EXPECT_NE(report_json(report).find("\"self_ratio\": 0.5"), std::string::npos);
}

TEST(Report, IsATableForPeople) {
  EXPECT_EQ(report_text(sample_report(), {80, false}),
            "x.pb.gz\n"
            "cpu every 1.00 ms, 10.0 s\n"
            "OpenJDK 17, by hearth 0.1.0\n"
            "\n"
            "Quality\n"
            "  1,000 samples, 0 lost, 90.0 % whole stacks, engine ctimer, overhead 0.0 % CPU\n"
            "  unknown_Java           5 (0.50%)\n"
            "  Note                   a note that goes on for so long that it has to be\n"
            "                         broken somewhere on its way to the end\n"
            "\n"
            "By thread, of 2.00 s cpu\n"
            "   1.50 s   75.0 %  main        20 % in java/util/HashMap.merge\n"
            "   500 ms   25.0 %  (none)     100 % in f\n"
            "\n"
            "Hottest methods, of 2.00 s cpu\n"
            "     self               total\n"
            "   500 ms   25.0 %   30.0 %  java/util/HashMap.merge\n"
            "  1.00 ms    0.1 %   95.0 %  com/example/of/a/package/whose/name/has/no/end/Service.answer\n"
            "\n"
            "Hottest paths, of 2.00 s cpu\n"
            "   total     self\n"
            " 100.0 %    0.0 %  clone › main\n"
            "  30.0 %   25.0 %    java/util/HashMap.merge\n");
}

TEST(Report, ValuesOfALabelThatHaveNoRowAreSummed) {
  profile::Profile profile;
  profile.value_types = {{"samples", "count"}};
  profile::NodeId stack = profile.child(0, profile.location(profile.function("f", profile::FrameKind::kJit), 0));
  for (int64_t i = 1; i <= 50; i++) profile.add(stack, profile.label_set({{"id", std::to_string(i), 0, ""}}), &i);
  ReportRequest request;
  request.file = ::testing::TempDir() + "hearth_by_" + std::to_string(::getpid()) + ".pb.gz";
  request.label = "id";
  request.limit = 3;
  replace_file(request.file, profile::write_pprof(profile, {}));
  ::testing::internal::CaptureStdout();
  run_report_command(request);
  std::string text = ::testing::internal::GetCapturedStdout();
  request.json = true;
  ::testing::internal::CaptureStdout();
  run_report_command(request);
  nlohmann::json by = nlohmann::json::parse(::testing::internal::GetCapturedStdout())["by"];
  std::remove(request.file.c_str());
  EXPECT_NE(text.find("    1,128   88.5 %  … 47 more; --top shows them\n"), std::string::npos) << text;
  EXPECT_EQ(by["groups"].size(), 3u);
  EXPECT_EQ(by["groups"][0]["value"], "50");
  EXPECT_EQ(by["others"]["count"], 47);
  EXPECT_EQ(by["others"]["total"], 1128);
}

TEST(Report, KeepsToTheTerminalsWidth) {
  for (size_t width : {60u, 80u, 160u}) {
    std::string text = report_text(sample_report(), {width, true});
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      bool bold = line.compare(0, 1, "\033") == 0;
      EXPECT_LE(columns_of(line), width + (bold ? 8 : 0)) << line;
    }
  }
  EXPECT_NE(report_text(sample_report(), {80, true}).find("…/of/a/package/whose/name/has/no/end/Service.answer\n"),
            std::string::npos);
}

TEST(Report, IsOneObjectForPrograms) {
  nlohmann::json object = nlohmann::json::parse(report_json(sample_report()));
  EXPECT_EQ(object["value"]["unit"], "nanoseconds");
  EXPECT_EQ(object["total"], 2'000'000'000);
  for (const char* field : {"samples", "lost", "whole_share", "failures", "walk_ns_mean", "handler_ns_mean", "engine",
                            "interval", "duration_ns", "own_cpu_ns", "handler_ns_p99", "without_symbols_share"})
    EXPECT_TRUE(object["quality"].contains(field)) << field;
  EXPECT_EQ(object["quality"]["whole_share"], 0.9);
  EXPECT_EQ(object["quality"]["interval"], 1'000'000);
  EXPECT_EQ(object["intervals"], (nlohmann::json{{"cpu", 1'000'000}}));
  EXPECT_EQ(object["methods"][0]["name"], "java/util/HashMap.merge");
  EXPECT_EQ(object["methods"][0]["self_share"], 0.25);
  EXPECT_EQ(object["paths"][0]["frames"], (std::vector<std::string>{"clone", "main"}));
  EXPECT_EQ(object["paths"][0]["callees"][0]["self"], 500'000'000);
  EXPECT_EQ(object["by"]["label"], "thread");
  EXPECT_EQ(object["by"]["groups"][0]["hottest"]["self"], 300'000'000);
}

TEST(Report, SpeaksOfAllocationsInWords) {
  Report report = sample_report();
  report.others = {"alloc", "live"};
  EXPECT_NE(report_text(report, {80, false}).find("\nalso in this file: alloc, live (show with --event)\n"),
            std::string::npos);
  for (auto [type, unit, words] : {std::tuple("alloc_space", "bytes", "of 2.00 GB allocated"),
                                   std::tuple("inuse_space", "bytes", "of 2.00 GB live"),
                                   std::tuple("alloc_objects", "count", "of 2,000,000,000 objects allocated")}) {
    report.value = {type, unit};
    EXPECT_NE(report_text(report, {80, false}).find(words), std::string::npos) << words;
  }
}

TEST(Report, PrintsNothingThatATerminalObeys) {
  const std::string escape = "\x1b]0;owned\x07";
  profile::Profile profile = profile::read_collapsed("a 10\n");
  profile.value_types[0] = {escape, escape};
  profile.metadata.title = profile.metadata.runtime = profile.metadata.producer = escape;
  profile.quality.notes = {escape};
  profile.quality.failures = {{escape, 1}};
  profile.quality.engine = escape;
  ReportRequest request;
  request.file = ::testing::TempDir() + "hearth_report_" + std::to_string(::getpid()) + ".pb.gz";
  replace_file(request.file, profile::write_pprof(profile, {}));
  ::testing::internal::CaptureStdout();
  run_report_command(request);
  std::string text = ::testing::internal::GetCapturedStdout();
  std::remove(request.file.c_str());
  EXPECT_NE(text.find("owned"), std::string::npos) << text;
  EXPECT_EQ(text.find_first_of("\x1b\x07"), std::string::npos) << text;
}

TEST(Report, OfNothing) {
  Report report;
  report.file = "empty";
  EXPECT_NE(report_text(report, {80, true}).find("0 samples"), std::string::npos);
  EXPECT_NE(report_text(report, {80, true}).find("No stack has any weight."), std::string::npos);
  report.value = {"inuse_space", "bytes"};
  EXPECT_NE(report_text(report, {80, true}).find("is still reachable."), std::string::npos);
  EXPECT_EQ(report_text(report, {80, true}).find("Hottest"), std::string::npos);
  report.filtered = true;
  EXPECT_NE(report_text(report, {80, true}).find("No stack matches --include, --exclude and --label."),
            std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(report_json(report))["methods"].empty());
}

}  // namespace
}  // namespace hearth::launcher
