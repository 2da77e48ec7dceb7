#include "options/asprof/asprof_values.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <string>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::options {
namespace {

struct Unit {
  char letter;
  int64_t factor;
};

constexpr int64_t kThousand = 1000, kMinute = 60, kHour = 3600, kDay = 86400;
constexpr Unit kTime[] = {
    {'n', 1}, {'u', kThousand}, {'m', kThousand* kThousand}, {'s', kThousand* kThousand* kThousand}};
constexpr Unit kLong[] = {{'s', 1}, {'m', kMinute}, {'h', kHour}, {'d', kDay}};
constexpr Unit kMemory[] = {{'b', 1}, {'k', 1 << 10}, {'m', 1 << 20}, {'g', 1 << 30}};

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view accepted) {
  throw Error(formatted("option {}: cannot use \"{}\"", option, text), formatted("accepted: {}", accepted));
}

template <size_t N>
int64_t factor_in(const Unit (&units)[N], char letter) {
  for (const Unit& unit : units)
    if (unit.letter == letter) return unit.factor;
  return 0;
}

int64_t factor_of(AsprofUnits units, char letter) {
  switch (units) {
    case AsprofUnits::kNanoseconds:
      return factor_in(kTime, letter);
    case AsprofUnits::kSeconds:
      return factor_in(kLong, letter);
    case AsprofUnits::kBytes:
      return factor_in(kMemory, letter);
    case AsprofUnits::kCount:
      return 0;
    case AsprofUnits::kAny:
      break;
  }
  int64_t of_time = factor_in(kTime, letter);
  return of_time != 0 ? of_time : factor_in(kMemory, letter);
}

std::string_view accepted_by(AsprofUnits units) {
  switch (units) {
    case AsprofUnits::kNanoseconds:
      return "nanoseconds, or a number with us, ms or s";
    case AsprofUnits::kSeconds:
      return "seconds, or a number with m, h or d";
    case AsprofUnits::kBytes:
      return "bytes, or a number with k, m or g";
    case AsprofUnits::kCount:
      return "a whole number of events a second";
    case AsprofUnits::kAny:
      break;
  }
  return "nanoseconds or bytes, or a number with us, ms, s, k or g";
}

// One part of hh:mm:ss.
int part_of_time(std::string_view option, std::string_view text, std::string_view part, int most) {
  int number = -1;
  auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error != std::errc() || end != part.data() + part.size() || number < 0 || number > most)
    refuse(option, text, "seconds, a number with m, h or d, or a time of day as 17:30:00");
  return number;
}

}  // namespace

int64_t asprof_number(std::string_view option, std::string_view text, AsprofUnits units) {
  bool is_hexadecimal = text.substr(0, 2) == "0x";
  const char* begin = text.data() + (is_hexadecimal ? 2 : 0);
  const char* last = text.data() + text.size();
  constexpr int kHexadecimal = 16, kDecimal = 10;
  int64_t number = 0;
  auto [end, error] = std::from_chars(begin, last, number, is_hexadecimal ? kHexadecimal : kDecimal);
  if (error != std::errc() || number < 0) refuse(option, text, accepted_by(units));
  if (end == last) return number;
  int64_t factor = factor_of(units, static_cast<char>(*end | 0x20));  // in lower case
  if (factor == 0 || number > std::numeric_limits<int64_t>::max() / factor) refuse(option, text, accepted_by(units));
  return number * factor;
}

std::map<std::string, int64_t> asprof_limits(std::string_view text) {
  constexpr std::string_view kCategories[] = {"cpu",  "wall",       "alloc", "nativemem",
                                              "lock", "nativelock", "trace", "span"};
  std::map<std::string, int64_t> limits;
  for (size_t end = 0; end != std::string_view::npos; text.remove_prefix(std::min(text.size(), end + 1))) {
    end = text.find(';');
    std::string_view pair = text.substr(0, end);
    size_t colon = std::min(pair.find(':'), pair.size());
    std::string_view category = pair.substr(0, colon);
    bool is_known = std::find(std::begin(kCategories), std::end(kCategories), category) != std::end(kCategories);
    int64_t limit =
        is_known ? asprof_number("ratelimit", pair.substr(std::min(colon + 1, pair.size())), AsprofUnits::kCount) : 0;
    if (limit == 0)
      refuse("ratelimit", pair, "CATEGORY:NUMBER with cpu, wall, alloc, nativemem, lock, nativelock, trace, span");
    limits[std::string(category)] = limit;
  }
  return limits;
}

int64_t asprof_seconds(std::string_view option, std::string_view text, std::time_t now) {
  size_t minutes = text.find(':');
  if (minutes == std::string_view::npos) {
    int64_t seconds = asprof_number(option, text, AsprofUnits::kSeconds);
    if (seconds == 0) refuse(option, text, "1 second or more");
    return seconds;
  }
  constexpr int kLastHour = 23, kLast = 59;
  std::string_view rest = text.substr(minutes + 1);
  size_t seconds = rest.find(':');
  std::tm then{};
  localtime_r(&now, &then);
  then.tm_hour = part_of_time(option, text, text.substr(0, minutes), kLastHour);
  then.tm_min = part_of_time(option, text, rest.substr(0, seconds), kLast);
  then.tm_sec = seconds == std::string_view::npos ? 0 : part_of_time(option, text, rest.substr(seconds + 1), kLast);
  int64_t left = static_cast<int64_t>(std::mktime(&then)) - now;
  return left > 0 ? left : left + kDay;
}

}  // namespace hearth::options
