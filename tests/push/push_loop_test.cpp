#include "push/push_loop.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/owned.h"
#include "ingest_server.h"
#include "profile/formats/formats.h"
#include "stored_windows.h"
#include "wait_until.h"

namespace hearth::push {
namespace {

using Clock = std::chrono::steady_clock;

class PushLoopTest : public WithStore {
 protected:
  PushLoopTest() { replace_file(store_ + "/pushed", "\n"); }

  options::PushTarget target(const std::string& url) {
    options::PushTarget target = options::parse_push_url(url);
    target.service = "checkout";
    return target;
  }
  std::unique_ptr<PushLoop> loop(const options::PushTarget& target, int64_t first_wait_ns = BackOff::kFirstNs) {
    auto say = [this](const std::string& line) {
      std::lock_guard<std::mutex> lock(mutex_);
      messages_.push_back(line);
    };
    PushLoop::Callbacks callbacks{[this] { threads_++; }, [this] { threads_--; }, say};
    return std::make_unique<PushLoop>(target, store_, callbacks, Patience(), first_wait_ns);
  }
  std::string wait_for_status(const PushLoop& loop, const std::string& part) {
    for (int i = 0; i < 2000 && loop.status().find(part) == std::string::npos; i++)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return loop.status();
  }
  std::vector<std::string> messages() {
    std::lock_guard<std::mutex> lock(mutex_);
    return messages_;
  }

