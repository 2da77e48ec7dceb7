#include "push/reply_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

namespace hearth::push {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kEmptyLine = "\r\n\r\n";
constexpr std::string_view kProtocol = "HTTP/1.";
enum : int { kSwitchingProtocols = 101, kFirstFinal = 200, kNoContent = 204, kNotModified = 304, kFirstUnknown = 600 };

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter | 0x20) : letter;
}

bool is_named(std::string_view line, std::string_view name) {
  if (line.size() <= name.size() || line[name.size()] != ':') return false;
  return std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) { return a == lower(b); });
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "HTTP/1.1 200 OK"; 0 for another line.
int status_of(std::string_view head) {
  constexpr size_t kAt = kProtocol.size() + 2, kDigits = 3;
  std::string_view line = head.substr(0, head.find(kLineEnd));
  if (line.size() < kAt + kDigits || line.substr(0, kProtocol.size()) != kProtocol || line[kAt - 1] != ' ') return 0;
  if (line.size() > kAt + kDigits && line[kAt + kDigits] != ' ') return 0;
  int status = number<int>(line.substr(kAt, kDigits)).value_or(0);
  return status >= 100 && status < kFirstUnknown ? status : 0;
}

bool may_begin_reply(std::string_view head) {
  size_t size = std::min(head.size(), kProtocol.size());
  return head.substr(0, size) == kProtocol.substr(0, size);
}

}  // namespace

bool ReplyReader::add(std::string_view bytes) {
  while (state_ == State::kHead && !bytes.empty())
    if (!take_head(&bytes)) break;
  if (state_ != State::kHead) take_body(bytes);
  return state_ != State::kComplete;
}

// Returns whether a head ends in `bytes`, and removes it from them.
bool ReplyReader::take_head(std::string_view* bytes) {
  std::string_view part = bytes->substr(0, kMostHead - head_bytes_);
  size_t looked_at = head_.size() - std::min(head_.size(), kEmptyLine.size() - 1);
  size_t before = head_.size();
  head_ += part;
  size_t end = head_.find(kEmptyLine, looked_at);
  if (!may_begin_reply(head_)) {
    fail("sent a reply that is not HTTP/1");
    return false;
  }
  if (end == std::string::npos) {
    head_bytes_ += part.size();
    if (head_bytes_ == kMostHead) fail("sent reply headers of more than 16 KiB");
    return false;
  }
  size_t taken = end + kEmptyLine.size() - before;
  head_bytes_ += taken;
  bytes->remove_prefix(taken);
  head_.resize(end + kLineEnd.size());
  int status = status_of(head_);
  if (status == 0) {
    fail("sent a reply that is not HTTP/1");
  } else if (status < kFirstFinal && status != kSwitchingProtocols) {
    head_.clear();
    if (head_bytes_ == kMostHead) fail("sent reply headers of more than 16 KiB");
  } else {
    status_ = status;
    begin_body();
  }
  return true;
}

void ReplyReader::begin_body() {
  std::string encoding = header("transfer-encoding");
  std::transform(encoding.begin(), encoding.end(), encoding.begin(), lower);
  std::optional<size_t> length = number<size_t>(header("content-length"));
  state_ = State::kUntilClose;
  if (status_ == kNoContent || status_ == kNotModified || status_ == kSwitchingProtocols) {
    state_ = State::kComplete;
  } else if (encoding == "chunked") {
    state_ = State::kChunkSize;
  } else if (encoding.empty() && length) {
    left_ = *length;
    state_ = left_ == 0 ? State::kComplete : State::kLength;
  }
}

void ReplyReader::take_body(std::string_view bytes) {
  if (state_ == State::kComplete) return;
  bytes = bytes.substr(0, kMostBody - body_bytes_);
  body_bytes_ += bytes.size();
  if (state_ == State::kUntilClose) {
    body_ += bytes;
  } else if (state_ == State::kLength) {
    body_ += bytes.substr(0, left_);
    left_ -= std::min(left_, bytes.size());
    if (left_ == 0) state_ = State::kComplete;
  } else {
    while (!bytes.empty() && state_ != State::kComplete) bytes = take_chunks(bytes);
  }
  if (body_bytes_ == kMostBody) state_ = State::kComplete;
}

// Returns the remaining bytes. Trailers are not read: nothing follows them on this connection.
std::string_view ReplyReader::take_chunks(std::string_view bytes) {
  if (state_ == State::kChunk) {
    std::string_view part = bytes.substr(0, left_);
    body_ += part;
    left_ -= part.size();
    if (left_ == 0) state_ = State::kChunkEnd;
    return bytes.substr(part.size());
  }
  char letter = bytes.front();
  if (state_ == State::kChunkSize) {
    take_chunk_size(letter);
  } else if (letter == '\n') {
    bool is_last = state_ == State::kChunkExtension && left_ == 0;
    state_ = is_last ? State::kComplete : state_ == State::kChunkExtension ? State::kChunk : State::kChunkSize;
    has_digit_ = false;
  }
  return bytes.substr(1);
}

void ReplyReader::take_chunk_size(char letter) {
  unsigned digit = 0;
  bool is_digit = std::from_chars(&letter, &letter + 1, digit, 16).ec == std::errc();
  if (is_digit) {
    left_ = std::min(left_ * 16 + digit, kMostBody);
    has_digit_ = true;
  } else {
    state_ = has_digit_ ? State::kChunkExtension : State::kComplete;  // a chunk without a size is not one
  }
}

void ReplyReader::fail(const char* problem) {
  problem_ = problem;
  state_ = State::kComplete;
}

std::string ReplyReader::header(std::string_view name) const {
  std::string_view lines = head_;
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find(kLineEnd));
    lines.remove_prefix(line.size() + kLineEnd.size());
    if (!is_named(line, name)) continue;
    line.remove_prefix(name.size() + 1);
    size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    return std::string(line.substr(begin, line.find_last_not_of(" \t") + 1 - begin));
  }
  return "";
}

}  // namespace hearth::push
