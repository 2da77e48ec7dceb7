#include "push/connection.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "hostile_push_server.h"
#include "ingest_server.h"
#include "push/answer.h"

namespace hearth::push {
namespace {

using Clock = std::chrono::steady_clock;
using Send = HostilePushServer::Send;
using std::chrono::milliseconds;

constexpr size_t kSocketBuffers = 16 << 20;  // more than both sides of a connection hold

// A client's reading of a reply, and its time.
struct Outcome {
  Connection::Reply reply;
  Clock::duration took{};
  size_t sent = 0;
};

Outcome post_to(const std::function<void(const Send&)>& reply, Patience patience = {}) {
  HostilePushServer server(reply);
  options::PushTarget target = options::parse_push_url(server.url());
  Clock::time_point began = Clock::now();
  Outcome outcome;
  outcome.reply = Connection(patience).post(target, {"/ingest", "a profile", "text/plain", false, 1});
  outcome.took = Clock::now() - began;
  outcome.sent = server.sent();
  return outcome;
}

void send_endlessly(const Send& send, std::string_view piece) {
  while (send(piece)) {
  }
}

void expect_cut_off(const Outcome& outcome, const char* why) {
  EXPECT_EQ(outcome.reply.status, 0);
  EXPECT_NE(outcome.reply.text.find(why), std::string::npos) << outcome.reply.text;
  EXPECT_LT(outcome.sent, kSocketBuffers) << "the rest was not read";
}

TEST(PushConnection, EndsWhereHeadersHaveNoEnd) {
  const std::string header = "X-n: " + std::string(8000, 'a') + "\r\n";
  expect_cut_off(post_to([&](const Send& send) {
                   send("HTTP/1.1 200 OK\r\n");
                   send_endlessly(send, header);
                 }),
                 "sent reply headers of more than 16 KiB");
}

// The reason for no reply from this server, as if it spoke HTTPS.
std::string tls_problem(const std::function<void(const Send&)>& reply, Patience patience = {}) {
  HostilePushServer server(reply);
  options::PushTarget target = options::parse_push_url("https" + server.url().substr(std::string("http").size()));
  Connection::Reply got = Connection(patience).post(target, {"/ingest", "a profile", "text/plain", false, 1});
  EXPECT_EQ(got.status, 0);
  return got.text;
}

TEST(PushConnection, EndsWhereTheServerSpeaksNoTls) {
  std::string problem = tls_problem([](const Send& send) { send("HTTP/1.1 400 Bad Request\r\n\r\n"); });
  EXPECT_NE(problem.find("speaks no TLS that is accepted, 1.2 or newer: "), std::string::npos) << problem;
  EXPECT_NE(tls_problem([](const Send&) {}).find("ended the connection in TLS's handshake"), std::string::npos);
}

TEST(PushConnection, EndsWhereAHandshakeStalls) {
  Patience little;
  little.reply = milliseconds(300);
  std::string problem = tls_problem([](const Send&) { std::this_thread::sleep_for(milliseconds(1500)); }, little);
  EXPECT_NE(problem.find("did not complete TLS's handshake within"), std::string::npos) << problem;
}

TEST(PushConnection, EndsWhereARecordOfAHandshakeHasNoEnd) {
  std::string record("\x16\x03\x03\x40\x00", 5);
  expect_cut_off({{0, tls_problem([&](const Send& send) { send_endlessly(send, record + std::string(16384, 'a')); })}},
                 "TLS");
}

TEST(PushConnection, NamesAFileOfAuthoritiesThatHasNone) {
  options::PushTarget target = options::parse_push_url("https://localhost");
  target.ca_file = "/dev/null";
  try {
    check_tls(target);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("push-ca: /dev/null cannot be read, or has no certificate"),
              std::string::npos);
  }
}

TEST(PushConnection, EndsWhereAStatusLineHasNoEnd) {
  expect_cut_off(post_to([](const Send& send) {
                   send("HTTP/1.1 200 ");
                   send_endlessly(send, std::string(8000, 'a'));
                 }),
                 "sent reply headers of more than 16 KiB");
}

TEST(PushConnection, EndsWhereInterimRepliesHaveNoEnd) {
  expect_cut_off(post_to([](const Send& send) { send_endlessly(send, "HTTP/1.1 100 Continue\r\n\r\n"); }),
                 "sent reply headers of more than 16 KiB");
}

TEST(PushConnection, EndsWhereTheReplyIsNotHttp) {
  expect_cut_off(post_to([](const Send& send) { send_endlessly(send, "SSH-2.0-OpenSSH_9.2 "); }), "is not HTTP/1");
}

// Each byte is within the time that one may take; all of them are not.
TEST(PushConnection, EndsWhereHeadersTrickle) {
  Patience patience;
  patience.reply = milliseconds(2000);
  patience.whole = milliseconds(500);
  auto trickle = [](const Send& send) {
    while (send("a")) std::this_thread::sleep_for(milliseconds(5));
  };
  Outcome outcome = post_to(
      [&](const Send& send) {
        send("HTTP/1.1 200 OK\r\nX-n: ");
        trickle(send);
      },
      patience);
  expect_cut_off(outcome, "did not complete its reply within 0 s");
  EXPECT_GE(outcome.took, patience.whole);
  EXPECT_LT(outcome.took, milliseconds(5000));
}

TEST(PushConnection, TakesTheStatusOfAReplyWhoseBodyTrickles) {
  Patience patience;
  patience.whole = milliseconds(500);
  Outcome outcome = post_to(
      [](const Send& send) {
        send("HTTP/1.1 400 Bad\r\nContent-Length: 100000\r\n\r\n");
        while (send("a")) std::this_thread::sleep_for(milliseconds(5));
      },
      patience);
  EXPECT_EQ(outcome.reply.status, 400);
  EXPECT_LT(outcome.took, milliseconds(5000));
}

TEST(PushConnection, ReadsNoMoreOfABodyWithoutEnd) {
  const std::string body(8000, 'a');
  Outcome outcome = post_to([&](const Send& send) {
    send("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n\r\n");
    send_endlessly(send, body);
  });
  EXPECT_EQ(outcome.reply.status, 503);
  EXPECT_EQ(outcome.reply.retry_after_ns, 7'000'000'000);
  EXPECT_LE(outcome.reply.text.size(), 200u);
  EXPECT_LT(outcome.sent, kSocketBuffers);
}

TEST(PushConnection, WaitsOnlySoLongForAReply) {
  Patience patience;
  patience.reply = milliseconds(300);
  Outcome outcome = post_to(
      [](const Send& send) {
        while (send(std::string_view())) std::this_thread::sleep_for(milliseconds(5));
      },
      patience);
  expect_cut_off(outcome, "gave no reply within 0 s");
  EXPECT_LT(outcome.took, milliseconds(5000));
}

TEST(PushConnection, TakesAReplyAfterInterimOnesInSinglePieces) {
  Outcome outcome = post_to([](const Send& send) {
    for (char letter :
         std::string("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: a\r\n\r\n"
                     "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n"))
      send({&letter, 1});
    while (send(std::string_view())) std::this_thread::sleep_for(milliseconds(5));
  });
  EXPECT_EQ(outcome.reply.status, 400);
  EXPECT_EQ(outcome.reply.text, "abcdef");
}

// A file that is gone with the test.
class Credentials {
 public:
  void write(const std::string& content, mode_t mode = 0600) const {
    replace_file(path, content);
    ::chmod(path.c_str(), mode);
  }
  ~Credentials() { std::filesystem::remove(path); }

  const std::string path = testing::TempDir() + "credentials." + std::to_string(::getpid());
};

TEST(PushConnection, TakesUserAndPasswordFromAPrivateFile) {
  IngestServer server([](size_t) { return 401; });
  Credentials file;
  options::PushTarget target = options::parse_push_url(server.url());
  target.credentials_file = file.path;
  EXPECT_THROW(check_token(target), Error) << "it is not there";
  file.write("me:se/cret\n");
  Connection::Reply reply = Connection(Patience()).post(target, {"/ingest", "a profile", "text/plain", false, 1});
  EXPECT_EQ(server.wait_for(1).at(0).headers.at("Authorization"), "Basic bWU6c2UvY3JldA==");
  EXPECT_EQ(reply.text, "got Basic ***") << "what a server sends back of it is in no message";
  EXPECT_NE(hint_for(target, 401).find("write its user and password to " + file.path), std::string::npos);
  for (mode_t mode : {0604, 0602, 0620}) {
    file.write("me:se/cret\n", mode);
    EXPECT_THROW(check_token(target), Error) << mode;
  }
  file.write("me:se/cret\n", 0640);
  EXPECT_NO_THROW(check_token(target)) << "a container's group may read it";
  for (const char* bad : {"", "alone\n", ":password\n", "user:two\nlines\n"}) {
    file.write(bad);
    EXPECT_THROW(check_token(target), Error) << bad;
  }
}

}  // namespace
}  // namespace hearth::push