  std::atomic<int> threads_{0};
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

int64_t minute_of(const IngestServer::Ingested& request) {
  return (std::stoll(request.query.at("from")) * kSecond - kBegin) / kMinute;
}

TEST_F(PushLoopTest, PushesWaitingAndNewWindows) {
  IngestServer server;
  write(cpu_window(1));
  auto pushes = loop(target(server.url() + "/a"));
  server.wait_for(1);
  pushes->window_written(write(cpu_window(2)));
  auto requests = server.wait_for(2);
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].path, "/a/ingest");
  EXPECT_EQ(requests[0].query.at("name"), "checkout{}");
  EXPECT_EQ(requests[0].query.at("format"), "pprof");
  EXPECT_EQ(requests[0].headers.at("Host"), "127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(profile::read_pprof(requests[1].body).values(0)[1], 2);
  std::string status = wait_for_status(*pushes, "2 windows pushed, 0 waiting");
  EXPECT_EQ(status, "Pushing to " + server.url() + "/a as checkout{}: 2 windows pushed, 0 waiting");
  EXPECT_EQ(threads_, 1);
  pushes.reset();
  EXPECT_EQ(threads_, 0);
  EXPECT_TRUE(messages().empty());
}

TEST_F(PushLoopTest, TriesAgainWhereTheServerIsBusyWithoutSendingTwice) {
  IngestServer server([](size_t number) { return number == 1 ? 503 : number == 2 ? 429 : 200; });
  write(full_window(1));
  auto pushes = loop(target(server.url()));
  auto requests = server.wait_for(6);
  ASSERT_EQ(requests.size(), 6u);
  EXPECT_EQ(requests[1].query, requests[2].query);
  EXPECT_EQ(requests[2].query, requests[3].query);
  std::string status = wait_for_status(*pushes, "1 window pushed, 0 waiting");
  EXPECT_NE(status.find("last error: " + server.url() + " replies 429: got  ("), std::string::npos) << status;
  ASSERT_EQ(messages().size(), 2u);
  EXPECT_NE(messages()[0].find("wait in " + store_), std::string::npos) << messages()[0];
  EXPECT_NE(messages()[1].find("pushed to " + server.url() + " again"), std::string::npos);
}

TEST_F(PushLoopTest, DropsRefusedWindowsAndReportsItOnce) {
  IngestServer server([](size_t) { return 400; });
  for (int64_t minute : {1, 2, 3}) write(full_window(minute));
  auto pushes = loop(target(server.url()));
  std::string status = wait_for_status(*pushes, "0 windows pushed, 0 waiting, 3 not taken");
  EXPECT_NE(status.find("refuses it with 400"), std::string::npos) << status;
  EXPECT_EQ(server.requests().size(), 3u);
  EXPECT_EQ(messages().size(), 1u);
}

// A window that makes a server fail does not keep the others from it permanently.
TEST_F(PushLoopTest, GivesUpAWindowThatAServerFailsAtAgainAndAgain) {
  IngestServer server([](size_t number) { return number < 8 ? 500 : 200; });
  for (int64_t minute : {1, 2}) write(cpu_window(minute));
  auto pushes = loop(target(server.url()), kSecond / 1000);
  std::string status = wait_for_status(*pushes, "1 window pushed, 0 waiting, 1 not taken");
  EXPECT_NE(status.find("replies 500: got  (tried 8 times)"), std::string::npos) << status;
  ASSERT_EQ(server.requests().size(), 9u);
  EXPECT_EQ(minute_of(server.requests()[7]), 1);
  EXPECT_EQ(minute_of(server.requests()[8]), 2);
}

TEST_F(PushLoopTest, WaitsForANewToken) {
  IngestServer server;
  replace_file(store_ + "/token", "tok-en\n");
  auto with_token = target(server.url());
  with_token.token_file = store_ + "/token";
  auto pushes = loop(with_token, kSecond / 1000);
  std::filesystem::remove(store_ + "/token");
  pushes->window_written(write(cpu_window(1)));
  std::string status = wait_for_status(*pushes, "last error");
  EXPECT_NE(status.find("0 windows pushed, 1 waiting; last error"), std::string::npos) << status;
  replace_file(store_ + "/token", "an-other\n");
  EXPECT_EQ(server.wait_for(1).at(0).headers.at("Authorization"), "Bearer an-other");
}

TEST_F(PushLoopTest, WaitsAsLongAsTheServerAsks) {
  IngestServer server([](size_t number) {
    IngestServer::Reply reply(number < 1 ? 503 : 200);
    reply.retry_after = "2";  // longer than the first wait would be
    return reply;
  });
  write(cpu_window(1));
  auto began = Clock::now();
  auto pushes = loop(target(server.url()));
  wait_for_status(*pushes, "1 window pushed");
  EXPECT_EQ(server.requests().size(), 2u);
  EXPECT_GE(Clock::now() - began, std::chrono::milliseconds(2000));
}

TEST_F(PushLoopTest, SkipsAWindowThatCannotBeRead) {
  IngestServer server;
  replace_file(store_ + "/windows/" + write(cpu_window(1)), "no profile");
  write(cpu_window(2));
  auto pushes = loop(target(server.url()));
  EXPECT_EQ(minute_of(server.wait_for(1).at(0)), 2);
  std::string wanted = "1 window pushed, 0 waiting, 1 not taken";
  EXPECT_NE(wait_for_status(*pushes, wanted).find(wanted), std::string::npos);
}

TEST_F(PushLoopTest, ReportsItsStateWithoutSecrets) {
  IngestServer server([](size_t) { return 401; });
  write(cpu_window(1));
  auto with_password = target("http://me:se%2Fcret@" + server.url().substr(7));
  auto pushes = loop(with_password);
  EXPECT_EQ(server.wait_for(1).at(0).headers.at("Authorization"), "Basic bWU6c2UvY3JldA==");
  std::string status = wait_for_status(*pushes, "not taken");
  pushes.reset();

  replace_file(store_ + "/token", "tok-en\n");
  auto with_token = target(server.url());
  with_token.token_file = store_ + "/token";
  with_token.tenant = "team-a";
  write(cpu_window(2));
  pushes = loop(with_token);
  EXPECT_EQ(server.wait_for(2).at(1).headers.at("Authorization"), "Bearer tok-en");
  EXPECT_EQ(server.requests()[1].headers.at("X-Scope-OrgID"), "team-a");
  EXPECT_EQ(server.requests()[0].headers.count("X-Scope-OrgID"), 0u);
  status += wait_for_status(*pushes, "not taken");
  ASSERT_EQ(messages().size(), 2u);
  for (const std::string& text : {status, messages()[0], messages()[1]}) {
    EXPECT_NE(text.find("got B"), std::string::npos) << text;
    for (const char* secret : {"se/cret", "se%2Fcret", "bWU6c2UvY3JldA", "tok-en"})
      EXPECT_EQ(text.find(secret), std::string::npos) << text;
  }
}

TEST_F(PushLoopTest, RefusesAFileWithoutAToken) {
  auto without = target("http://127.0.0.1:1");
  without.token_file = store_ + "/nowhere";
  EXPECT_THROW(loop(without), Error);
  replace_file(store_ + "/token", "two\nlines\n");
  without.token_file = store_ + "/token";
  EXPECT_THROW(loop(without), Error);
}

TEST_F(PushLoopTest, WaitsForAServerThatIsNotThere) {
  std::string url;
  {
    IngestServer gone;
    url = gone.url();
  }
  write(cpu_window(1));
  auto pushes = loop(target(url), std::chrono::nanoseconds(std::chrono::hours(1)).count());
  std::string status = wait_for_status(*pushes, "cannot connect to 127.0.0.1:");
  EXPECT_NE(status.find("0 windows pushed, 1 waiting; last error"), std::string::npos) << status;
  auto began = Clock::now();
  pushes.reset();
  EXPECT_LT(Clock::now() - began, kPatience);
}

// Takes connections, and never answers.
class SilentServer {
 public:
  SilentServer() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    (void)::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size);
    ::listen(socket_.get(), 8);
    ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // So that whoever else connects waits.
  void fill() {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    for (UniqueFd& waiting : waiting_) {
      waiting = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      (void)::connect(waiting.get(), reinterpret_cast<sockaddr*>(&address), size);
    }
  }
  // How many connections to it are being made.
  int connecting() const {
    std::ifstream connections("/proc/net/tcp");
    std::string line, number, local, remote, state;
    int count = 0;
    constexpr const char* kSynSent = "02";
    while (std::getline(connections, line)) {
      std::istringstream(line) >> number >> local >> remote >> state;
      size_t colon = remote.find(':');
      if (state == kSynSent && std::stoi(remote.substr(colon + 1), nullptr, 16) == port_) count++;
    }
    return count;
  }
  void accept() { accepted_ = UniqueFd(::accept(socket_.get(), nullptr, nullptr)); }

