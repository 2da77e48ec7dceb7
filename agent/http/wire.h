// HTTP's syntax, by cpp-httplib: bytes to a request, a reply to bytes. The only file that knows the library.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "http/message.h"

namespace hearth::http {

class Wire {
 public:
  using Serve = std::function<Reply(Request)>;
  Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  ~Wire();

  struct Bytes {
    std::string text;  // the head, and a short body
    std::string body;  // a long one, which is never copied
    bool ends_connection = false;
    bool is_for_known = false;  // Reply's

    size_t size() const { return text.size() + body.size(); }
  };
  // `request` is complete, as framing.h tells. Where it cannot be parsed, `serve` is not asked and the reply says so;
  // what `serve` throws becomes a 500. Thread safe.
  Bytes answer(std::string_view request, size_t head, const Peer& peer, Interruption* interruption,
               const Serve& serve) const;

  // Path and query of a request's first line.
  static void set_target(const std::string& target, Request* request);

  // A reply to what is no request.
  Bytes refuse(const Refusal& refusal) const;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace hearth::http
