#include "options/push_target.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hearth::options {
namespace {

std::string refusal(std::string_view url) {
  try {
    parse_push_url(url);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PushTarget, ReadsUrls) {
  PushTarget plain = parse_push_url("http://pyroscope:4040");
  EXPECT_EQ(plain.host, "pyroscope");
  EXPECT_EQ(plain.port, 4040);
  EXPECT_EQ(plain.url(), "http://pyroscope:4040");
  EXPECT_EQ(parse_push_url("http://host/").port, 80);

  PushTarget full = parse_push_url("http://me:p%40ss%3Aword@[::1]:4040/profiles//");
  EXPECT_EQ(full.user, "me");
  EXPECT_EQ(full.password, "p@ss:word");
  EXPECT_EQ(full.host, "::1");
  EXPECT_EQ(full.path, "/profiles");
  EXPECT_EQ(full.url(), "http://[::1]:4040/profiles");
}

TEST(PushTarget, RecognisesOtlpByItsPath) {
  EXPECT_EQ(parse_push_url("http://h:4040").protocol, Protocol::kPyroscope);
  EXPECT_EQ(parse_push_url("http://h:4040/profiles").protocol, Protocol::kPyroscope);
  PushTarget otlp = parse_push_url("http://h:4318/a/v1development/profiles/");
  EXPECT_EQ(otlp.protocol, Protocol::kOtlp);
  EXPECT_EQ(otlp.url(), "http://h:4318/a/v1development/profiles");
}

TEST(PushTarget, RefusesOtherUrlsWithoutShowingASecret) {
  for (const char* url :
       {"", "host:4040", "ftp://me:secret@host", "http://", "http://me:secret@", "http://me:secret@h:0",
        "http://me:secret@h:65536", "http://me:secret@h:4x", "http://me:secret@h:", "http://:secret@h",
        "http://me:secret%4@h", "http://me:secret%zz@h", "http://me:secret@h/a?b=c", "http://me:secret@h#a",
        "http://me:secret@[::1", "http://me:secret@h i", "http://me:secret@h/a b", "http://h:80\r\nX:"}) {
    std::string message = refusal(url);
    EXPECT_NE(message.find("option push: "), std::string::npos) << url;
    EXPECT_EQ(message.find("secret"), std::string::npos) << message;
  }
  EXPECT_EQ(refusal("https://me:secret@h ost").find("secret"), std::string::npos);
}

TEST(PushTarget, SpeaksHttpsAtItsPort) {
  PushTarget target = parse_push_url("https://me:secret@profiles.example.com/v1development/profiles");
  EXPECT_TRUE(target.is_tls);
  EXPECT_EQ(target.port, 443);
  EXPECT_EQ(target.url(), "https://profiles.example.com:443/v1development/profiles");
  EXPECT_EQ(parse_push_url("https://h:8443").port, 8443);
  EXPECT_FALSE(parse_push_url("http://h").is_tls);
}

TEST(PushTarget, ReadsLabels) {
  auto labels = parse_push_labels("service:check out;version:1.2:3;;env:prod;");
  ASSERT_EQ(labels.size(), 3u);
  EXPECT_EQ(labels[1], (std::pair<std::string, std::string>("version", "1.2:3")));
  for (const char* text : {"env", "env:", ":prod", "1env:prod", "a-b:c", "a:b;a:c", "a:{b}", "a:b\nc"})
    EXPECT_THROW(parse_push_labels(text), Error) << text;
}

TEST(PushTarget, ChecksTheNameOfATenant) {
  for (const char* text : {"team-a", "1", "a!b*c'(d)_.e"}) EXPECT_NO_THROW(check_push_tenant(text)) << text;
  for (const std::string& text : {std::string(), std::string(".."), std::string("a b"), std::string("a\r\nX: y"),
                                  std::string("a/b"), std::string(151, 'a')})
    EXPECT_THROW(check_push_tenant(text), Error) << text;
}

TEST(PushTarget, IsNamedAsTheServerParsesIt) {
  PushTarget target = parse_push_url("http://h");
  target.service = service_name("check out$1");
  target.labels = {{"env", "prod"}, {"hostname", "web-3"}};
  EXPECT_EQ(target.name(), "check_out_1{env=prod,hostname=web-3}");
  EXPECT_EQ(percent_encoded("a{b=c d,é}"), "a%7Bb%3Dc%20d%2C%C3%A9%7D");
}

}  // namespace
}  // namespace hearth::options
