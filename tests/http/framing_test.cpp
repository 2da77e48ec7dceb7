#include "http/server/framing.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

using State = RequestHead::State;

std::string request(const std::string& headers, const std::string& body = "") {
  return "POST /x HTTP/1.1\r\n" + headers + "\r\n" + body;
}

int status_of(const std::string& bytes) {
  RequestHead head = parse_head(bytes);
  return head.state == State::kRefused ? head.status : 0;
}

TEST(Framing, ARequestEndsAfterItsBody) {
  std::string text = request("Host: x\r\nContent-Length: 4\r\n", "body");
  size_t head_size = text.size() - 4;
  for (size_t size = 0; size < head_size; size++)
    EXPECT_EQ(parse_head(std::string_view(text).substr(0, size)).state, State::kPartial) << size;
  for (const std::string& more : {std::string(), std::string("GET / HTTP/1.1\r\n")}) {
    RequestHead head = parse_head(text + more);
    EXPECT_EQ(head.state, State::kParsed);
    EXPECT_EQ(head.size, head_size);
    EXPECT_EQ(head.message_size(), text.size());
  }
  EXPECT_EQ(parse_head(request("")).body_size, 0u);
}

TEST(Framing, ParsesTheRequestLineAndTheFields) {
  RequestHead head = parse_head(
      "GET /a%20b/c?x=1&y HTTP/1.1\r\nhost:localhost\r\nAccept: \t a, b \t\r\nEmpty:\r\nX: 1\r\nx: 2\r\n\r\n");
  ASSERT_EQ(head.state, State::kParsed);
  const Request& parsed = head.request;
  EXPECT_EQ(parsed.method, "GET");
  EXPECT_EQ(head.target, "/a%20b/c?x=1&y") << "decoded by the thread that answers";
  EXPECT_EQ(parsed.query.size(), 0u);
  EXPECT_EQ(parsed.header("Host"), "localhost");
  EXPECT_EQ(parsed.header("accept"), "a, b");
  EXPECT_EQ(parsed.headers.count("Empty"), 1u);
  EXPECT_EQ(parsed.header("Empty"), "");
  EXPECT_EQ(parsed.headers.count("x"), 2u);
  EXPECT_EQ(parsed.header("X"), "1") << "the first";
}

TEST(Framing, AFieldsValueIsNotDecoded) {
  EXPECT_EQ(parse_head(request("X: a%20b+c: d\r\n")).request.header("X"), "a%20b+c: d");
}

TEST(Framing, RefusesRequestLinesThatAreNone) {
  for (const char* line :
       {"", "GET", "GET /", "GET /  HTTP/1.1", "GET  / HTTP/1.1", "GET  HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/1.1 ",
        "GET / x HTTP/1.1", "GET\t/\tHTTP/1.1", "GET /\r HTTP/1.1", "GET /\x7f HTTP/1.1", "get / HTTP/1.1",
        "BREW / HTTP/1.1", "GET / HTTP/1.2", "GET / HTTP/2.0", "GET / http/1.1", "GET / HTTP/1.1x", "PRI * HTTP/2.0"})
    EXPECT_EQ(status_of(std::string(line) + "\r\nHost: x\r\n\r\n"), 400) << line;
}

