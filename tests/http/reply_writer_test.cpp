#include "http/server/reply_writer.h"

#include <gtest/gtest.h>

#include "http/server/standard_headers.h"

namespace hearth::http {
namespace {

constexpr ReplyMode kKept = {false, true};

bool has_line(const EncodedReply& reply, const std::string& line) {
  size_t end = reply.text.find("\r\n\r\n");
  return ("\r\n" + reply.text.substr(0, end + 2)).find("\r\n" + line + "\r\n") != std::string::npos;
}

std::string long_text() {
  return std::string(1 << 20, 'x');
}

TEST(ReplyWriter, AShortReply) {
  EncodedReply reply = encode(Reply::text("hello"), kKept);
  EXPECT_EQ(reply.text.substr(0, 17), "HTTP/1.1 200 OK\r\n");
  EXPECT_TRUE(has_line(reply, "Content-Length: 5"));
  EXPECT_TRUE(has_line(reply, "Content-Type: text/plain; charset=utf-8"));
  EXPECT_TRUE(has_line(reply, "Keep-Alive: timeout=25"));
  EXPECT_TRUE(has_line(reply, "Connection: keep-alive")) << "a client of HTTP/1.0 waits for the end otherwise";
  EXPECT_TRUE(has_line(reply, "Cache-Control: no-store"));
  EXPECT_EQ(reply.text.substr(reply.text.find("\r\n\r\n")), "\r\n\r\nhello");
  EXPECT_EQ(reply.size(), reply.text.size());
  EXPECT_FALSE(reply.ends_connection);
}

TEST(ReplyWriter, TheLastReplyOfAConnection) {
  EncodedReply reply = encode(Reply::text("hello"), {});
  EXPECT_TRUE(has_line(reply, "Connection: close"));
  EXPECT_EQ(reply.text.find("Keep-Alive"), std::string::npos);
  EXPECT_TRUE(reply.ends_connection);
}

TEST(ReplyWriter, ALongBodyIsNotPartOfTheText) {
  EncodedReply reply = encode(Reply::text(long_text()), kKept);
  EXPECT_EQ(reply.long_body(), long_text());
  EXPECT_TRUE(has_line(reply, "Content-Length: 1048576"));
  EXPECT_EQ(reply.size(), reply.text.size() + long_text().size());
  static const std::string kPage = long_text();
  Reply page{200, "text/html", ""};
  page.constant = kPage;
  reply = encode(page, kKept);
  EXPECT_EQ(reply.long_body().data(), kPage.data()) << "never copied";
  EXPECT_TRUE(has_line(reply, "Content-Length: 1048576"));
}

TEST(ReplyWriter, HeadHasTheLengthAndNoBody) {
  static const std::string kPage = long_text();
  Reply page{200, "text/html", ""};
  page.constant = kPage;
  for (const Reply& whole : {Reply::text("hello"), Reply::text(long_text()), page}) {
    EncodedReply reply = encode(whole, {true, true});
    EXPECT_EQ(reply.text.substr(reply.text.size() - 4), "\r\n\r\n");
    EXPECT_EQ(reply.long_body(), "");
    size_t size = whole.constant.empty() ? whole.body.size() : whole.constant.size();
    EXPECT_TRUE(has_line(reply, "Content-Length: " + std::to_string(size)));
    EXPECT_TRUE(has_line(reply, "Content-Type: " + whole.type));
  }
}

TEST(ReplyWriter, AnEmptyReplyHasALength) {
  EncodedReply reply = encode(Reply(), kKept);
  EXPECT_TRUE(has_line(reply, "Content-Length: 0"));
  EXPECT_EQ(reply.text.find("\r\nContent-Type:"), std::string::npos);
}

TEST(ReplyWriter, AReplysOwnFieldsReplaceTheStandardOnes) {
  Reply own = Reply::text("x");
  own.headers = {{"cache-control", "max-age=1"}, {"Hearth-Profile", "id"}};
  EncodedReply reply = encode(own, kKept);
  EXPECT_TRUE(has_line(reply, "Cache-Control: max-age=1"));
  EXPECT_FALSE(has_line(reply, "Cache-Control: no-store"));
  EXPECT_TRUE(has_line(reply, "Hearth-Profile: id"));
}

TEST(ReplyWriter, NoFieldEndsItsLineEarly) {
  using namespace std::string_literals;
  for (const std::string& value : {"a\r\nX: b"s, "a\nX: b"s, "a\rX: b"s, "a\0b"s}) {
    Reply bad = Reply::text("x");
    bad.headers = {{"Content-Disposition", value}};
    EXPECT_EQ(encode(bad, kKept).text.find("Content-Disposition"), std::string::npos) << value;
  }
}

TEST(ReplyWriter, ARefusalOfAMalformedRequest) {
  EncodedReply reply = encode(Refusal(431, "bad_request", "the headers are too large"));
  EXPECT_EQ(reply.text.substr(0, reply.text.find("\r\n")), "HTTP/1.1 431 Request Header Fields Too Large");
  EXPECT_TRUE(reply.ends_connection);
  EXPECT_NE(reply.text.find("the headers are too large"), std::string::npos);
  EXPECT_FALSE(reply.is_authenticated);
  EXPECT_EQ(encode(Reply{418, "", ""}, kKept).text.substr(0, 15), "HTTP/1.1 418 \r\n");
}

}  // namespace
}  // namespace hearth::http
