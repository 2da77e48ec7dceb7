// The text of options, "start,event=alloc,file=a.html": of -agentpath, of an attach and of programs. A comma of a value
// is written "\,", and each backslash before a comma, or at the end of a value, twice; other backslashes are
// themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth::options {

// "event=alloc\,lock,threads" has the words "event=alloc,lock" and "threads". Empty words are left out.
std::vector<std::string> option_words(std::string_view text);

// A value as the text has it.
std::string escaped_value(std::string_view value);

}  // namespace hearth::options
