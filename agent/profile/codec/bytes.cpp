#include "profile/codec/bytes.h"

#include "base/formatted.h"

namespace hearth::profile {

void ByteReader::fail(const std::string& problem) const {
  throw FormatError(formatted("{} is damaged at byte {}: {}", what_, offset(), problem));
}

void put_front_coded(std::string& out, const std::vector<std::string_view>& texts) {
  std::string_view before;
  for (std::string_view text : texts) {
    size_t shared = 0;
    while (shared < before.size() && shared < text.size() && before[shared] == text[shared]) ++shared;
    put_varint(out, shared);
    put_varint(out, text.size() - shared);
    out += text.substr(shared);
    before = text;
  }
}

}  // namespace hearth::profile
