#include "profile/jfr/read_input.h"

#include "base/formatted.h"
#include "base/text_parts.h"
#include "profile/jfr/layout.h"

namespace hearth::profile::jfr::recorded {
namespace {

bool is_high_surrogate(uint32_t letter) {
  return letter >= 0xD800 && letter < 0xDC00;
}

bool is_low_surrogate(uint32_t letter) {
  return letter >= 0xDC00 && letter < 0xE000;
}

}  // namespace

Input Input::event_fields(size_t at) const {
  Input event = from(at);
  size_t size = event.number(4);
  event = part(event.at(), at + size);
  event.number();  // type
  event.number();  // time
  event.number();  // duration
  return event;
}

Input Input::part(size_t at, size_t end) const {
  if (at > end || end > chunk_.size()) fail("an offset leads out of its chunk");
  Input part = *this;
  part.at_ = at;
  part.end_ = end;
  return part;
}

void Input::fail(const std::string& problem) const {
  throw FormatError(formatted("the recording is damaged at byte {}: {}", base_ + at_, problem));
}

void Input::skip_string() {
  switch (static_cast<StringEncoding>(byte())) {
    case StringEncoding::kNull:
    case StringEncoding::kEmpty:
      return;
    case StringEncoding::kConstant:
      number();
      return;
    case StringEncoding::kUtf8:
    case StringEncoding::kLatin1:
      return skip(number(4));
    case StringEncoding::kChars:
      for (size_t count = this->count(); count > 0; --count) number(2);
      return;
  }
  fail("a string of an unknown encoding");
}

// UTF-16, as in Java.
void Input::put_chars(size_t count, std::string* text) {
  uint32_t high = 0;
  for (; count > 0; --count) {
    auto letter = static_cast<uint32_t>(number(2) & 0xFFFF);
    if (high != 0 && is_low_surrogate(letter)) letter = 0x10000 + ((high - 0xD800) << 10) + (letter - 0xDC00);
    high = is_high_surrogate(letter) ? letter : 0;
    if (high == 0) put_utf8(letter, text);
  }
}

std::string_view Input::string(std::string* text, uint64_t* constant) {
  *constant = 0;
  switch (static_cast<StringEncoding>(byte())) {
    case StringEncoding::kNull:
    case StringEncoding::kEmpty:
      return {};
    case StringEncoding::kConstant:
      *constant = number();
      return {};
    case StringEncoding::kUtf8:
      return take(number(4));
    case StringEncoding::kLatin1:
      text->clear();
      for (char letter : take(number(4))) put_utf8(static_cast<uint8_t>(letter), text);
      return *text;
    case StringEncoding::kChars:
      text->clear();
      put_chars(count(), text);
      return *text;
  }
  fail("a string of an unknown encoding");
}

}  // namespace hearth::profile::jfr::recorded
