// Random words that nobody can guess, and comparing them.
#pragma once

#include <string>
#include <string_view>

namespace hearth::http {

// 256 bits in hexadecimal. Throws Error when the kernel gives no random numbers.
std::string random_secret();

// Takes the same time wherever the two differ; their lengths are no secret.
bool is_same_secret(std::string_view a, std::string_view b);

}  // namespace hearth::http
