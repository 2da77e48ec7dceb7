// Parses values as the launcher and the agent understand them. All throw UsageError.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "profile/formats/formats.h"

namespace hearth::launcher {

// "10", "10s", "1m", "2h", "500ms"; a bare number is seconds. Never zero.
std::chrono::milliseconds parse_duration(std::string_view flag, const std::string& text);

// One output format, and the number of rows for flat or traces; 0: the default.
struct TypedFormat {
  profile::Format format;
  int rows = 0;
  bool opens_tree = false;  // of the page
};

// The value of -o: "html", "flat=20,traces=5".
std::vector<TypedFormat> parse_formats(const std::string& typed);

// The values of --transform and --highlight.
profile::Transform parse_transform(const std::string& typed);
void parse_highlight(const std::string& typed, std::vector<std::string>* highlights);
// The value of --sort: true for width.
bool parse_sort(const std::string& typed);

// The agent's words for the format: from -o ("collapsed", "flat=20,traces=5") if given, else from the name of the file,
// else text.
std::string format_words(const std::string& typed, const std::string& file);

// The value of --top.
size_t parse_rows(const std::string& text);

// "; did you mean WORD?" if one of `known` is near, else a hint at --help.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known);

}  // namespace hearth::launcher
