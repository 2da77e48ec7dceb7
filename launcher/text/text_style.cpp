#include "launcher/text/text_style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "profile/model/event_kinds.h"

namespace hearth::launcher {
namespace {

constexpr size_t kWidthOfPipes = 120;
constexpr size_t kLeastWidth = 60;

// COLUMNS, as `ls` reads it, else the terminal's own width.
size_t terminal_width() {
  if (const char* typed = std::getenv("COLUMNS")) {
    size_t columns = 0;
    auto [end, error] = std::from_chars(typed, typed + std::strlen(typed), columns);
    if (error == std::errc() && *end == '\0' && columns > 0) return columns;
  }
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

TextStyle style_of_stdout() {
  if (::isatty(STDOUT_FILENO) != 1) return {kWidthOfPipes, false};
  return {std::max(terminal_width(), kLeastWidth), true};
}

std::string local_time(int64_t unix_ns) {
  auto seconds = static_cast<time_t>(unix_ns / 1'000'000'000);
  tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return "";
  char text[32];
  size_t length = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
  return {text, length};
}

std::string_view word_of_value(std::string_view value_type) {
  const profile::EventKind* kind = profile::kind_of_value(value_type);
  if (kind == nullptr) return value_type;
  std::string_view words = value_type == kind->weight ? kind->weight_words : kind->count_words;
  return words.empty() ? value_type : words;
}

}  // namespace hearth::launcher
