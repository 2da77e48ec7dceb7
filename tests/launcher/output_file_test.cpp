#include "launcher/text/output_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/error.h"
#include "base/owned.h"
#include "launcher/attach/identity.h"
#include "launcher/commands/interrupts.h"
#include "launcher/text/progress_line.h"

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

TEST_F(OutputFileTest, ReportsWhyAFileCannotBeWritten) {
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

TEST_F(OutputFileTest, OpenDescriptorsAreWrittenInPlace) {
  EXPECT_TRUE(OutputFile(self_, "/dev/stdout").to_stdout());
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  UniqueFd reader(ends[0]), writer(ends[1]);
  OutputFile file(self_, "/dev/fd/" + std::to_string(writer.get()));
  EXPECT_EQ(file.agent_path(), "");
  std::string_view rest = "text";
  file.write([&] { return std::exchange(rest, {}); });
  char text[8] = "";
  EXPECT_EQ(::read(reader.get(), text, sizeof text), 4);
}

TEST_F(OutputFileTest, ALinkIsReplacedByItsOwner) {
  fs::create_symlink("/dev/null", folder_ / "link");
  EXPECT_EQ(why_not_writable(folder_ / "link"), "");
  fs::create_directory_symlink("/tmp", folder_ / "tmp");
  EXPECT_EQ(why_not_writable(folder_ / "tmp"), std::strerror(EISDIR));
}

TEST_F(OutputFileTest, KnowsWhenItWasWritten) {
  std::string path = folder_ / "x.html";
  std::ofstream(path) << "old";
  OutputFile file(self_, path);
  EXPECT_FALSE(file.is_new());
  std::string_view rest = "new";
  file.write([&] { return std::exchange(rest, {}); });
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

TEST(RunAs, EndsAProcessThatTakesTooLong) {
  Process self = read_process(::getpid());
  auto begin = std::chrono::steady_clock::now();
  auto hangs = []() -> std::string {
    for (;;) ::pause();
  };
  EXPECT_THROW(run_as(self, hangs, std::chrono::milliseconds(50)), Error);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no process is left";
}

TEST(RunAs, EndsAtASignalThatIsHeldBack) {
  Process self = read_process(::getpid());
  Interrupts held_back;
  ::raise(SIGTERM);
  EXPECT_EQ(run_as(self, [] { return std::string("soon"); }), "soon") << "an answer that is near is taken";
  auto hangs = []() -> std::string {
    for (;;) ::pause();
  };
  EXPECT_THROW(run_as(self, hangs, std::chrono::hours(1)), Error);
}

#ifndef __SANITIZE_ADDRESS__
TEST(RunAs, BoundsItsMemory) {
  Process self = read_process(::getpid());
  EXPECT_THROW(run_as(self, [] { return std::string(size_t{2} << 30, 'x'); }), Error);
}
#endif

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
