// HTTP/1.1 response syntax: a Reply to the bytes that are sent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "http/server/message.h"

namespace hearth::http {

struct EncodedReply {
  std::string text;           // the head, and a short body
  std::string body;           // a long body, which is moved, never copied
  std::string_view constant;  // Reply::constant, in place of `body`
  bool ends_connection = false;
  bool is_authenticated = false;  // Reply's

  std::string_view long_body() const { return constant.empty() ? std::string_view(body) : constant; }
  size_t size() const { return text.size() + long_body().size(); }
};

struct ReplyMode {
  bool omits_body = false;        // the request was a HEAD
  bool keeps_connection = false;  // another request may follow
};

EncodedReply encode(Reply reply, const ReplyMode& mode);

// The reply to bytes that are no request; it ends the connection.
EncodedReply encode(const Refusal& refusal);

}  // namespace hearth::http
