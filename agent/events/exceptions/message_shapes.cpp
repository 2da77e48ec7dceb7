#include "events/exceptions/message_shapes.h"

#include <algorithm>
#include <array>

#include "base/text_parts.h"

namespace hearth::events {
namespace {

constexpr size_t kMostCharacters = 64;
constexpr const char* kOther = "(other messages)";
constexpr char16_t kAsciiEnd = 0x80;

bool is_digit(char16_t c) {
  return c >= u'0' && c <= u'9';
}
bool is_hex(char16_t c) {
  return is_digit(c) || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
}
constexpr std::u16string_view kOpen = u"'\"`\u00ab\u2018\u201c\u201e\u300a\u300c\u300e";
constexpr std::u16string_view kClose = u"'\"`\u00bb\u2019\u201d\u201d\u300b\u300d\u300f";

bool is_one_of(std::u16string_view characters, char16_t c) {
  return characters.find(c) != characters.npos;
}
bool is_word(char16_t c) {
  return is_digit(c) || (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_' || c == u'$' ||
         (c >= kAsciiEnd && !is_one_of(kOpen, c) && !is_one_of(kClose, c));
}
bool is_space(char16_t c) {
  return c <= u' ';
}
// Of a script that has apostrophes inside of words.
bool is_latin(char16_t c) {
  constexpr char16_t kLatinEnd = 0x250;
  return is_word(c) && c < kLatinEnd;
}
bool is_apostrophe(char16_t c) {
  return c == u'\'' || c == u'\u2019';
}

// The quote that ends the text which `c` begins; 0: none.
char16_t closing(char16_t c) {
  size_t at = kOpen.find(c);
  return at == kOpen.npos ? u'\0' : kClose[at];
}

std::string utf8(std::u16string_view text) {
  constexpr char16_t kHigh = 0xd800, kLow = 0xdc00, kEnd = 0xe000;
  constexpr uint32_t kUnknown = 0xfffd;
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    char16_t c = text[i];
    bool is_pair = c >= kHigh && c < kLow && i + 1 < text.size() && text[i + 1] >= kLow && text[i + 1] < kEnd;
    if (is_pair) {
      put_utf8(0x10000U + (static_cast<uint32_t>(c - kHigh) << 10) + static_cast<uint32_t>(text[++i] - kLow), &out);
    } else {
      put_utf8(c >= kHigh && c < kEnd ? kUnknown : c, &out);
    }
  }
  return out;
}

class Shape {
 public:
  explicit Shape(std::u16string_view message) : message_(message) {}

  std::string make() {
    while (at_ < message_.size() && shape_.size() <= kMostCharacters) next();
    while (!shape_.empty() && shape_.back() == u' ') shape_.pop_back();
    if (shape_.size() > kMostCharacters) {
      shape_.resize(kMostCharacters - 1);
      shape_ += u'\u2026';
    }
    return utf8(shape_);
  }

 private:
  char16_t before() const { return at_ == 0 ? u' ' : message_[at_ - 1]; }

  void next() {
    char16_t c = message_[at_];
    if (is_space(c)) {
      at_++;
      if (!shape_.empty() && shape_.back() != u' ') shape_ += u' ';
    } else if (closing(c) != 0 && !(is_apostrophe(c) && is_latin(before()))) {
      put_quoted(c);
    } else if (is_word(c) || c == u'/' || c == u'\\') {
      put_token();
    } else {
      at_++;
      shape_ += c;
      if (is_one_of(u"([{", c)) brackets_++;
      if (is_one_of(u")]}", c) && brackets_ > 0) brackets_--;
      if (c == u'=') put_value();
    }
  }

  // An apostrophe inside of a word, as in "can't", ends no text.
  void put_quoted(char16_t quote) {
    char16_t close = closing(quote);
    size_t end = at_ + 1;
    auto is_inside = [&](size_t at) {
      return is_apostrophe(close) && at + 1 < message_.size() && is_latin(message_[at + 1]);
    };
    while (end < message_.size() && (message_[end] != close || is_inside(end))) end++;
    shape_ += quote;
    shape_ += u'*';
    if (end < message_.size()) shape_ += close;
    at_ = end + 1;
  }

