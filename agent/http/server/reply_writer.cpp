#include "http/server/reply_writer.h"

#include <algorithm>

#include "base/formatted.h"
#include "http/server/standard_headers.h"

namespace hearth::http {
namespace {

constexpr size_t kLongBody = 64 << 10;

std::string_view reason_of(int status) {
  constexpr std::pair<int, std::string_view> kReasons[] = {
      {200, "OK"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {411, "Length Required"},
      {413, "Payload Too Large"},
      {414, "URI Too Long"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {503, "Service Unavailable"},
      {507, "Insufficient Storage"},
  };
  for (const auto& [known, reason] : kReasons) {
    if (known == status) return reason;
  }
  return "";  // a reason may be empty
}

// A field that would end its line early is left out: it could hold another field, or a reply.
void append_field(std::string_view name, std::string_view value, std::string* text) {
  using namespace std::string_view_literals;
  if (value.find_first_of("\r\n\0"sv) != std::string_view::npos) return;
  *text += formatted("{}: {}\r\n", name, value);
}

std::string head_of(const Reply& reply, size_t body_size, bool keeps_connection) {
  std::string text = formatted("HTTP/1.1 {} {}\r\n", reply.status, reason_of(reply.status));
  append_field("Content-Length", std::to_string(body_size), &text);
  if (body_size > 0) append_field("Content-Type", reply.type.empty() ? "text/plain" : reply.type, &text);
  append_field("Connection", keeps_connection ? "keep-alive" : "close", &text);  // HTTP/1.0 takes silence for close
  if (keeps_connection)
    append_field("Keep-Alive", "timeout=25", &text);  // seconds; the connection lives a little longer
  for (const auto& [name, value] : standard_headers(reply)) append_field(name, value, &text);
  return text + "\r\n";
}

}  // namespace

EncodedReply encode(Reply reply, const ReplyMode& mode) {
  EncodedReply encoded;
  encoded.ends_connection = !mode.keeps_connection;
  encoded.is_authenticated = reply.is_authenticated;
  size_t body_size = reply.constant.empty() ? reply.body.size() : reply.constant.size();
  encoded.text = head_of(reply, body_size, mode.keeps_connection);
  if (mode.omits_body) return encoded;
  if (!reply.constant.empty())
    encoded.constant = reply.constant;
  else if (body_size >= kLongBody)
    encoded.body = std::move(reply.body);
  else
    encoded.text += reply.body;
  return encoded;
}

EncodedReply encode(const Refusal& refusal) {
  return encode(reply_to(refusal), {});
}

}  // namespace hearth::http
