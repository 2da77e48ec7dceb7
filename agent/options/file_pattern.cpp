#include "options/file_pattern.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <ctime>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::options {
namespace {

std::string time_now() {
  time_t now = time(nullptr);
  tm local{};
  localtime_r(&now, &local);
  char text[32];
  size_t length = strftime(text, sizeof text, "%Y%m%d-%H%M%S", &local);
  return {text, length};
}

// The text between braces at `*at`, which moves behind them; false when there are none.
bool take_braces(std::string_view pattern, size_t* at, std::string_view* inside) {
  if (*at >= pattern.size() || pattern[*at] != '{') return false;
  size_t close = pattern.find('}', *at);
  if (close == std::string_view::npos) return false;
  *inside = pattern.substr(*at + 1, close - *at - 1);
  *at = close + 1;
  return true;
}

std::string counted(std::string_view pattern, size_t* at, uint64_t number) {
  std::string_view most;
  if (!take_braces(pattern, at, &most)) return std::to_string(number);
  uint64_t limit = 0;
  auto [end, error] = std::from_chars(most.data(), most.data() + most.size(), limit);
  if (error != std::errc() || end != most.data() + most.size() || limit == 0)
    throw Error(formatted("option file: %n{{{}}} needs a number above 0", most));
  return std::to_string((number - 1) % limit + 1);
}

std::string environment(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr)
    throw Error(formatted("option file: the environment of the process has no {}", name), "set it, or leave %{…} out");
  return value;
}

}  // namespace

std::string expand_file_pattern(std::string_view pattern, uint64_t number) {
  std::string result;
  size_t at = 0;
  while (at < pattern.size()) {
    char c = pattern[at++];
    if (c != '%' || at == pattern.size()) {
      result += c;
      continue;
    }
    char kind = pattern[at];
    std::string_view inside;
    if (kind == '{' && take_braces(pattern, &at, &inside)) {
      result += environment(inside);
      continue;
    }
    at++;
    if (kind == 'p') {
      result += std::to_string(getpid());
    } else if (kind == 't') {
      result += time_now();
    } else if (kind == 'n') {
      result += counted(pattern, &at, number);
    } else if (kind == '%') {
      result += '%';
    } else {
      throw Error(formatted("option file: unknown pattern %{} in {}", kind, pattern),
                  "known: %p %t %n %n{MAX} %{ENV} %%");
    }
  }
  return result;
}

}  // namespace hearth::options
