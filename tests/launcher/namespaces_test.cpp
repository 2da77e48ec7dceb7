#include "launcher/attach/namespaces.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "base/files.h"

namespace hearth::launcher {
namespace {

namespace fs = std::filesystem;

// The files of a process that wants to lead the launcher elsewhere.
class NamespacesTest : public testing::Test {
 protected:
  NamespacesTest() {
    char name[] = "/tmp/hearth-namespaces-XXXXXX";
    folder_ = ::mkdtemp(name);
    root_ = UniqueFd(::open(folder_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  ~NamespacesTest() override { fs::remove_all(folder_); }

  fs::path folder_;
  UniqueFd root_;
};

TEST_F(NamespacesTest, AFileIsReadUpToABound) {
  replace_file(folder_ / "release", "0123456789");
  EXPECT_EQ(read_below(root_.get(), "/release", 100), "0123456789");
  EXPECT_EQ(read_below(root_.get(), "/release", 4), "0123");
  ASSERT_EQ(::truncate((folder_ / "release").c_str(), int64_t{1} << 40), 0);
  EXPECT_EQ(read_below(root_.get(), "/release", 4), "0123") << "1 TiB";
  EXPECT_EQ(read_below(root_.get(), "/none", 4), "");
}

TEST_F(NamespacesTest, NoLinkIsFollowedAtTheEndNorOutOfTheRoot) {
  replace_file(folder_ / "file", "text");
  fs::create_symlink("file", folder_ / "link");
  fs::create_symlink("/", folder_ / "root");
  fs::create_symlink("/proc/self/root", folder_ / "magic");
  EXPECT_EQ(read_below(root_.get(), "/link", 4), "");
  EXPECT_EQ(read_below(root_.get(), "/root/file", 4), "text") << "its own root";
  EXPECT_EQ(read_below(root_.get(), "/root/etc/passwd", 4), "");
  EXPECT_EQ(read_below(root_.get(), "/magic/etc/passwd", 4), "");
  UniqueFd all(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  EXPECT_NE(read_below(all.get(), "/etc/passwd", 4), "");
  EXPECT_EQ(read_below(all.get(), "/proc/self/root/etc/passwd", 4), "") << "a link of the kernel's";
}

TEST_F(NamespacesTest, APipeIsNotOpened) {
  fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::atomic<bool> ends{false}, is_met{false};
  std::thread writer([&] {
    while (!ends) {
      UniqueFd fd(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));  // succeeds while somebody reads
      is_met = is_met || fd;
    }
  });
  for (int round = 0; round < 2000; ++round) EXPECT_EQ(read_below(root_.get(), "/pipe", 4), "");
  ends = true;
  writer.join();
  EXPECT_FALSE(is_met);
}

}  // namespace
}  // namespace hearth::launcher