// Requests that two programs in series could read in two ways.
TEST(Framing, RefusesRequestSmuggling) {
  using namespace std::string_literals;
  const std::pair<std::string, int> kWrong[] = {
      {"Content-Length: 4\r\nContent-Length: 5\r\n", 400},
      {"Content-Length: 4\r\ncontent-length: 4\r\n", 400},
      {"Content-Length: 4, 4\r\n", 400},
      {"Content-Length: +4\r\n", 400},
      {"Content-Length: -1\r\n", 400},
      {"Content-Length: 0x4\r\n", 400},
      {"Content-Length: 4 \x0b\r\n", 400},
      {"Content-Length: 4a\r\n", 400},
      {"Content-Length: \r\n", 400},
      {"Content-Length : 4\r\n", 400},
      {"Content-Length\t: 4\r\n", 400},
      {" Content-Length: 4\r\n", 400},
      {"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", 400},
      {"transfer-encoding: identity\r\nContent-Length: 4\r\n", 400},
      {"Transfer-Encoding: chunked\r\n", 411},
      {"Transfer-Encoding:\r\n", 411},
      {"transfer-encoding: identity\r\n", 411},
      {"Transfer-Encoding : chunked\r\n", 400},
      {"Transfer-Encoding\x0b: chunked\r\n", 400},
      {"X: a\r\n b\r\n", 400},
      {"X: a\r\n\tContent-Length: 4\r\n", 400},
      {"X: a\nContent-Length: 4\r\n", 400},
      {"X: a\rContent-Length: 4\r\n", 400},
      {"X: a\r\r\n", 400},
      {"X: a\0b\r\n"s, 400},
      {"X\0: a\r\n"s, 400},
      {"no colon\r\n", 400},
      {": empty\r\n", 400},
      {"X Y: a\r\n", 400},
      {"X\xc3\xa9: a\r\n", 400},
      {"X: \x01\r\n", 400},
      {"X: \x7f\r\n", 400},
  };
  for (const auto& [headers, status] : kWrong) EXPECT_EQ(status_of(request(headers, "body")), status) << headers;
  EXPECT_EQ(status_of("GET / HTTP/1.1\nHost: x\r\n\r\n"), 400);
  EXPECT_EQ(status_of("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
}

TEST(Framing, AnAbsoluteTargetIsAPathThatNoRouteHas) {
  RequestHead head = parse_head("GET http://localhost/api/status HTTP/1.1\r\n\r\n");
  EXPECT_EQ(head.state, State::kParsed);
  EXPECT_EQ(head.target, "http://localhost/api/status");
  EXPECT_EQ(parse_head("OPTIONS * HTTP/1.1\r\n\r\n").target, "*");
}

TEST(Framing, HoldsTheLimits) {
  EXPECT_EQ(status_of("GET /" + std::string(kMostLine, 'x')), 414);
  EXPECT_EQ(status_of(request("X: " + std::string(kMostLine, 'x') + "\r\n")), 431);
  std::string most, large;
  for (size_t i = 0; i < kMostHeaders; i++) most += "X: 1\r\n";
  for (int i = 0; i < 5; i++) large += "X: " + std::string(4000, 'x') + "\r\n";
  EXPECT_EQ(status_of(request(most)), 0);
  EXPECT_EQ(status_of(request(most + "X: 1\r\n")), 431);
  EXPECT_EQ(status_of(request(large)), 431);
  EXPECT_EQ(status_of(request("Content-Length: 65536\r\n")), 0);
  EXPECT_EQ(status_of(request("Content-Length: 65537\r\n")), 413);
  EXPECT_EQ(status_of(request("Content-Length: 99999999999999999999999\r\n")), 413);
  EXPECT_EQ(parse_head(request("Content-Length: 0004\r\n")).body_size, 4u);
}

TEST(Framing, BytesThatAreNotHttpAreRefusedAtOnce) {
  EXPECT_EQ(status_of(std::string("\x16\x03\x01\x02\x00\x01", 6)), 400);  // TLS
  EXPECT_EQ(status_of(std::string("\0", 1)), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\nHost: x\n\n"), 400);
}

TEST(Framing, TheClientDecidesAboutItsConnection) {
  const std::pair<const char*, bool> kRequests[] = {
      {"GET / HTTP/1.1\r\n\r\n", true},
      {"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nConnection: Keep-Alive, Close\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nConnection: upgrade\r\n\r\n", true},
      {"GET / HTTP/1.1\r\nConnection: closed\r\n\r\n", true},
      {"GET / HTTP/1.0\r\n\r\n", false},
      {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true},
      {"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true},
  };
  for (const auto& [text, keeps] : kRequests) EXPECT_EQ(parse_head(text).keeps_connection, keeps) << text;
  EXPECT_TRUE(parse_head(request("EXPECT: 100-continue\r\nContent-Length: 4\r\n")).expects_continue);
  EXPECT_FALSE(parse_head(request("Content-Length: 4\r\n")).expects_continue);
}

}  // namespace
}  // namespace hearth::http
