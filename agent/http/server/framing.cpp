#include "http/server/framing.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hearth::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kEmptyLine = "\r\n\r\n";

struct Refused {
  int status;
  const char* problem;
};
using Problem = std::optional<Refused>;

bool is_same_word(std::string_view a, std::string_view b) {
  IgnoringCase less;
  return !less(a, b) && !less(b, a);
}

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

bool is_control(char c) {
  return (c >= 0 && c < ' ') || c == 0x7f;
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_control);
}

// A field's name is a token: no blank before the colon, no line that continues the previous one.
bool is_token(std::string_view text) {
  constexpr std::string_view kToken = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return !text.empty() && text.find_first_not_of(kToken) == std::string_view::npos;
}

// Whether a list such as "keep-alive, close" has the word.
bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(item.size() + 1, list.size()));
    if (is_same_word(trimmed(item), word)) return true;
  }
  return false;
}

// "GET /path?query HTTP/1.1", the three parts separated by one blank each.
Problem read_request_line(std::string_view line, RequestHead* head) {
  constexpr std::string_view kMethods[] = {"GET",    "HEAD",    "POST",    "PUT",  "PATCH",
                                           "DELETE", "OPTIONS", "CONNECT", "TRACE"};
  Refused wrong = {400, "this is not a request that can be understood"};
  size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || has_control(line)) return wrong;
  std::string_view method = line.substr(0, first), target = line.substr(first + 1, last - first - 1);
  std::string_view version = line.substr(last + 1);
  bool is_method = std::find(std::begin(kMethods), std::end(kMethods), method) != std::end(kMethods);
  bool is_version = version == "HTTP/1.1" || version == "HTTP/1.0";
  if (!is_method || !is_version || target.empty() || target.find(' ') != std::string_view::npos) return wrong;
  head->request.method = method;
  head->keeps_connection = version == "HTTP/1.1";
  head->target = target;
  return std::nullopt;
}

Problem read_field(std::string_view line, RequestHead* head) {
  size_t colon = std::min(line.find(':'), line.size());
  std::string_view name = line.substr(0, colon);
  bool has_bad_value = std::any_of(line.begin(), line.end(), [](char c) { return is_control(c) && c != '\t'; });
  if (colon == line.size() || !is_token(name) || has_bad_value) return Refused{400, "a header is malformed"};
  head->request.headers.emplace(name, trimmed(line.substr(colon + 1)));
  return std::nullopt;
}

Problem read_body_size(RequestHead* head) {
  const auto& headers = head->request.headers;
  size_t lengths = headers.count("Content-Length");
  if (headers.count("Transfer-Encoding") != 0) {
    if (lengths != 0) return Refused{400, "the request has both Content-Length and Transfer-Encoding"};
    return Refused{411, "the length of the body is missing: send Content-Length, no Transfer-Encoding"};
  }
  if (lengths == 0) return std::nullopt;
  if (lengths > 1) return Refused{400, "the request has more than one Content-Length"};
  const std::string& text = headers.find("Content-Length")->second;
  bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) return Refused{400, "Content-Length is not one number"};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), head->body_size);
  if (error != std::errc() || head->body_size > kMostBody) return Refused{413, "the body is too large"};
  return std::nullopt;
}

// The wishes of the client that concern the connection.
void read_connection(RequestHead* head) {
  head->expects_continue = head->request.headers.count("Expect") != 0;
  auto [field, end] = head->request.headers.equal_range("Connection");
  bool keeps = head->keeps_connection, ends = false;
  for (; field != end; ++field) {
    keeps |= has_word(field->second, "keep-alive");
    ends |= has_word(field->second, "close");
  }
  head->keeps_connection = keeps && !ends;
}

// `lines`: those of a complete head, each with its end.
Problem read_lines(std::string_view lines, RequestHead* head) {
  for (size_t count = 0; !lines.empty(); count++) {
    std::string_view line = lines.substr(0, lines.find(kLineEnd));
    lines.remove_prefix(line.size() + kLineEnd.size());
    if (count > kMostHeaders || line.size() > kMostLine) return Refused{431, "the headers are too large"};
    if (Problem problem = count == 0 ? read_request_line(line, head) : read_field(line, head)) return problem;
  }
  if (Problem problem = read_body_size(head)) return problem;
  read_connection(head);
  return std::nullopt;
}

// The fault of a request line that may be incomplete.
Problem check_first_line(std::string_view bytes) {
  std::string_view line = bytes.substr(0, bytes.find(kLineEnd));
  if (line.size() > kMostLine) return Refused{414, "the request line is too long"};
  if (has_control(line.substr(0, line.find('\r')))) return Refused{400, "this is not HTTP"};
  return std::nullopt;
}

}  // namespace

RequestHead parse_head(std::string_view bytes) {
  RequestHead head;
  size_t end = bytes.substr(0, kMostHead).find(kEmptyLine);
  Problem problem = check_first_line(bytes);
  if (!problem && end == std::string_view::npos) {
    if (bytes.size() < kMostHead) return head;
    problem = Refused{431, "the headers are too large"};
  }
  if (!problem) {
    head.size = end + kEmptyLine.size();
    problem = read_lines(bytes.substr(0, end + kLineEnd.size()), &head);
  }
  head.state = problem ? RequestHead::State::kRefused : RequestHead::State::kParsed;
  if (problem) head.status = problem->status;
  if (problem) head.problem = problem->problem;
  return head;
}

}  // namespace hearth::http
