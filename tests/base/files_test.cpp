#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace hearth {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  FilesTest() : umask_(::umask(022)) {
    char name[] = "/tmp/hearth-files-XXXXXX";
    folder_ = ::mkdtemp(name);
    fs::permissions(folder_, fs::perms(0755));
  }
  ~FilesTest() override {
    fs::remove_all(folder_);
    ::umask(umask_);
  }

  mode_t mode_of(const std::string& name) const {
    struct stat info {};
    EXPECT_EQ(::lstat((folder_ / name).c_str(), &info), 0) << name;
    return info.st_mode & 07777;
  }
  size_t count() const { return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})); }

  fs::path folder_;

 private:
  mode_t umask_;
};

TEST_F(FilesTest, AFileIsReplacedAsAWhole) {
  fs::path file = folder_ / "x";
  replace_file(file, "one");
  replace_file(file, "two", Written::kOnDisk);
  EXPECT_EQ(read_file(file), "two");
  EXPECT_EQ(count(), 1u);
}

TEST_F(FilesTest, ALinkToAFileIsReplacedAndNotFollowed) {
  replace_file(folder_ / "victim", "kept");
  fs::create_symlink("victim", folder_ / "link");
  replace_file(folder_ / "link", "new");
  EXPECT_EQ(read_file(folder_ / "victim"), "kept");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder_ / "link")));
}

TEST_F(FilesTest, ALinkToADeviceIsReplacedAndNotFollowed) {
  fs::create_symlink("/dev/null", folder_ / "link");
  replace_file(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder_ / "link")));
  EXPECT_EQ(read_file(folder_ / "link"), "new");
}

