#include "options/option_values.h"

#include <charconv>
#include <limits>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::options {
namespace {

struct Unit {
  std::string_view name;
  int64_t factor;
};

int64_t parse_number(std::string_view text, const OptionLabel& option, std::string_view* rest) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) refuse(option, text);
  *rest = text.substr(static_cast<size_t>(end - text.data()));
  return number;
}

int64_t scaled(int64_t number, int64_t factor, std::string_view text, const OptionLabel& option) {
  if (number > std::numeric_limits<int64_t>::max() / factor) refuse(option, text);
  return number * factor;
}

// `plain`: the unit of a number without one.
template <size_t N>
int64_t parse_amount(std::string_view text, int64_t plain, const Unit (&units)[N], const OptionLabel& option) {
  std::string_view suffix;
  int64_t number = parse_number(text, option, &suffix);
  if (suffix.empty()) return scaled(number, plain, text, option);
  for (const Unit& unit : units) {
    if (suffix == unit.name) return scaled(number, unit.factor, text, option);
  }
  refuse(option, text);
}

}  // namespace

void refuse(const OptionLabel& option, std::string_view value) {
  throw Error(formatted("option {}: cannot use \"{}\"", option.name, value), formatted("accepted: {}", option.accepts));
}

int64_t parse_duration_ns(std::string_view text, int64_t unit, const OptionLabel& option) {
  constexpr int64_t kSecond = 1'000'000'000;
  constexpr Unit kUnits[] = {{"ns", 1},           {"us", 1'000},         {"ms", 1'000'000},     {"s", kSecond},
                             {"m", 60 * kSecond}, {"h", 3600 * kSecond}, {"d", 86400 * kSecond}};
  return parse_amount(text, unit, kUnits, option);
}

int64_t parse_bytes(std::string_view text, const OptionLabel& option) {
  constexpr Unit kUnits[] = {{"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}};
  return parse_amount(text, 1, kUnits, option);
}

int64_t parse_whole(std::string_view text, int64_t least, int64_t most, const OptionLabel& option) {
  std::string_view rest;
  int64_t number = parse_number(text, option, &rest);
  if (!rest.empty() || number < least || number > most) refuse(option, text);
  return number;
}

int64_t parse_timeout_ns(std::string_view text, const OptionLabel& option) {
  constexpr int64_t kSecond = 1'000'000'000;
  size_t colon = text.find(':');
  int64_t timeout_ns = 0;
  if (colon == std::string_view::npos) {
    timeout_ns = parse_duration_ns(text, kSecond, option);
  } else {
    int64_t seconds = 0;
    std::string_view rest = text;
    for (int part = 0; part < 3; part++) {
      colon = rest.find(':');
      bool last = part == 2;
      if (last != (colon == std::string_view::npos)) refuse(option, text);
      seconds = seconds * 60 + parse_whole(rest.substr(0, colon), 0, part == 0 ? 999 : 59, option);
      rest.remove_prefix(last ? rest.size() : colon + 1);
    }
    timeout_ns = seconds * kSecond;
  }
  if (timeout_ns == 0) refuse(option, text);
  return timeout_ns;
}

bool parse_switch(std::string_view text, const OptionLabel& option) {
  if (text.empty() || text == "on" || text == "true") return true;
  if (text == "off" || text == "false") return false;
  refuse(option, text);
}

}  // namespace hearth::options
