#include "push/connection.h"

#include <fcntl.h>
#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "profile/base64.h"
#include "profile/formats.h"
#include "profile/otlp.h"
#include "push/answer.h"

namespace hearth::push {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostText = 200;
constexpr size_t kMostReply = 64 << 10;
// Servers say no by it, before they misread what they do not know.
constexpr const char* kDevelopmentVersion = "1";
constexpr std::string_view kProtobuf = "application/x-protobuf";

// Read each time: such tokens are replaced while a process runs.
std::string read_token(const std::string& path) {
  std::string token = read_file(path);
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  bool is_one_line =
      std::all_of(token.begin(), token.end(), [](unsigned char byte) { return byte > ' ' && byte < 0x7f; });
  if (token.empty() || !is_one_line)
    throw Error(formatted("option push-token: {} holds no token", path), "write it there, alone, on one line");
  return token;
}

// "" where the server wants none.
std::string authorization(const PushTarget& target) {
  if (!target.token_file.empty()) return "Bearer " + read_token(target.token_file);
  if (target.user.empty()) return "";
  std::string header = "Basic ";
  profile::append_base64(header, formatted("{}:{}", target.user, target.password));
  return header;
}

void hide(const std::string& secret, std::string* text) {
  for (size_t at = 0; !secret.empty() && (at = text->find(secret, at)) != std::string::npos; at += 3)
    text->replace(at, secret.size(), "***");
}

// Its first line; a server may send back what it got.
std::string readable(std::string text, const PushTarget& target, const std::string& authorization) {
  hide(authorization.substr(std::min(authorization.find(' ') + 1, authorization.size())), &text);
  hide(target.password, &text);
  text.erase(std::min(text.find_first_of("\r\n"), text.size()));
  for (char& letter : text)
    if (letter < ' ' || letter > '~') letter = '?';
  return text.substr(0, kMostText);
}

// What the body of a reply says: OTLP's are messages, where the server speaks it itself.
void read_body(const PushTarget& target, const std::string& content_type, const std::string& body,
               Connection::Reply* reply) {
  bool is_taken = answer_of(target.protocol, reply->status) == Answer::kTaken;
  bool is_message = target.protocol == Protocol::kOtlp && content_type.compare(0, kProtobuf.size(), kProtobuf) == 0;
  if (!is_message) {
    if (!is_taken) reply->text = body;
    return;
  }
  try {
    if (!is_taken) {
      reply->text = profile::read_otlp_error(body);
      return;
    }
    profile::OtlpReply told = profile::read_otlp_reply(body);
    reply->rejected = std::max<int64_t>(told.rejected, 0);
    reply->text = told.message;
  } catch (const profile::FormatError&) {
    reply->text = "its reply cannot be read";
  }
}

// The status of what a server said before it stopped reading, which is where it does not want it: 0 where it said
// nothing. What came before a connection was reset can still be read (tcp(7)).
int status_without_request(int socket) {
  char text[64] = {};
  int status = 0;
  if (::recv(socket, text, sizeof text - 1, MSG_DONTWAIT) <= 0) return 0;
  return std::sscanf(text, "HTTP/1.%*1d %3d", &status) == 1 ? status : 0;
}

std::string why(httplib::Error error, const PushTarget& target, const Patience& patience, Clock::duration taken) {
  switch (error) {
    case httplib::Error::Connection:
      return formatted("cannot connect to {}", target.authority());
    case httplib::Error::ConnectionTimeout:
      return formatted("cannot connect to {} within {} s", target.authority(), patience.connect.count() / 1000);
    case httplib::Error::Write:
      return formatted("{} stopped reading", target.authority());
    default:
      if (taken < patience.reply) return formatted("{} ended the connection without a reply", target.authority());
      return formatted("{} gave no reply within {} s", target.authority(), patience.reply.count() / 1000);
  }
}

}  // namespace

void check_token(const PushTarget& target) {
  authorization(target);
}

Connection::Reply Connection::post(const PushTarget& target, const PushPart& part) {
  std::string authorizes = authorization(target);
  httplib::Client client(target.host, target.port);
  client.set_connection_timeout(patience_.connect);
  client.set_read_timeout(patience_.reply);
  client.set_write_timeout(patience_.reply);
  client.set_url_encode(false);
  client.set_socket_options([this](int socket) { follow(socket); });
  httplib::Request request;
  request.method = "POST";
  request.path = target.path + part.query;
  request.headers = {
      {"Host", target.authority()}, {"Content-Type", part.content_type}, {"User-Agent", "hearth/" HEARTH_VERSION}};
  if (!authorizes.empty()) request.headers.emplace("Authorization", authorizes);
  if (!target.tenant.empty()) request.headers.emplace("X-Scope-OrgID", target.tenant);
  if (part.is_gzip) request.headers.emplace("Content-Encoding", "gzip");
  if (target.protocol == Protocol::kOtlp)
    request.headers.emplace("OTLP-Profiles-Development-Version", kDevelopmentVersion);
  request.body = part.body;
  Clock::time_point began = Clock::now();
  httplib::Response head;
  request.response_handler = [&head](const httplib::Response& response) {
    head = response;
    return true;
  };
  std::string body;  // as much of it as anybody reads; a server that never comes to its end is not waited for
  request.content_receiver = [&](const char* bytes, size_t length, uint64_t, uint64_t) {
    body.append(bytes, std::min(length, kMostReply - body.size()));
    return body.size() < kMostReply && Clock::now() - began < patience_.whole;
  };
  httplib::Result result = client.send(request);
  Clock::duration taken = Clock::now() - began;
  if (result) head = *result;
  Reply reply;
  reply.status = std::max(head.status, 0);  // less where there was none
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!result && result.error() == httplib::Error::Write) reply.status = status_without_request(socket_.get());
    socket_.reset();
    if (reply.status == 0 && interrupted_) return {0, "interrupted"};
  }
  if (reply.status == 0) return {0, why(result.error(), target, patience_, taken)};
  reply.retry_after_ns = retry_after_ns(head.get_header_value("Retry-After"), std::time(nullptr));
  if (reply.status >= 300 && reply.status < 400) body = "see " + head.get_header_value("Location");
  read_body(target, head.get_header_value("Content-Type"), body, &reply);
  reply.text = readable(reply.text, target, authorizes);
  return reply;
}

// Called with each socket before it connects.
void Connection::follow(int socket) {
  std::lock_guard<std::mutex> lock(mutex_);
  socket_ = UniqueFd(::fcntl(socket, F_DUPFD_CLOEXEC, 0));
  if (interrupted_) ::shutdown(socket_.get(), SHUT_RDWR);  // while its name was looked up
}

void Connection::interrupt() {
  std::lock_guard<std::mutex> lock(mutex_);
  interrupted_ = true;
  if (socket_) ::shutdown(socket_.get(), SHUT_RDWR);
}

}  // namespace hearth::push