TEST_F(FilesTest, ADeviceIsWrittenInPlace) {
  replace_file("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FilesTest, APipeIsWrittenInPlaceAndNeedsAReader) {
  fs::path fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THROW(replace_file(fifo, "nobody reads"), FileError);
  UniqueFd reader(::open(fifo.c_str(), O_RDONLY | O_NONBLOCK));
  replace_file(fifo, "text");
  std::array<char, 16> read{};
  EXPECT_EQ(::read(reader.get(), read.data(), read.size()), 4);
  EXPECT_TRUE(fs::is_fifo(fifo));
}

// As /dev/stdout and >(…) of a shell name them.
TEST_F(FilesTest, ADescriptorOfAnyKindIsWritten) {
  for (const char* form : {"/dev/fd/{}", "/proc/self/fd/{}"}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    UniqueFd reader(ends[0]), writer(ends[1]);
    std::string path(form);
    replace_file(path.replace(path.find("{}"), 2, std::to_string(writer.get())), "text");
    std::array<char, 16> read{};
    EXPECT_EQ(::read(reader.get(), read.data(), read.size()), 4) << form;
  }
  UniqueFd file(::open((folder_ / "x").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::write(file.get(), "first ", 6), 6);
  replace_file("/dev/fd/" + std::to_string(file.get()), "second");
  EXPECT_EQ(read_file(folder_ / "x"), "first second") << "at the place where the descriptor is";
}

TEST_F(FilesTest, ADescriptorThatIsNotOpenIsAnError) {
  EXPECT_THROW(replace_file("/dev/fd/1000000", "text"), FileError);
  EXPECT_THROW(check_replaceable("/dev/fd/1000000"), FileError);
}

TEST_F(FilesTest, DetectsPathsWrittenInPlace) {
  fs::path fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  fs::create_symlink("/dev/null", folder_ / "link");
  for (const char* path : {"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/63", "/proc/self/fd/1", fifo.c_str()})
    EXPECT_TRUE(is_written_in_place(path)) << path;
  for (const std::string& path : {std::string("/dev/fd/"), std::string("/dev/fd/1x"), std::string("/dev/fd/1/x"),
                                  (folder_ / "link").string(), (folder_ / "none").string(), folder_.string()})
    EXPECT_FALSE(is_written_in_place(path)) << path;
}

TEST_F(FilesTest, TheUmaskDecidesOnOtherReaders) {
  replace_file(folder_ / "x", "text");
  EXPECT_EQ(mode_of("x"), 0644u);
  ::umask(077);
  replace_file(folder_ / "x", "text");
  EXPECT_EQ(mode_of("x"), 0600u);
}

TEST_F(FilesTest, PrivateFilesAndFoldersAreUnreadableForOthers) {
  replace_file(folder_ / "x", "text", Written::kInCache, Readers::kOwner);
  EXPECT_EQ(mode_of("x"), 0600u);
  fs::create_directory(folder_ / "own");
  fs::permissions(folder_ / "own", fs::perms(0700));
  replace_file(folder_ / "own" / "x", "text");
  EXPECT_EQ(mode_of("own/x"), 0600u);
}

TEST_F(FilesTest, AFailureLeavesNoFile) {
  replace_file(folder_ / "x", "kept");
  EXPECT_THROW(replace_file(folder_, "text"), FileError);
  EXPECT_THROW(replace_file(folder_ / "x" / "y", "text"), FileError);
  EXPECT_THROW(replace_file(folder_ / "none" / "y", "text"), FileError);
  auto fails = []() -> std::string_view { throw Error("no more"); };
  EXPECT_THROW(replace_file(folder_ / "x", fails), Error);
  EXPECT_EQ(read_file(folder_ / "x"), "kept");
  EXPECT_EQ(count(), 1u);
}

TEST_F(FilesTest, OfALongFileThereIsTheStart) {
  replace_file(folder_ / "x", std::string(1 << 20, 'x'));
  EXPECT_EQ(read_file(folder_ / "x", 1000).size(), 1000u);
  EXPECT_EQ(read_file(folder_ / "x").size(), size_t{1} << 20);
}

TEST_F(FilesTest, OnlyARegularFileIsReadOfAnothersFolder) {
  fs::path file = folder_ / "x", fifo = folder_ / "fifo", link = folder_ / "link", none = folder_ / "none";
  replace_file(file, "text");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  fs::create_symlink(file, link);
  EXPECT_EQ(read_regular_file(file, 4), "text");
  for (const fs::path& other : {fifo, link, none, folder_, fs::path("/dev/zero")})
    EXPECT_THROW(read_regular_file(other, 4), FileError) << other;
  EXPECT_THROW(read_regular_file(file, 3), FileError);
  ASSERT_EQ(::truncate(file.c_str(), int64_t{1} << 40), 0);
  EXPECT_THROW(read_regular_file(file, size_t{1} << 30), FileError) << "1 TiB";
}

// As renameat2(3), which glibc has since 2.28.
long exchange(const char* one, const char* other) {
  return ::syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

// Exchanges two names as fast as it can.
class Swapper {
 public:
  Swapper(fs::path one, fs::path other) : one_(std::move(one)), other_(std::move(other)), thread_([this] { swap(); }) {}
  ~Swapper() {
    ends_ = true;
    thread_.join();
  }

 private:
  void swap() {
    while (!ends_) exchange(one_.c_str(), other_.c_str());
  }

  fs::path one_, other_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

// The folder's owner alternates between a pipe and a link to another user's file.
TEST_F(FilesTest, NoRaceLeadsToAnotherFile) {
  constexpr int kRounds = 5000;
  fs::path out = folder_ / "out", link = folder_ / "link", victim = folder_ / "victim", fifo = folder_ / "fifo";
  replace_file(victim, "kept");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  if (exchange(victim.c_str(), fifo.c_str()) != 0) GTEST_SKIP() << "this file system exchanges no names";
  ASSERT_EQ(exchange(victim.c_str(), fifo.c_str()), 0);
  UniqueFd reader(::open(fifo.c_str(), O_RDONLY | O_NONBLOCK));
  std::array<char, 4096> read{};
  Swapper swapper(out, link);
  int piped = 0, replaced = 0;
  // On a busy machine the other thread may not run for a while.
  auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  auto has_met_both = [&] { return piped > 0 && replaced > 0; };
  for (int round = 0; round < kRounds || (!has_met_both() && std::chrono::steady_clock::now() < end); ++round) {
    for (const fs::path& name : {out, link}) ::unlink(name.c_str());
    ASSERT_EQ(::link(fifo.c_str(), out.c_str()), 0);
    ASSERT_EQ(::symlink(victim.c_str(), link.c_str()), 0);
    try {
      replace_file(out, "main;a;b 10\n");
    } catch (const FileError&) {
      continue;
    }
    bool is_piped = ::read(reader.get(), read.data(), read.size()) > 0;
    (is_piped ? piped : replaced)++;
    ASSERT_EQ(read_file(victim), "kept") << "in round " << round;
  }
  EXPECT_TRUE(has_met_both()) << piped << " times the pipe, " << replaced << " times the link";
}

}  // namespace
}  // namespace hearth
