#include "http/framing.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

using State = Frame::State;

std::string request(const std::string& headers, const std::string& body = "") {
  return "POST /x HTTP/1.1\r\n" + headers + "\r\n" + body;
}

TEST(Framing, ARequestEndsAfterItsBody) {
  std::string text = request("Host: x\r\nContent-Length: 4\r\n", "body");
  for (size_t size = 0; size < text.size(); size++)
    EXPECT_EQ(frame_of(std::string_view(text).substr(0, size)).state, State::kPartial) << size;
  Frame frame = frame_of(text + "GET / HTTP/1.1\r\n");
  EXPECT_EQ(frame.state, State::kComplete);
  EXPECT_EQ(frame.head + frame.body, text.size());
  EXPECT_EQ(frame_of(request("")).state, State::kComplete);
}

TEST(Framing, RefusesWhatCanBeReadInTwoWays) {
  const std::pair<const char*, int> kWrong[] = {
      {"Content-Length: 4\r\nContent-Length: 5\r\n", 400},
      {"Content-Length: 4, 4\r\n", 400},
      {"Content-Length: +4\r\n", 400},
      {"Content-Length: -1\r\n", 400},
      {"Content-Length: 0x4\r\n", 400},
      {"Content-Length: \r\n", 400},
      {"Content-Length : 4\r\n", 400},
      {" Content-Length: 4\r\n", 400},
      {"Transfer-Encoding: chunked\r\n", 411},
      {"transfer-encoding: identity\r\n", 411},
      {"X: a\nContent-Length: 4\r\n", 400},
      {"no colon\r\n", 400},
      {": empty\r\n", 400},
      {"X: \x01\r\n", 400},
  };
  for (const auto& [headers, status] : kWrong) {
    Frame frame = frame_of(request(headers, "body"));
    EXPECT_EQ(frame.state, State::kRefused) << headers;
    EXPECT_EQ(frame.status, status) << headers;
  }
  EXPECT_EQ(frame_of(request("Content-Length: 4\r\ncontent-length: 4\r\n", "body")).state, State::kComplete);
}

TEST(Framing, HoldsTheLimits) {
  EXPECT_EQ(frame_of("GET /" + std::string(kMostLine, 'x')).status, 414);
  EXPECT_EQ(frame_of(request("X: " + std::string(kMostLine, 'x') + "\r\n")).status, 431);
  std::string many, large;
  for (size_t i = 0; i <= kMostHeaders; i++) many += "X: 1\r\n";
  for (int i = 0; i < 5; i++) large += "X: " + std::string(4000, 'x') + "\r\n";
  EXPECT_EQ(frame_of(request(many)).status, 431);
  EXPECT_EQ(frame_of(request(large)).status, 431);
  EXPECT_EQ(frame_of(request("Content-Length: 65536\r\n")).state, State::kPartial);
  EXPECT_EQ(frame_of(request("Content-Length: 65537\r\n")).status, 413);
  EXPECT_EQ(frame_of(request("Content-Length: 99999999999999999999999\r\n")).status, 413);
}

TEST(Framing, WhatIsNoHttpIsKnownAtOnce) {
  EXPECT_EQ(frame_of(std::string("\x16\x03\x01\x02\x00\x01", 6)).status, 400);  // somebody speaks TLS
  EXPECT_EQ(frame_of(std::string("\0", 1)).status, 400);
  EXPECT_EQ(frame_of("GET / HTTP/1.1\nHost: x\n\n").status, 400);
}

TEST(Framing, TheLibraryDoesNotSeeWhatItWouldActOn) {
  EXPECT_EQ(
      head_to_parse("GET / HTTP/1.1\r\nRange: bytes=0-1\r\nHost: x\r\nEXPECT: 100-continue\r\nAccept: a/b\r\n\r\n"),
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
}

}  // namespace
}  // namespace hearth::http
