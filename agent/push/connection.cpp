#include "push/connection.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "profile/codec/base64.h"
#include "profile/formats/formats.h"
#include "profile/otlp/otlp.h"
#include "push/answer.h"
#include "push/reply_reader.h"

namespace hearth::push {
namespace {

using Clock = TcpStream::Clock;
using Result = TcpStream::Result;

constexpr size_t kMostText = 200;
// Servers that do not know this version refuse the request instead of misreading it.
constexpr const char* kDevelopmentVersion = "1";
constexpr std::string_view kProtobuf = "application/x-protobuf";

// The header that identifies the sender, and its parts that no message may show.
struct Credentials {
  std::string header;  // "": none
  std::string secrets[2];
};

// Without its line break.
std::string read_secret(const std::string& path) {
  std::string secret = read_file(path);
  secret.erase(secret.find_last_not_of(" \t\r\n") + 1);
  return secret;
}

Credentials bearer_of(const std::string& path) {
  std::string token = read_secret(path);
  bool is_one_word =
      std::all_of(token.begin(), token.end(), [](unsigned char byte) { return byte > ' ' && byte < 0x7f; });
  if (token.empty() || !is_one_word)
    throw Error(formatted("option push-token: {} contains no token", path), "write the token there, alone on one line");
  return {"Bearer " + token, {token, ""}};
}

Credentials basic_of(const std::string& user, const std::string& password) {
  std::string coded;
  profile::append_base64(coded, formatted("{}:{}", user, password));
  return {"Basic " + coded, {coded, password}};
}

// Accepts group access: secrets mounted into a container are often readable by its group.
void check_private(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && (info.st_mode & (S_IRWXO | S_IWGRP)) != 0)
    throw Error(formatted("option push-credentials: other users can read or change {}", path),
                formatted("chmod 600 {}", path));
}

Credentials basic_in(const std::string& path) {
  check_private(path);
  std::string pair = read_secret(path);
  size_t colon = pair.find(':');
  bool is_one_line =
      std::none_of(pair.begin(), pair.end(), [](unsigned char byte) { return byte < ' ' || byte == 0x7f; });
  if (colon == std::string::npos || colon == 0 || !is_one_line)
    throw Error(formatted("option push-credentials: {} contains no user and password", path),
                "write USER:PASSWORD there, alone on one line");
  return basic_of(pair.substr(0, colon), pair.substr(colon + 1));
}

// Reads files each time: such secrets are replaced while a process runs.
Credentials credentials_of(const options::PushTarget& target) {
  if (!target.token_file.empty()) return bearer_of(target.token_file);
  if (!target.credentials_file.empty()) return basic_in(target.credentials_file);
  if (target.user.empty()) return {};
  return basic_of(target.user, target.password);
}

void hide(const std::string& secret, std::string* text) {
  for (size_t at = 0; !secret.empty() && (at = text->find(secret, at)) != std::string::npos; at += 3)
    text->replace(at, secret.size(), "***");
}

// The first line, without secrets: a server may send back the request.
std::string readable(std::string text, const Credentials& credentials) {
  for (const std::string& secret : credentials.secrets) hide(secret, &text);
  text.erase(std::min(text.find_first_of("\r\n"), text.size()));
  for (char& letter : text)
    if (letter < ' ' || letter > '~') letter = '?';
  return text.substr(0, kMostText);
}

// Reads the body of a reply: protobuf messages if the server itself speaks OTLP.
void read_body(const options::PushTarget& target, const std::string& content_type, const std::string& body,
               Connection::Reply* reply) {
  bool is_taken = answer_of(target.protocol, reply->status) == Answer::kTaken;
  bool is_message =
      target.protocol == options::Protocol::kOtlp && content_type.compare(0, kProtobuf.size(), kProtobuf) == 0;
  if (!is_message) {
    if (!is_taken) reply->text = body;
    return;
  }
  try {
    if (!is_taken) {
      reply->text = profile::read_otlp_error(body);
      return;
    }
    profile::OtlpReply otlp = profile::read_otlp_reply(body);
    reply->rejected = std::max<int64_t>(otlp.rejected, 0);
    reply->text = otlp.message;
  } catch (const profile::FormatError&) {
    reply->text = "its reply is not readable";
  }
}

std::string head_of(const options::PushTarget& target, const PushPart& part, const std::string& authorization) {
  std::string head = formatted("POST {}{} HTTP/1.1\r\n", target.path, part.query);
  auto add = [&head](const char* name, const std::string& value) { head += formatted("{}: {}\r\n", name, value); };
  add("Host", target.authority());
  add("User-Agent", "hearth/" HEARTH_VERSION);
  add("Accept", "*/*");
  add("Content-Type", part.content_type);
  add("Content-Length", std::to_string(part.body.size()));
  add("Connection", "close");
  if (!authorization.empty()) add("Authorization", authorization);
  if (!target.tenant.empty()) add("X-Scope-OrgID", target.tenant);
  if (part.is_gzip) add("Content-Encoding", "gzip");
  if (target.protocol == options::Protocol::kOtlp) add("OTLP-Profiles-Development-Version", kDevelopmentVersion);
  return head + "\r\n";
}

}  // namespace