 protected:
  UniqueFd socket_, accepted_;

 private:
  std::array<UniqueFd, 32> waiting_;
  int port_ = 0;
};

// Reads a little of a request, and ends the connection with `reply`.
class HastyServer : public SilentServer {
 public:
  explicit HastyServer(std::string reply)
      : thread_([this, reply = std::move(reply)] {
          accept();
          char some[1024];
          ::recv(accepted_.get(), some, sizeof some, 0);
          ::send(accepted_.get(), reply.data(), reply.size(), MSG_NOSIGNAL);
          accepted_.reset();
        }) {}
  ~HastyServer() { thread_.join(); }

 private:
  std::thread thread_;
};

TEST_F(PushLoopTest, HearsARefusalThatComesBeforeAllIsSent) {
  HastyServer server("HTTP/1.1 413 Too large\r\nContent-Length: 0\r\n\r\n");
  PushPart more_than_sockets_hold{"/ingest", std::string(64 << 20, 'x'), "text/plain", false, 1};
  EXPECT_EQ(Connection(Patience()).post(target(server.url()), more_than_sockets_hold).status, 413);
}

TEST_F(PushLoopTest, ReportsTheTargetOfARedirection) {
  HastyServer server("HTTP/1.1 308 Moved\r\nLocation: https://other/\r\nContent-Length: 0\r\n\r\n");
  write(cpu_window(1));
  auto pushes = loop(target(server.url()));
  std::string status = wait_for_status(*pushes, "1 not taken");
  EXPECT_NE(status.find("refuses it with 308: see https://other/"), std::string::npos) << status;
}

// Answers as many requests as it has bodies, whatever is asked and however it is packed, by messages of OTLP.
class OtlpServer : public SilentServer {
 public:
  explicit OtlpServer(std::vector<std::pair<std::string, std::string>> replies)
      : thread_([this, replies = std::move(replies)] {
          for (const auto& [status, body] : replies) answer(status, body);
        }) {}
  ~OtlpServer() { thread_.join(); }
  // When all requests have come.
  const std::vector<std::string>& heads() const { return heads_; }
  const std::vector<std::string>& bodies() const { return bodies_; }