  // Within brackets, as records and maps are printed, a value goes on to the next separator. Elsewhere it is a word,
  // and those behind it that look like names.
  void put_value() {
    while (at_ < message_.size() && is_space(message_[at_])) at_++;
    if (at_ < message_.size() && closing(message_[at_]) != 0) return;
    size_t begin = at_;
    for (; at_ < message_.size() && !is_one_of(u",;&)]}", message_[at_]) && !ends_value(); at_++)
      if (is_one_of(u"([{", message_[at_])) brackets_++;
    while (at_ > begin && is_space(message_[at_ - 1])) at_--;
    if (at_ > begin) shape_ += u'*';
  }

  bool ends_value() const {
    if (brackets_ > 0 || !is_space(message_[at_])) return false;
    char16_t next = at_ + 1 < message_.size() ? message_[at_ + 1] : u' ';
    return !is_digit(next) && !(next >= u'A' && next <= u'Z') && next < kAsciiEnd;
  }

  // Words up to a space: one with an address or a path in it is replaced as a whole.
  void put_token() {
    auto ends = [](char16_t c) {
      return is_space(c) || is_one_of(u",;()[]{}<>|=", c) || is_one_of(kOpen, c) || is_one_of(kClose, c);
    };
    size_t end = at_;
    while (end < message_.size() && !ends(message_[end])) end++;
    std::u16string_view token = message_.substr(at_, end - at_);
    if (token.size() > 1 && token.find_first_of(u"/\\@") != token.npos) {
      at_ = end;
      shape_ += u'*';
      return;
    }
    if (!is_word(token[0])) {
      shape_ += message_[at_++];
      return;
    }
    put_word();
  }

  void put_word() {
    size_t end = at_;
    while (end < message_.size() && is_word(message_[end])) end++;
    size_t uuid = uuid_length();
    std::u16string_view word = message_.substr(at_, std::max(uuid, end - at_));
    at_ += word.size();
    constexpr size_t kShortestHex = 8;
    bool is_number = uuid != 0 || std::any_of(word.begin(), word.end(), is_digit) ||
                     (word.size() >= kShortestHex && std::all_of(word.begin(), word.end(), is_hex));
    if (!is_number) {
      shape_ += word;
      return;
    }
    // One number of several parts: a version, a date, an address.
    constexpr std::u16string_view kJoins = u"-.:+";
    size_t size = shape_.size();
    bool goes_on = size >= 2 && shape_[size - 2] == u'#' && kJoins.find(shape_[size - 1]) != kJoins.npos;
    if (goes_on) {
      shape_.pop_back();
    } else {
      shape_ += u'#';
    }
  }

  // Of a UUID that begins here; 0: none.
  size_t uuid_length() const {
    constexpr std::array<size_t, 5> kParts = {8, 4, 4, 4, 12};
    size_t at = at_;
    for (size_t part : kParts) {
      if (at != at_) {
        if (at >= message_.size() || message_[at] != u'-') return 0;
        at++;
      }
      for (size_t i = 0; i < part; i++, at++)
        if (at >= message_.size() || !is_hex(message_[at])) return 0;
    }
    return at < message_.size() && is_word(message_[at]) ? 0 : at - at_;
  }

  const std::u16string_view message_;
  size_t at_ = 0;
  int brackets_ = 0;
  std::u16string shape_;
};

}  // namespace

std::string shape_of_message(std::u16string_view message) {
  return Shape(message).make();
}

uint16_t MessageShapes::number_of(std::u16string_view message) {
  std::string shape = shape_of_message(message);
  if (shape.empty()) return kNone;
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = numbers_.find(shape);
  if (found != numbers_.end()) return found->second;
  if (texts_.size() >= kMost) return kMost + 1;
  texts_.push_back(shape);
  auto number = static_cast<uint16_t>(texts_.size());
  numbers_.emplace(std::move(shape), number);
  return number;
}

std::string MessageShapes::text(uint16_t number) const {
  if (number > kMost) return kOther;
  std::lock_guard<std::mutex> lock(mutex_);
  return number == kNone || number > texts_.size() ? "" : texts_[number - 1];
}

}  // namespace hearth::events
