// Whole files: read one, or replace one so that nobody ever sees half of it.
#pragma once

#include <string>
#include <string_view>

namespace hearth {

// Throws Error naming the path and the reason. "-" is standard input.
std::string read_file(const std::string& path);

// Writes a temporary file beside `path`, then renames it over `path`; on any failure (full disk, no directory, no
// right) the temporary is removed, the old file is untouched and an Error is thrown. Character devices and pipes are
// written in place.
void replace_file(const std::string& path, std::string_view content);

// Throws the Error that replace_file would, as far as that can be told before: no directory, no right, a directory of
// that name.
void check_replaceable(const std::string& path);

}  // namespace hearth
