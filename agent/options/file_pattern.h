// Output file names with patterns: %p process id, %t time as YYYYMMDD-hhmmss, %n a number that counts outputs, %n{MAX}
// the same starting over after MAX, %{ENV} an environment variable, %% a percent sign.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth::options {

// `number` counts from 1. Throws Error on a pattern it does not know or a variable that is not set.
std::string expand_file_pattern(std::string_view pattern, uint64_t number);

}  // namespace hearth::options
