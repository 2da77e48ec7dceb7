#include "http/auth/secrets.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"
#include "base/random.h"

namespace hearth::http {

std::string random_secret() {
  unsigned char bytes[32];
  if (!fill_random(bytes, sizeof bytes))
    throw Error(formatted("cannot make a secret: {}", std::strerror(errno)), "try again once the system has started");
  std::string text;
  for (unsigned char byte : bytes) text += formatted("{:02x}", byte);
  return text;
}

bool is_same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); i++) difference = difference | static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace hearth::http
