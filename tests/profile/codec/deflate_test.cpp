#include "profile/codec/deflate.h"

#include <gtest/gtest.h>

#include "profile/formats/formats.h"

namespace hearth::profile {
namespace {

std::string numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i * 7919) + ' ';
  return text;
}

constexpr size_t kMany = 10'000'000;

std::string many(char c) {
  std::string text;
  text.resize(kMany, c);
  return text;
}

TEST(Deflate, InflatesToTheInput) {
  for (Wrapping wrapping : {Wrapping::kRaw, Wrapping::kGzip}) {
    for (const std::string& text : {std::string(), std::string("a"), numbers(200'000), many('z')})
      EXPECT_TRUE(inflate(deflate(text, wrapping), wrapping, "it") == text) << text.size();
  }
}

TEST(Deflate, JoinsGzipMembers) {
  EXPECT_EQ(inflate(deflate("one ", Wrapping::kGzip) + deflate("two", Wrapping::kGzip), Wrapping::kGzip, "it"),
            "one two");
}

TEST(Deflate, RefusesTruncatedAndDamagedData) {
  std::string good = deflate(numbers(1000), Wrapping::kGzip);
  EXPECT_THROW(inflate(good.substr(0, good.size() / 2), Wrapping::kGzip, "it"), FormatError);
  EXPECT_THROW(inflate("", Wrapping::kGzip, "it"), FormatError);
  good[good.size() / 2] ^= 0x55;
  EXPECT_THROW(inflate(good, Wrapping::kGzip, "it"), FormatError);
}

TEST(Deflate, RefusesABomb) {
  constexpr int kMembers = 50;
  constexpr size_t kZeros = 4'000'000;
  std::string member = deflate(std::string(kZeros, '\0'), Wrapping::kGzip), bomb;
  for (int i = 0; i < kMembers; ++i) bomb += member;
  EXPECT_EQ(inflate(member, Wrapping::kGzip, "it").size(), kZeros);
  EXPECT_THROW(inflate(bomb, Wrapping::kGzip, "it"), FormatError);
}

}  // namespace
}  // namespace hearth::profile
