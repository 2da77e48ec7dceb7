// A request as the routes see it, and what they reply. No sockets here, no HTTP syntax.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/interruption.h"

namespace hearth::http {

struct Peer {
  std::string name;            // for the log: "127.0.0.1:41234", "uid 1000"
  bool is_local_user = false;  // came over the Unix socket, and is this process's user or root
  std::string local_host;      // the address of ours that it reached, "" on a Unix socket
};

// ASCII only, as field names are.
struct IgnoringCase {
  bool operator()(std::string_view a, std::string_view b) const;
};

struct Request {
  std::string method;                             // as sent, one of HTTP's
  std::string path;                               // decoded, without the query
  std::vector<std::string> parts;                 // what the {} of the route stand for
  std::multimap<std::string, std::string> query;  // decoded
  std::multimap<std::string, std::string, IgnoringCase> headers;
  std::string body;
  Peer peer;
  Interruption* interruption = nullptr;  // raised when nobody waits for the reply any more; never null in a handler

  // The first of that name, "" when there is none.
  std::string header(const std::string& name) const;
  std::string parameter(const std::string& name) const;
};

struct Reply {
  int status = 200;
  std::string type;  // of the body
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers{};  // besides those that every reply has
  std::string note{};         // for the log, of a request that changed something: what was done
  bool is_for_known = false;  // who asked has shown the token, or a word that was made for who has it

  static Reply text(std::string text) { return {200, "text/plain; charset=utf-8", std::move(text)}; }
};

// Why a request is refused. Thrown by handlers; what() is the message.
struct Refusal : std::exception {
  Refusal(int reply_status, std::string word, std::string text, std::string remedy = "")
      : status(reply_status), code(std::move(word)), message(std::move(text)), hint(std::move(remedy)) {}
  const char* what() const noexcept override { return message.c_str(); }

  int status;
  std::string code;  // for programs
  std::string message;
  std::string hint;                                            // what to do about it, or ""
  std::vector<std::pair<std::string, std::string>> headers{};  // of the reply: Allow, Retry-After, …
  std::string running{};                                       // what runs already, where that is why
};

// {"error": {"code", "message", "hint"}}; "hint" and "running" only where there is something to say.
Reply reply_to(const Refusal& refusal);

// 503, with the time after which to try again.
Refusal busy(const std::string& why, const std::string& hint, int seconds);

}  // namespace hearth::http
