#include "profile/bytes.h"

#include <fmt/format.h>

namespace hearth::profile {

void ByteReader::fail(const std::string& problem) const {
  throw FormatError(fmt::format("{} is damaged at byte {}: {}", what_, offset(), problem));
}

}  // namespace hearth::profile