void check_token(const options::PushTarget& target) {
  credentials_of(target);
}

void check_tls(const options::PushTarget& target) {
  if (target.is_tls) TlsContext(target.ca_file);
}

// Deadlines of the whole exchange, and of each wait in it.
class Connection::Deadlines {
 public:
  explicit Deadlines(const Patience& patience) : patience_(patience), end_(Clock::now() + patience.whole) {}

  Clock::time_point end() const { return end_; }
  Clock::time_point of_wait() const { return std::min(end_, Clock::now() + patience_.reply); }
  bool are_over() const { return Clock::now() >= end_; }

 private:
  const Patience& patience_;
  const Clock::time_point end_;
};

Connection::Reply Connection::post(const options::PushTarget& target, const PushPart& part) {
  Credentials credentials = credentials_of(target);
  ReplyReader reader;
  std::string problem = exchange(target, head_of(target, part, credentials.header), part.body, &reader);
  tls_.reset();
  stream_.close();
  Reply reply;
  reply.status = reader.status();
  if (reply.status == 0) return {0, stream_.is_interrupted() ? "interrupted" : problem};
  reply.retry_after_ns = retry_after_ns(reader.header("retry-after"), std::time(nullptr));
  bool is_redirection = reply.status >= 300 && reply.status < 400;
  std::string body = is_redirection ? "see " + reader.header("location") : reader.body();
  read_body(target, reader.header("content-type"), body, &reply);
  reply.text = readable(reply.text, credentials);
  return reply;
}

// Returns the reason if `reader` has no status.
std::string Connection::exchange(const options::PushTarget& target, const std::string& head, const std::string& body,
                                 ReplyReader* reader) {
  Deadlines deadlines(patience_);
  std::string server = target.authority();
  Result connected = stream_.connect(target.host, target.port, patience_.connect, deadlines.end());
  if (connected == Result::kTimedOut)
    return formatted("cannot connect to {} within {} s", server, patience_.connect.count() / 1000);
  if (connected == Result::kFailed) return formatted("cannot connect to {}", server);
  if (std::string problem = target.is_tls ? secure(target, deadlines) : ""; !problem.empty()) return problem;
  bool is_sent = send(head, deadlines) && send(body, deadlines);
  Result received = is_sent ? receive(deadlines, reader) : receive_what_came(reader);
  if (!reader->problem().empty()) return formatted("{} {}", server, reader->problem());
  if (deadlines.are_over())
    return formatted("{} did not complete its reply within {} s", server, patience_.whole.count() / 1000);
  if (!is_sent) return formatted("{} stopped reading", server);
  if (received != Result::kTimedOut) return formatted("{} ended the connection without a reply", server);
  return formatted("{} gave no reply within {} s", server, patience_.reply.count() / 1000);
}

// Returns why there is no TLS.
std::string Connection::secure(const options::PushTarget& target, const Deadlines& deadlines) {
  if (!authorities_) authorities_.emplace(target.ca_file);
  tls_ = std::make_unique<TlsStream>(*authorities_, &stream_, target.host);
  Result result = tls_->handshake(deadlines.of_wait());
  if (result == Result::kDone) return "";
  authorities_.reset();
  std::string server = target.authority();
  if (!tls_->problem().empty()) return formatted("{} {}", server, tls_->problem());
  if (result == Result::kFailed) return formatted("{} ended the connection in TLS's handshake", server);
  return formatted("{} did not complete TLS's handshake within {} s", server, patience_.reply.count() / 1000);
}

bool Connection::send(std::string_view bytes, const Deadlines& deadlines) {
  while (!bytes.empty()) {
    size_t sent = 0;
    Result result =
        tls_ ? tls_->send(bytes, deadlines.of_wait(), &sent) : stream_.send(bytes, deadlines.of_wait(), &sent);
    if (result != Result::kDone) return false;
    bytes.remove_prefix(sent);
  }
  return true;
}

TcpStream::Result Connection::receive(const Deadlines& deadlines, ReplyReader* reader) {
  std::array<char, 4096> buffer;
  for (;;) {
    size_t received = 0;
    Clock::time_point deadline = deadlines.of_wait();
    Result result = tls_ ? tls_->receive(buffer.data(), buffer.size(), deadline, &received)
                         : stream_.receive(buffer.data(), buffer.size(), deadline, &received);
    if (result != Result::kDone || received == 0) return result;
    if (!reader->add({buffer.data(), received})) return Result::kDone;
  }
}

// Reads the reply of a server that refused a request before it had read all and then stopped reading. Data that arrived
// before a connection was reset can still be read (tcp(7)).
TcpStream::Result Connection::receive_what_came(ReplyReader* reader) {
  Patience little;
  little.whole = std::chrono::milliseconds(100);
  return receive(Deadlines(little), reader);
}

void Connection::interrupt() {
  stream_.interrupt();
}

}  // namespace hearth::push
