// Random secrets and their comparison.
#pragma once

#include <string>
#include <string_view>

namespace hearth::http {

// 256 bits in hexadecimal. Throws Error if the kernel provides no random numbers.
std::string random_secret();

// Compares in constant time; the lengths are not secret.
bool is_same_secret(std::string_view a, std::string_view b);

}  // namespace hearth::http
