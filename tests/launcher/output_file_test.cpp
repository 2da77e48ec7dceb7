#include "output_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "identity.h"
#include "progress_line.h"

namespace hearth::launcher {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    char name[] = "/tmp/hearth-output-XXXXXX";
    folder_ = ::mkdtemp(name);
    self_.process = read_process(::getpid());
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  fs::path folder_;
  Jvm self_;
};

TEST_F(OutputFileTest, SaysWhyAFileCannotBeWritten) {
  EXPECT_EQ(why_not_writable(folder_ / "new.html"), "");
  EXPECT_EQ(why_not_writable(folder_ / "none" / "x.html"), std::strerror(ENOENT));
  EXPECT_EQ(why_not_writable(folder_), std::strerror(EISDIR));
  std::ofstream(folder_ / "file") << "x";
  EXPECT_EQ(why_not_writable(folder_ / "file"), "");
  EXPECT_EQ(why_not_writable(folder_ / "file" / "x"), std::strerror(ENOTDIR));
  EXPECT_EQ(why_not_writable("/dev/null"), "");
  EXPECT_NE(why_not_writable("/proc/x.html"), "") << "though root has the permission";
}

TEST_F(OutputFileTest, LooksWithTheEyesOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  Process nobody = self_.process;
  nobody.uid = nobody.gid = 65534;
  nobody.groups.clear();
  fs::permissions(folder_, fs::perms::owner_all);
  std::string reason = run_as(nobody, [&] { return why_not_writable(folder_ / "x.html"); });
  EXPECT_EQ(reason, std::strerror(EACCES));
  EXPECT_EQ(::geteuid(), 0u);
}

TEST_F(OutputFileTest, StandardOutputHasNoPath) {
  EXPECT_TRUE(OutputFile(self_, "").to_stdout());
  EXPECT_TRUE(OutputFile(self_, "-").to_stdout());
}

TEST_F(OutputFileTest, TheAgentGetsAnAbsolutePath) {
  OutputFile file(self_, (folder_ / "a" / ".." / "x.html").string());
  EXPECT_EQ(file.agent_path(), (folder_ / "x.html").string());
  EXPECT_TRUE(fs::path(OutputFile(self_, "x.html").agent_path()).is_absolute());
}

TEST_F(OutputFileTest, RefusesACommaInThePath) {
  EXPECT_THROW(OutputFile(self_, (folder_ / "a,b.html").string()), Error);
}

TEST_F(OutputFileTest, KnowsWhenItWasWritten) {
  std::string path = folder_ / "x.html";
  std::ofstream(path) << "old";
  OutputFile file(self_, path);
  EXPECT_FALSE(file.is_new());
  file.write("new");
  EXPECT_TRUE(file.is_new());
}

TEST(RunAs, HandsResultsAndErrorsOver) {
  Process self = read_process(::getpid());
  std::string large(1 << 20, 'x');
  EXPECT_EQ(run_as(self, [&] { return large; }), large);
  EXPECT_EQ(run_as(self, [] { return std::string(); }), "");
  try {
    run_as(self, []() -> std::string { throw Error("what failed", "what to do"); });
    ADD_FAILURE() << "the error was lost";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "what failed; what to do");
  }
  EXPECT_THROW(run_as(self, []() -> std::string { ::_exit(3); }), Error);
}

TEST(ProgressText, DrawsABarAndSeconds) {
  using std::chrono::milliseconds;
  EXPECT_EQ(progress_text("7 Main", milliseconds(5'400), milliseconds(10'000)),
            "profiling 7 Main  [==========          ] 5/10 s");
  EXPECT_EQ(progress_text("7 Main", milliseconds(0), milliseconds(500)),
            "profiling 7 Main  [                    ] 0/1 s");
  EXPECT_EQ(progress_text("7 Main", milliseconds(11'000), milliseconds(10'000)),
            "profiling 7 Main  [====================] 10/10 s");
}

}  // namespace
}  // namespace hearth::launcher
