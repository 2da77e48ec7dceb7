// Files that are written in place.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <thread>

#include "base/files.h"

namespace hearth {
namespace {

using std::chrono::milliseconds;

// A named pipe with a reader.
class Pipe {
 public:
  Pipe() : path_(::mkdtemp(folder_) + std::string("/pipe")) {
    ::mkfifo(path_.c_str(), 0600);
    reader_ = UniqueFd(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    set_reader_patience(milliseconds(-1));
    ::unlink(path_.c_str());
    ::rmdir(folder_);
  }
  const std::string& path() const { return path_; }
  size_t read_all(size_t bytes) const {
    std::string buffer(1 << 16, '\0');
    size_t all = 0;
    while (all < bytes) {
      ssize_t got = ::read(reader_.get(), buffer.data(), buffer.size());
      if (got > 0) all += static_cast<size_t>(got);
    }
    return all;
  }

 private:
  char folder_[32] = "/tmp/hearth-pipe-XXXXXX";
  std::string path_;
  UniqueFd reader_;
};

TEST(FilesInPlace, AReaderThatTakesNothingEndsTheWait) {
  Pipe pipe;
  set_reader_patience(milliseconds(20));
  try {
    replace_file(pipe.path(), std::string(1 << 20, 'x'));
    FAIL() << "the pipe holds 64 KiB";
  } catch (const FileError& error) {
    EXPECT_EQ(error.number(), ETIMEDOUT);
    EXPECT_NE(std::string(error.what()).find(pipe.path() + ": nobody has read"), std::string::npos) << error.what();
  }
}

TEST(FilesInPlace, AReaderThatIsSlowGetsAll) {
  constexpr size_t kBytes = 1 << 20;
  Pipe pipe;
  size_t got = 0;
  std::thread reader([&] {
    std::this_thread::sleep_for(milliseconds(50));
    got = pipe.read_all(kBytes);
  });
  replace_file(pipe.path(), std::string(kBytes, 'x'));
  reader.join();
  EXPECT_EQ(got, kBytes);
}

}  // namespace
}  // namespace hearth
