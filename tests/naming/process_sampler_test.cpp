#include "naming/recording/process_sampler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>
#include <string>

namespace hearth::naming {
namespace {

TEST(ProcessSampler, ReadsTheFiguresOfAProcess) {
  std::string stat =
      "42 (a ) name) S 7 1 1 0 -1 4194560 900 1 30 1 250 150 0 0 20 0 9 0 12345 1000 200 18446744073709551615 1 1\n";
  std::string status = "Name:\ta ) name\nUid:\t1000\t1000\nVmSize:\t  20 kB\nVmRSS:\t  12 kB\nRssAnon:\t 5 kB\n";
  ProcessFigures figures;
  ASSERT_TRUE(parse_process(stat, status, &figures));
  EXPECT_EQ(figures.name, "a ) name");
  EXPECT_EQ(figures.state, 'S');
  EXPECT_EQ(figures.parent, 7);
  EXPECT_EQ(figures.minor_faults, 900);
  EXPECT_EQ(figures.major_faults, 30);
  EXPECT_DOUBLE_EQ(figures.user, 250.0 / static_cast<double>(sysconf(_SC_CLK_TCK)));
  EXPECT_EQ(figures.threads, 9);
  EXPECT_EQ(figures.start_ticks, 12345U);
  EXPECT_EQ(figures.uid, 1000);
  EXPECT_EQ(figures.size, 20 * 1024);
  EXPECT_EQ(figures.resident, 12 * 1024);
  EXPECT_EQ(figures.anonymous, 5 * 1024);
  EXPECT_EQ(figures.files, 0);
}

TEST(ProcessSampler, RefusesWhatIsNoProcess) {
  ProcessFigures figures;
  EXPECT_FALSE(parse_process("", "", &figures));
  EXPECT_FALSE(parse_process("42 (name) S 7", "", &figures));
}

TEST(ProcessSampler, ABusyProcessIsPutFromTheSecondTimeOn) {
  profile::jfr::ChunkWriter chunk({0, 1});
  ProcessSampler sampler;
  auto recorded = [&](int64_t ticks) {
    sampler.put(&chunk, ticks);
    return chunk.take_piece(ticks).find("naming_tests");
  };
  EXPECT_EQ(recorded(1'000'000'000), std::string::npos);
  volatile uint64_t sum = 0;
  std::clock_t begin = std::clock();
  while (std::clock() - begin < CLOCKS_PER_SEC / 5) sum = sum + 1;
  EXPECT_NE(recorded(2'000'000'000), std::string::npos);  // a fifth of that second
}

}  // namespace
}  // namespace hearth::naming
