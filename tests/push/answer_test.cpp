#include "push/answer.h"

#include <gtest/gtest.h>

namespace hearth::push {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(Answer, ClassifiesRepliesToTryAgain) {
  for (options::Protocol protocol : {options::Protocol::kPyroscope, options::Protocol::kOtlp}) {
    EXPECT_EQ(answer_of(protocol, 200), Answer::kTaken);
    for (int status : {0, 429, 502, 503, 504}) EXPECT_EQ(answer_of(protocol, status), Answer::kLater) << status;
    for (int status : {301, 308, 400, 401, 403, 404, 413})
      EXPECT_EQ(answer_of(protocol, status), Answer::kRefused) << status;
  }
  EXPECT_EQ(answer_of(options::Protocol::kPyroscope, 408), Answer::kLater);
  for (int status : {500, 501}) EXPECT_EQ(answer_of(options::Protocol::kPyroscope, status), Answer::kFailed) << status;
  for (int status : {408, 500, 501}) EXPECT_EQ(answer_of(options::Protocol::kOtlp, status), Answer::kRefused) << status;
}

TEST(Answer, StatesHowLongToWait) {
  constexpr std::time_t kNow = 784111700;  // Sun, 06 Nov 1994 08:48:20 GMT
  EXPECT_EQ(retry_after_ns("7", kNow), 7 * kSecond);
  EXPECT_EQ(retry_after_ns("Sun, 06 Nov 1994 08:49:37 GMT", kNow), 77 * kSecond);
  EXPECT_EQ(retry_after_ns("Sun, 06 Nov 1994 08:47:37 GMT", kNow), 0);
  EXPECT_EQ(retry_after_ns("86400", kNow), 3600 * kSecond);
  for (const char* header :
       {"", "-5", "soon", "1.5", "Sun, 06 Nvo 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"})
    EXPECT_EQ(retry_after_ns(header, kNow), 0) << header;
}

TEST(Answer, StatesARemedy) {
  options::PushTarget target = options::parse_push_url("http://h:4040");
  EXPECT_NE(hint_for(target, 401).find("push-token=FILE"), std::string::npos);
  EXPECT_NE(hint_for(target, 404).find("/v1development/profiles"), std::string::npos);
  EXPECT_EQ(hint_for(target, 400), "");
  target.token_file = "/etc/token";
  EXPECT_NE(hint_for(target, 403).find("/etc/token"), std::string::npos);
  EXPECT_NE(hint_for(options::parse_push_url("http://h/v1development/profiles"), 404).find("service.profilesSupport"),
            std::string::npos);
}

}  // namespace
}  // namespace hearth::push
