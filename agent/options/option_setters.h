// The function of each row of the option table that stores a value in Options.
#pragma once

#include <string_view>

#include "options/option_table.h"

namespace hearth::options {

using SetOption = void (*)(Options* options, std::string_view value, const OptionRow& option);

// `name` is of the table; the tests take every row.
SetOption setter_of(std::string_view name);

}  // namespace hearth::options
