#include "push/reply_reader.h"

#include <gtest/gtest.h>

namespace hearth::push {
namespace {

// At once, and byte by byte: both must give the same.
ReplyReader read(std::string_view bytes) {
  ReplyReader whole, single;
  bool wants_more = whole.add(bytes);
  bool single_wants_more = true;
  for (size_t i = 0; i < bytes.size() && single_wants_more; i++) single_wants_more = single.add(bytes.substr(i, 1));
  EXPECT_EQ(wants_more, single_wants_more) << bytes.substr(0, 60);
  EXPECT_EQ(whole.status(), single.status());
  EXPECT_EQ(whole.body(), single.body());
  EXPECT_EQ(whole.problem(), single.problem());
  return whole;
}

TEST(ReplyReader, ReadsABodyByItsLength) {
  ReplyReader reader = read("HTTP/1.1 200 OK\r\nContent-Type:\t text/plain \r\nCONTENT-LENGTH: 3\r\n\r\nabcdef");
  EXPECT_EQ(reader.status(), 200);
  EXPECT_EQ(reader.body(), "abc");
  EXPECT_EQ(reader.header("content-type"), "text/plain");
  EXPECT_EQ(reader.header("content"), "");
  EXPECT_EQ(reader.problem(), "");
}

TEST(ReplyReader, ReadsABodyByItsChunks) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n";
  EXPECT_EQ(read(head + "3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n").body(), "abc0123456789");
  EXPECT_EQ(read(head + "zz\r\nabc").body(), "");
  EXPECT_EQ(read(head + "FFFFFFFFFFFFFFFFFFFFFFFFF\r\nabc").body(), "abc");
}

TEST(ReplyReader, HasNoBodyWhereHttpHasNone) {
  for (const char* line : {"204 None", "304 Same", "101 Other"}) {
    ReplyReader reader;
    EXPECT_FALSE(reader.add("HTTP/1.1 " + std::string(line) + "\r\nContent-Length: 9\r\n\r\n")) << line;
    EXPECT_GT(reader.status(), 100);
  }
}

TEST(ReplyReader, RefusesMalformedReplies) {
  for (const char* text : {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000\r\n\r\n",
                           "HTTP/1.1 -20 \r\n\r\n", "HTTP/1.1 999 What\r\n\r\n", "HTTP/2 200\r\n\r\n", "\r\n\r\n"}) {
    ReplyReader reader = read(text);
    EXPECT_EQ(reader.status(), 0) << text;
    EXPECT_NE(reader.problem(), "") << text;
  }
}

TEST(ReplyReader, BoundsAllHeadsTogether) {
  const std::string interim = "HTTP/1.1 102 Busy\r\nX: " + std::string(5000, 'x') + "\r\n\r\n";
  const std::string last = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  EXPECT_EQ(read(interim + interim + interim + last).status(), 200);
  EXPECT_EQ(read(interim + interim + interim + interim + last).problem(), "sent reply headers of more than 16 KiB");
}

TEST(ReplyReader, BoundsABodyAsSent) {
  const std::string head = "HTTP/1.1 200 OK\r\n";
  const std::string much(2 * ReplyReader::kMostBody, 'a');
  EXPECT_EQ(read(head + "\r\n" + much).body().size(), ReplyReader::kMostBody);
  EXPECT_EQ(read(head + "Content-Length: 1000000\r\n\r\n" + much).body().size(), ReplyReader::kMostBody);
  std::string small_chunks = head + "Transfer-Encoding: chunked\r\n\r\n";
  for (size_t i = 0; i < ReplyReader::kMostBody; i++) small_chunks += "1\r\na\r\n";
  EXPECT_LT(read(small_chunks).body().size(), ReplyReader::kMostBody / 5);
}

}  // namespace
}  // namespace hearth::push
