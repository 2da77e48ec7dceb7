#include "commands/sessions/output_files.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace hearth::commands {
namespace {

using std::chrono::milliseconds;

TEST(OutputFiles, WritersOfOneFileWriteInTheOrderOfTheirAnnouncements) {
  OutputFiles files;
  auto first = std::make_unique<OutputFiles::Announced>(files.announce("/tmp/a"));
  auto second = files.announce("/tmp/../tmp/a");
  std::atomic<bool> is_seconds{false};
  std::thread writer([&] {
    second.wait();
    is_seconds = true;
  });
  first->wait();
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(is_seconds);
  first.reset();
  writer.join();
  EXPECT_EQ(second.path(), "/tmp/../tmp/a");
}

TEST(OutputFiles, WritersOfOtherFilesDoNotWait) {
  OutputFiles files;
  auto first = files.announce("/tmp/a");
  auto other = files.announce("/tmp/b");
  other.wait();
}

TEST(OutputFiles, AWriterThatGivesUpIsNotWaitedFor) {
  OutputFiles files;
  auto first = std::make_unique<OutputFiles::Announced>(files.announce("/tmp/a"));
  auto second = std::make_unique<OutputFiles::Announced>(files.announce("/tmp/a"));
  auto third = files.announce("/tmp/a");
  second.reset();
  first.reset();
  third.wait();
}

TEST(OutputFiles, WaitsForAllWithinABound) {
  OutputFiles files;
  EXPECT_TRUE(files.wait_for_all(milliseconds(0)));
  auto first = std::make_unique<OutputFiles::Announced>(files.announce("/tmp/a"));
  EXPECT_FALSE(files.wait_for_all(milliseconds(10)));
  std::thread writer([&] { first.reset(); });
  EXPECT_TRUE(files.wait_for_all(std::chrono::minutes(1)));
  writer.join();
}

}  // namespace
}  // namespace hearth::commands
