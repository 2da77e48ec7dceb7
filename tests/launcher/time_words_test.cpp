#include "launcher/commands/time_words.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hearth::launcher {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr profile::TimeChoice kRecorded = {1'700'000'000 * kSecond, 1'700'000'060 * kSecond};

profile::TimeChoice choice(const std::string& from, const std::string& to) {
  profile::TimeChoice choice = choice_of({from, to}, kRecorded);
  return {choice.from_ns - kRecorded.from_ns, choice.to_ns - kRecorded.from_ns};
}

std::string refusal(const std::string& from, const std::string& to) {
  try {
    choice_of({from, to}, kRecorded);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(TimeWords, AreAfterTheStartOrBeforeTheEnd) {
  EXPECT_EQ(choice("10s", "0.5m").from_ns, 10 * kSecond);
  EXPECT_EQ(choice("10s", "0.5m").to_ns, 30 * kSecond);
  EXPECT_EQ(choice("1500ms", "-10s").from_ns, kSecond * 3 / 2);
  EXPECT_EQ(choice("1500ms", "-10s").to_ns, 50 * kSecond);
  EXPECT_EQ(choice("2023-11-14T22:13:30Z", "").from_ns, 10 * kSecond);
}

TEST(TimeWords, AreRefusedInTheirOwnWords) {
  EXPECT_NE(refusal("10", "").find("\"10\" is not a time; write 10s"), std::string::npos) << refusal("10", "");
  EXPECT_NE(refusal("soon", "").find("is not a time"), std::string::npos);
  EXPECT_NE(refusal("20s", "10s").find("ends before it begins"), std::string::npos) << refusal("20s", "10s");
}

TEST(TimeWords, MayBeMissing) {
  EXPECT_EQ(choice_of({"", ""}, kRecorded).from_ns, INT64_MIN);
  EXPECT_EQ(choice_of({"", ""}, kRecorded).to_ns, INT64_MAX);
  EXPECT_EQ(choice_of({"", "10s"}, kRecorded).from_ns, INT64_MIN);
  EXPECT_EQ(choice_of({"1m", ""}, kRecorded).from_ns, kRecorded.to_ns);
}

}  // namespace
}  // namespace hearth::launcher
