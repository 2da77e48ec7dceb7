// A request as the routes receive it, and their reply. No sockets here, no HTTP syntax.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/server/cancellation_token.h"

namespace hearth::http {

struct Peer {
  std::string name;            // for the log: "127.0.0.1:41234", "uid 1000"
  bool is_local_user = false;  // connected over the Unix socket as this process's user or root
  std::string local_host;      // the server's address that it connected to, "" on a Unix socket
};

// ASCII only, as field names are.
struct IgnoringCase {
  bool operator()(std::string_view a, std::string_view b) const;
};

struct Request {
  std::string method;                             // as sent, one of HTTP's
  std::string path;                               // decoded, without the query
  std::vector<std::string> parts;                 // those that match the {} of the route
  std::multimap<std::string, std::string> query;  // decoded
  std::multimap<std::string, std::string, IgnoringCase> headers;
  std::string body;
  Peer peer;
  CancellationToken* cancellation = nullptr;  // when nobody waits for the reply; never null in a handler

  // The first of that name, "" when there is none.
  std::string header(const std::string& name) const;
  std::string parameter(const std::string& name) const;
};

struct Reply {
  int status = 200;
  std::string type;  // of the body
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers{};  // in addition to those that every reply has
  std::string note{};                                          // for the log: the change that the request made
  bool is_authenticated = false;                               // the client showed the token or a link made with it
  std::string_view constant{};  // a long body that lives as long as the process, in place of `body`; never copied

  static Reply text(std::string text) { return {200, "text/plain; charset=utf-8", std::move(text)}; }
};

// The reason to refuse a request. Thrown by handlers; its text is the message.
struct Refusal : std::exception {
  Refusal(int reply_status, std::string word, std::string text, std::string remedy = "")
      : status(reply_status), code(std::move(word)), message(std::move(text)), hint(std::move(remedy)) {}
  const char* what() const noexcept override { return message.c_str(); }

  int status;
  std::string code;  // for programs
  std::string message;
  std::string hint;                                            // the remedy, or ""
  std::vector<std::pair<std::string, std::string>> headers{};  // of the reply: Allow, Retry-After, …
  std::string running{};                                       // the session that is the reason
};

// {"error": {"code", "message", "hint"}}; "hint" and "running" only if they are not empty.
Reply reply_to(const Refusal& refusal);

// 503 with Retry-After.
Refusal busy(const std::string& why, const std::string& hint, int seconds);

}  // namespace hearth::http
