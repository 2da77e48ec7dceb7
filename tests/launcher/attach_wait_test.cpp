#include "launcher/attach/attach_wait.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/owned.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;

TEST(AttachWait, EndsWithTheAnswerOrThePatience) {
  Process self = read_process(::getpid());
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  UniqueFd reader(ends[0]), writer(ends[1]);
  try {
    AttachWait(self, milliseconds(30)).until_readable(reader.get());
    ADD_FAILURE() << "nothing was an answer";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did not answer within 0.03 s"), std::string::npos) << error.what();
  }
  ASSERT_EQ(::write(writer.get(), "x", 1), 1);
  AttachWait(self, std::chrono::hours(1)).until_readable(reader.get());
}

// One byte at a time is no way to hold it up.
TEST(AttachWait, CountsFromItsStart) {
  Process self = read_process(::getpid());
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  UniqueFd reader(ends[0]), writer(ends[1]);
  AttachWait wait(self, milliseconds(100));
  auto drips = [&] {
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(::write(writer.get(), "x", 1), 1);
      wait.until_readable(reader.get());
      char byte = 0;
      ASSERT_EQ(::read(reader.get(), &byte, 1), 1);
      std::this_thread::sleep_for(milliseconds(1));
    }
  };
  EXPECT_THROW(drips(), Error);
}

}  // namespace
}  // namespace hearth::launcher
