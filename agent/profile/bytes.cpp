#include "profile/bytes.h"

#include "base/formatted.h"

namespace hearth::profile {

void ByteReader::fail(const std::string& problem) const {
  throw FormatError(formatted("{} is damaged at byte {}: {}", what_, offset(), problem));
}

}  // namespace hearth::profile
