// Our files, read by the real reader of the format; runs where go is installed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "profile/formats/formats.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

std::string output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string output;
  std::array<char, 4096> buffer;
  while (size_t got = pipe == nullptr ? 0 : std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    output.append(buffer.data(), got);
  return output;
}

class GoPprof : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("go tool pprof -h >/dev/null 2>&1; test $? -ne 127 && command -v go >/dev/null") != 0)
      GTEST_SKIP() << "go is not on PATH";
    path_ = ::testing::TempDir() + "hearth_go_pprof_" + std::to_string(::getpid()) + ".pb.gz";
    replace_file(path_, write_pprof(sample_profile(), {}));
  }
  void TearDown() override {
    if (!path_.empty()) std::remove(path_.c_str());
  }
  std::string pprof(const std::string& arguments) {
    return output_of("go tool pprof " + arguments + " '" + path_ + "' 2>&1");
  }

  std::string path_;
};

TEST_F(GoPprof, Top) {
  std::string top = pprof("-top");
  for (const char* expected :
       {"File: OpenJDK 64-Bit Server VM 17.0.15+6\n", "Type: cpu\n", "Duration: 10s", "of 8ms total",
        "3.90ms 48.75% 48.75%        5ms 62.50%  cheshire.parse/parse*\n", "  vfs_read\n", "  [unknown_Java]\n"})
    EXPECT_NE(top.find(expected), std::string::npos) << expected << "\n" << top;
  EXPECT_EQ(top.find("symboliz"), std::string::npos) << top;
}

std::vector<std::string> lines_before_table(const std::string& top) {
  std::vector<std::string> lines;
  std::istringstream stream(top);
  for (std::string line; std::getline(stream, line) && line.find("Showing nodes") == std::string::npos;)
    lines.push_back(line);
  return lines;
}

TEST_F(GoPprof, PrintsOnlyNotesOfAllComments) {
  std::string top = pprof("-top");
  EXPECT_NE(top.find("hearth.note=kernel frames are hidden"), std::string::npos) << top;
  EXPECT_EQ(top.find("hearth.engine"), std::string::npos) << top;
  EXPECT_LE(lines_before_table(top).size(), 6u) << top;
}

TEST_F(GoPprof, OpensOnTheEventThatWasAskedFor) {
  Profile profile;
  profile.value_types = {{"samples", "count"},
                         {"cpu", "nanoseconds"},
                         {"wall", "nanoseconds"},
                         {"contentions", "count"},
                         {"delay", "nanoseconds"}};
  int64_t values[] = {1, 2'000'000, 3'000'000, 4, 5'000'000};
  profile.add(stack(profile, {{"f", FrameKind::kJit}}), 0, values);
  for (const auto& [event, type] :
       {std::pair("", "Type: cpu\n"), {"wall", "Type: wall\n"}, {"lock", "Type: delay\n"}}) {
    WriteOptions options;
    options.event = event;
    replace_file(path_, write_pprof(profile, options));
    std::string top = pprof("-top");
    EXPECT_NE(top.find(type), std::string::npos) << top;
  }
}

TEST_F(GoPprof, SampleIndex) {
  std::string top = pprof("-top -sample_index=samples");
  EXPECT_NE(top.find("Type: samples\n"), std::string::npos) << top;
  EXPECT_NE(top.find("4 50.00% 50.00%          5 62.50%  cheshire.parse/parse*\n"), std::string::npos) << top;
}

TEST_F(GoPprof, CommentsAndTags) {
  std::string comments = pprof("-comments");
  EXPECT_NE(comments.find("hearth.engine=perf_events\n"), std::string::npos) << comments;
  EXPECT_NE(comments.find("hearth.note=kernel frames are hidden"), std::string::npos) << comments;
  std::string tags = pprof("-tags");
  EXPECT_NE(tags.find("main"), std::string::npos) << tags;
  EXPECT_NE(tags.find("request_bytes"), std::string::npos) << tags;
}

TEST_F(GoPprof, LabelsCanBeFocusedOn) {
  std::string top = pprof("-top -tagfocus=thread=main");
  EXPECT_NE(top.find("Showing nodes accounting for 3ms, 37.50% of 8ms total"), std::string::npos) << top;
  std::string numeric = pprof("-top -tagfocus=request_bytes=512b");
  EXPECT_NE(numeric.find("accounting for 3ms"), std::string::npos) << numeric;
}

TEST_F(GoPprof, TimesCanBeFocusedOn) {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  profile.metadata.time_step_ns = 500'000'000;
  int64_t one = 1;
  NodeId node = stack(profile, {{"f", FrameKind::kJit}});
  for (TimeStep time = 0; time < 60; time++) profile.add(node, 0, &one, time);
  replace_file(path_, write_pprof(profile, {}));
  std::string top = pprof("-top -tagfocus=time=10s:14s");
  EXPECT_NE(top.find("Showing nodes accounting for 9, 15.00% of 60 total"), std::string::npos) << top;
}

}  // namespace
}  // namespace hearth::profile
