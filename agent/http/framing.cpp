#include "http/framing.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hearth::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kEmptyLine = "\r\n\r\n";

bool is_named(std::string_view line, std::string_view name) {
  if (line.size() <= name.size() || line[name.size()] != ':') return false;
  return std::equal(name.begin(), name.end(), line.begin(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b | 0x20 : b); });
}

std::string_view value_of(std::string_view line) {
  line.remove_prefix(line.find(':') + 1);
  size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}

Frame refused(int status, const char* problem) {
  Frame frame;
  frame.state = Frame::State::kRefused;
  frame.status = status;
  frame.problem = problem;
  return frame;
}

// A field's name is a token: nothing blank may hide in it, and no line may go on from the one before.
bool is_field(std::string_view line) {
  constexpr std::string_view kToken = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  return line.substr(0, colon).find_first_not_of(kToken) == std::string_view::npos;
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; });
}

// Takes a field's line into account; what is wrong with it, if anything is.
std::optional<Frame> read_field(std::string_view line, std::optional<size_t>* body, Frame* frame) {
  if (!is_field(line) || has_control(line)) return refused(400, "a header is not one");
  if (is_named(line, "transfer-encoding"))
    return refused(411, "the length of the body is not told: send Content-Length, no Transfer-Encoding");
  if (is_named(line, "expect")) frame->expects_continue = true;
  if (!is_named(line, "content-length")) return std::nullopt;
  std::string_view digits = value_of(line);
  size_t length = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (error == std::errc::result_out_of_range) return refused(413, "the body is too large");
  if (error != std::errc() || end != digits.data() + digits.size() || (*body && **body != length))
    return refused(400, "Content-Length is not one number");
  if (length > kMostBody) return refused(413, "the body is too large");
  *body = length;
  return std::nullopt;
}

}  // namespace

Frame frame_of(std::string_view bytes) {
  size_t end = bytes.substr(0, kMostHead).find(kEmptyLine);
  std::string_view first = bytes.substr(0, bytes.find(kLineEnd));
  if (first.size() > kMostLine) return refused(414, "the request line is too long");
  if (has_control(first.substr(0, first.find('\r')))) return refused(400, "this is not HTTP");
  if (end == std::string_view::npos)
    return bytes.size() < kMostHead ? Frame() : refused(431, "the headers are too large");
  Frame frame;
  frame.head = end + kEmptyLine.size();
  std::string_view fields = bytes.substr(first.size(), frame.head - kLineEnd.size() - first.size());
  fields.remove_prefix(kLineEnd.size());
  std::optional<size_t> body;
  for (size_t count = 1; !fields.empty(); count++) {
    std::string_view line = fields.substr(0, fields.find(kLineEnd));
    fields.remove_prefix(line.size() + kLineEnd.size());
    if (count > kMostHeaders || line.size() > kMostLine) return refused(431, "the headers are too large");
    if (std::optional<Frame> wrong = read_field(line, &body, &frame)) return *wrong;
  }
  frame.body = body.value_or(0);
  if (bytes.size() >= frame.head + frame.body) frame.state = Frame::State::kComplete;
  return frame;
}

std::string head_to_parse(std::string_view head) {
  constexpr std::string_view kLeftOut[] = {"content-length", "content-type", "content-encoding", "expect",
                                           "range",          "if-range",     "accept",           "upgrade"};
  std::string text;
  while (!head.empty()) {
    size_t end = head.find(kLineEnd);
    std::string_view line = head.substr(0, end == std::string_view::npos ? head.size() : end + kLineEnd.size());
    head.remove_prefix(line.size());
    bool is_left_out = std::any_of(std::begin(kLeftOut), std::end(kLeftOut),
                                   [line](std::string_view name) { return is_named(line, name); });
    if (!is_left_out) text += line;
  }
  return text;
}

}  // namespace hearth::http