 private:
  void answer(const std::string& status, const std::string& body) {
    accept();
    std::string request(1 << 20, '\0');
    size_t got = 0, head = std::string::npos, length = 0;
    while (head == std::string::npos || got < head + 4 + length) {
      ssize_t more = ::recv(accepted_.get(), &request[got], request.size() - got, 0);
      if (more <= 0) break;
      got += static_cast<size_t>(more);
      head = request.find("\r\n\r\n");
      if (head != std::string::npos) length = std::stoul(request.substr(request.find("Content-Length: ") + 16));
    }
    heads_.push_back(request.substr(0, head));
    bodies_.push_back(request.substr(head + 4, length));
    std::string reply = "HTTP/1.1 " + status +
                        "\r\nContent-Type: application/x-protobuf\r\nContent-Length: " + std::to_string(body.size()) +
                        "\r\n\r\n" + body;
    ::send(accepted_.get(), reply.data(), reply.size(), MSG_NOSIGNAL);
  }

  std::vector<std::string> heads_, bodies_;
  std::thread thread_;
};

TEST_F(PushLoopTest, SpeaksOtlp) {
  const std::string partial = std::string{8, 2, 0x12, 7} + "too old";
  const std::string partial_success = std::string{10, static_cast<char>(partial.size())} + partial;
  std::vector<std::string> heads;
  {
    OtlpServer server(
        {{"200 OK", partial_success}, {"500 Failed", std::string{8, 13, 0x12, 4} + "full"}, {"200 OK", ""}});
    write(full_window(1));
    auto pushes = loop(target(server.url() + "/v1development/profiles"));
    std::string status = wait_for_status(*pushes, "1 window pushed, 0 waiting, 2 profiles of them rejected");
    EXPECT_NE(status.find("rejects 2 profiles of a window: too old"), std::string::npos) << status;
    pushes->window_written(write(full_window(2)));
    status = wait_for_status(*pushes, "1 window pushed, 0 waiting, 1 not taken");
    EXPECT_NE(status.find("refuses it with 500: full"), std::string::npos) << status;
    pushes->window_written(write(full_window(3)));
    status = wait_for_status(*pushes, "2 windows pushed, 0 waiting, 1 not taken, 2 profiles of them rejected");
    EXPECT_NE(status.find("2 windows pushed"), std::string::npos) << status;
    heads = server.heads();
  }
  ASSERT_EQ(heads.size(), 3u);
  for (const char* line : {"POST /v1development/profiles HTTP/1.1\r\n", "Content-Type: application/x-protobuf\r\n",
                           "Content-Encoding: gzip\r\n", "OTLP-Profiles-Development-Version: 1\r\n"})
    EXPECT_NE((heads[0] + "\r\n").find(line), std::string::npos) << heads[0];
  ASSERT_EQ(messages().size(), 3u);
  EXPECT_NE(messages()[0].find("too old"), std::string::npos) << messages()[0];
}

// It sends no accepted request of a window a second time, and reports the server's message about one once.
TEST_F(PushLoopTest, GoesOnInTheMiddleOfAWindow) {
  const std::string remark = std::string{10, 6, 0x12, 4} + "slow", busy = std::string{8, 14, 0x12, 4} + "busy";
  std::vector<std::string> bodies;
  {
    OtlpServer server({{"200 OK", remark}, {"503 Busy", busy}, {"200 OK", ""}, {"200 OK", remark}, {"200 OK", ""}});
    write(window_of_spans(1, 20'000));
    write(window_of_spans(2, 20'000));
    auto pushes = loop(target(server.url() + "/v1development/profiles"));
    std::string status = wait_for_status(*pushes, "2 windows pushed, 0 waiting");
    EXPECT_NE(status.find("2 windows pushed, 0 waiting;"), std::string::npos) << status;
    bodies = server.bodies();
  }
  ASSERT_EQ(bodies.size(), 5u);
  EXPECT_EQ(bodies[1], bodies[2]);
  EXPECT_NE(bodies[0], bodies[1]);
  EXPECT_NE(bodies[2], bodies[3]);
  std::string words;
  for (const std::string& line : messages()) words += line + "\n";
  EXPECT_EQ(words.find("slow"), words.rfind("slow")) << words;
  EXPECT_NE(words.find("slow"), std::string::npos);
}

TEST_F(PushLoopTest, EndsWhileAServerDoesNotAnswer) {
  SilentServer server;
  write(cpu_window(1));
  auto pushes = loop(target(server.url()));
  server.accept();
  auto began = Clock::now();
  pushes.reset();
  EXPECT_LT(Clock::now() - began, Patience().reply / 2);
  EXPECT_EQ(threads_, 0) << "its thread has ended";
  EXPECT_TRUE(messages().empty()) << "an end is no failure";
}

TEST_F(PushLoopTest, EndsWhileItConnects) {
  SilentServer server;
  server.fill();
  write(cpu_window(1));
  int before = server.connecting();
  auto pushes = loop(target(server.url()));
  wait_until("its connection", [&] { return server.connecting() > before; });
  auto began = Clock::now();
  pushes.reset();
  EXPECT_LT(Clock::now() - began, Patience().connect);
  EXPECT_EQ(threads_, 0) << "its thread has ended";
}

TEST_F(PushLoopTest, SendsAWindowWrittenJustBeforeItsEnd) {
  IngestServer server;
  {
    auto pushes = loop(target(server.url()));
    pushes->window_written(write(cpu_window(1)));
  }
  EXPECT_EQ(server.requests().size(), 1u);
  auto next_process = loop(target(server.url()));
  next_process->window_written(write(cpu_window(2)));
  auto requests = server.wait_for(2);
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(minute_of(requests[1]), 2);
}

TEST_F(PushLoopTest, SendsEachWindowOnceWhereTheClockIsSetBack) {
  IngestServer server;
  auto pushes = loop(target(server.url()));
  std::vector<int64_t> wanted = {10, 11, 5, 6, 7, 12};
  for (size_t i = 0; i < wanted.size(); i++) {
    pushes->window_written(write(cpu_window(wanted[i])));
    server.wait_for(i + 1);
  }
  wait_for_status(*pushes, "6 windows pushed");
  std::vector<int64_t> minutes;
  for (const auto& request : server.requests()) minutes.push_back(minute_of(request));
  EXPECT_EQ(minutes, wanted);
}

TEST_F(PushLoopTest, FinishesAWindowBeforeALateOne) {
  IngestServer server([](size_t number) { return number == 1 ? 503 : 200; });
  std::string name = write(full_window(10));
  auto pushes = loop(target(server.url()));
  pushes->window_written(name);
  server.wait_for(2);
  pushes->window_written(write(full_window(5)));
  std::vector<int64_t> minutes;
  for (const auto& request : server.wait_for(9)) minutes.push_back(minute_of(request));
  EXPECT_EQ(minutes, (std::vector<int64_t>{10, 10, 10, 10, 10, 5, 5, 5, 5}));
}

}  // namespace
}  // namespace hearth::push
