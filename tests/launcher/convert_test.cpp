#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "launcher/commands/convert_command.h"

namespace hearth::launcher {
namespace {

class Convert : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& content) {
    replace_file(folder_ / name, content);
    return folder_ / name;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("convert_test-" + std::to_string(::getpid()));
};

TEST_F(Convert, MergesSeveralProfiles) {
  ConvertRequest request;
  request.inputs = {file("a.collapsed", "main;work 3\nmain;idle 1\n"), file("b.collapsed", "main;work 4\n")};
  request.output = folder_ / "all.pb.gz";
  request.formats = {{profile::Format::kPprof}};
  run_convert_command(request);
  // Merges its own output, too.
  request.inputs = {request.output, file("c.collapsed", "main;work 10\n")};
  request.output = folder_ / "all.collapsed";
  request.formats = {{profile::Format::kCollapsed}};
  run_convert_command(request);
  EXPECT_EQ(read_file(request.output), "main;idle 1\nmain;work 17\n");
}

TEST_F(Convert, NamesTheInputThatCannotBeRead) {
  ConvertRequest request;
  request.inputs = {file("a.collapsed", "main 3\n"), folder_ / "none.pb.gz"};
  request.output = folder_ / "all.collapsed";
  request.formats = {{profile::Format::kCollapsed}};
  try {
    run_convert_command(request);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("none.pb.gz"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(request.output));
}

}  // namespace
}  // namespace hearth::launcher
