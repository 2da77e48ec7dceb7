#include <gtest/gtest.h>

#include <string>

#include "profile/formats/formats.h"
#include "profile/formats/read_collapsed.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

std::string error_of(std::string_view text) {
  try {
    read_collapsed(text);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Collapsed, WritesSamplesOrTheTotal) {
  Profile profile = sample_profile();
  EXPECT_EQ(write_collapsed(profile, {}),
            "[GC Thread#0 tid=7];G1ParTask::work;memcpy 1\n"
            "clojure.main/main;[unknown_Java];naïve→λ 1\n"
            "clojure.main/main;cheshire.parse/parse* 4\n"
            "clojure.main/main;cheshire.parse/parse*;vfs_read_[k] 1\n"
            "clojure.main/main;java/util/HashMap.get;itable stub 1\n");
  WriteOptions total;
  total.lens = Lens::kTotal;
  total.annotate = true;
  EXPECT_EQ(write_collapsed(profile, total),
            "[GC Thread#0 tid=7];G1ParTask::work;memcpy 1000000\n"
            "clojure.main/main_[j];[unknown_Java];naïve→λ 1000000\n"
            "clojure.main/main_[j];cheshire.parse/parse*_[0] 900000\n"
            "clojure.main/main_[j];cheshire.parse/parse*_[j] 3000000\n"
            "clojure.main/main_[j];cheshire.parse/parse*_[i];vfs_read_[k] 1100000\n"
            "clojure.main/main_[j];java/util/HashMap.get_[1];itable stub 1000000\n");
}

TEST(Collapsed, ReadsItsOwnOutput) {
  WriteOptions annotate;
  annotate.annotate = true;
  std::string text = write_collapsed(sample_profile(), annotate);
  Profile read = read_collapsed(text);
  EXPECT_EQ(write_collapsed(read, annotate), text);
  EXPECT_EQ(read.quality.samples, 8u);
  EXPECT_EQ(read.value_types.size(), 1u);
}

TEST(Collapsed, ReadsFilesOfOtherTools) {
  Profile read = read_collapsed(
      "\r\n  \nmain;operator new(unsigned long);x 3\r\nmain 2 \n\nmain;;x 1\nmain;operator new(unsigned long) 5");
  EXPECT_EQ(write_collapsed(read, {}),
            "main 2\nmain;[unknown];x 1\nmain;operator new(unsigned long) 5\nmain;operator new(unsigned long);x 3\n");
  EXPECT_EQ(write_collapsed(read_collapsed(""), {}), "");
}

TEST(Collapsed, OrderOfLinesDoesNotMatter) {
  const char* one = "a;b;c 1\na;b 2\nab;c 3\na 4\na;b;c 5\na;bc 6\n";
  const char* other = "a;bc 6\na;b;c 1\na 4\na;b;c 5\nab;c 3\na;b 2\n";
  EXPECT_EQ(write_collapsed(read_collapsed(one), {}), "a 4\na;b 2\na;b;c 6\na;bc 6\nab;c 3\n");
  EXPECT_EQ(write_collapsed(read_collapsed(other), {}), write_collapsed(read_collapsed(one), {}));
}

TEST(Collapsed, KeepsNegativeCountsOfDifferences) {
  EXPECT_EQ(write_collapsed(read_collapsed("a -5\nb 3\n"), {}), "a -5\nb 3\n");
}

TEST(Collapsed, ReportsTheBadLineAndTheReason) {
  EXPECT_EQ(error_of("a 1\n\nbad\n"),
            "line 3 of the collapsed stacks: a line is frames parted by ';', a blank and a count; read 'bad'");
  EXPECT_EQ(error_of("a;b 1.5"),
            "line 1 of the collapsed stacks: the count after the last blank must be an integer; read 'a;b 1.5'");
  EXPECT_EQ(error_of("a 9223372036854775808"),
            "line 1 of the collapsed stacks: the count is more than 2^63-1; read 'a 9223372036854775808'");
  EXPECT_EQ(error_of(" 7"), "line 1 of the collapsed stacks: there is no frame before the count; read ' 7'");
  EXPECT_EQ(error_of("\x01 x"),
            "line 1 of the collapsed stacks: the count after the last blank must be an integer; read '\uFFFD x'");
  EXPECT_EQ(error_of("a 9223372036854775807\na 9223372036854775807"), "no error")
      << "sums stay at the end of the scale";
}

TEST(Collapsed, RefusesLinesThatNoProfilerWrites) {
  std::string deep = "a";
  for (int i = 0; i < 1'000'000; ++i) deep += ";a";
  EXPECT_NE(error_of(deep + " 1").find("line 1 of the collapsed stacks: a stack has at most 1000000 frames; read 'a;a"),
            std::string::npos);
  EXPECT_EQ(error_of(deep.substr(2) + " 1"), "no error");

  // In pieces, as files are read: such a line is refused before it is held as a whole.
  constexpr size_t kPiece = size_t{1} << 20, kMostPieces = 100;
  std::string piece(kPiece, 'a');
  CollapsedReader reader;
  reader.feed("b 1\n");
  size_t pieces = 0;
  EXPECT_THROW(for (; pieces < kMostPieces; ++pieces) reader.feed(piece), FormatError);
  EXPECT_EQ(pieces, 64u);
}

TEST(Collapsed, MayComeInPieces) {
  std::string text = "a;b;c 1\r\na;b 20\n\nab;c 3\na 4\na;b;c 5\na;bc 6";
  for (size_t size = 1; size <= text.size(); ++size) {
    CollapsedReader reader;
    for (size_t at = 0; at < text.size(); at += size) reader.feed(text.substr(at, size));
    EXPECT_EQ(write_collapsed(reader.finish(), {}), write_collapsed(read_collapsed(text), {})) << size;
  }
}

}  // namespace
}  // namespace hearth::profile
