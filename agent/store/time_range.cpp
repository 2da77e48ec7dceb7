#include "store/time_range.h"

#include <charconv>
#include <ctime>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::store {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

[[noreturn]] void refuse(std::string_view text) {
  throw Error(formatted("\"{}\" is not a time", text), formatted("write {}", kTimeForms));
}

tm local_of(int64_t unix_ns) {
  time_t seconds = unix_ns / kSecond;
  tm local{};
  localtime_r(&seconds, &local);
  return local;
}

// Reads all of `text` in this form.
bool reads(const std::string& text, const char* form, tm* time) {
  tm read = *time;
  const char* end = strptime(text.c_str(), form, &read);
  if (end == nullptr || *end != '\0') return false;
  *time = read;
  return true;
}

std::optional<int64_t> since_1970(const std::string& text) {
  constexpr size_t kShortest = 9;       // 1973: no clock time has so many digits
  constexpr size_t kMilliseconds = 12;  // 1973 as well: no number of seconds has so many digits until 5138
  constexpr size_t kLongest = 13;
  if (text.size() < kShortest || text.size() > kLongest) return std::nullopt;
  if (text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  constexpr int64_t kLatest = 9'000'000'000;  // 2255, the last year that nanoseconds in 64 bits can represent
  int64_t number = std::stoll(text);
  bool is_seconds = text.size() < kMilliseconds;
  if (number > (is_seconds ? kLatest : kLatest * 1000)) return std::nullopt;
  return number * (is_seconds ? kSecond : kSecond / 1000);
}

// A date, with or without a time of day, with or without seconds.
std::optional<int64_t> of_a_date(std::string text) {
  bool is_utc = !text.empty() && text.back() == 'Z';
  if (is_utc) text.pop_back();
  for (const char* form : {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d"}) {
    tm time{};
    time.tm_isdst = -1;
    constexpr int kFirstYear = 1970 - 1900, kLastYear = 2200 - 1900;
    if (!reads(text, form, &time) || time.tm_year < kFirstYear || time.tm_year > kLastYear) continue;
    return (is_utc ? timegm(&time) : mktime(&time)) * kSecond;
  }
  return std::nullopt;
}

std::optional<int64_t> of_the_last_day(const std::string& text, int64_t now_ns) {
  for (const char* form : {"%H:%M:%S", "%H:%M"}) {
    tm time = local_of(now_ns);
    time.tm_sec = 0;
    time.tm_isdst = -1;
    if (!reads(text, form, &time)) continue;
    tm yesterday = time;
    yesterday.tm_mday--;
    int64_t at = mktime(&time) * kSecond;
    return at <= now_ns ? at : mktime(&yesterday) * kSecond;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> duration_ns(std::string_view text) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
  constexpr double kMost = 36500 * 86400e9;  // a century: no time that it leads to overflows
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number >= 0)) return std::nullopt;
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  for (auto [name, ns] : kUnits)
    if (unit == name && number * ns <= kMost) return static_cast<int64_t>(number * ns);
  return std::nullopt;
}

int64_t parse_time(std::string_view text, int64_t now_ns) {
  std::string copy(text);
  if (text == "now") return now_ns;
  if (text.substr(0, 1) == "-")
    if (std::optional<int64_t> distance = duration_ns(text.substr(1))) return now_ns - *distance;
  if (std::optional<int64_t> time = since_1970(copy)) return *time;
  if (std::optional<int64_t> time = of_the_last_day(copy, now_ns)) return *time;
  if (std::optional<int64_t> time = of_a_date(copy)) return *time;
  refuse(text);
}

TimeRange parse_range(std::string_view from, std::string_view to, int64_t now_ns) {
  TimeRange range;
  if (!from.empty()) range.from_ns = parse_time(from, now_ns);
  if (!to.empty()) range.to_ns = parse_time(to, now_ns);
  // "23:50..00:10", asked in the evening: both mean their last occurrence.
  auto is_clock_time = [](std::string_view text) {
    return text.size() <= 8 && text.find(':') != std::string_view::npos;
  };
  bool is_past_midnight = range.to_ns <= range.from_ns && is_clock_time(from) && is_clock_time(to);
  if (is_past_midnight) range.from_ns = parse_time(from, range.to_ns);
  if (range.to_ns <= range.from_ns)
    throw Error(formatted("the range {}..{} ends before it begins", from, to), "give its earlier end first");
  return range;
}

TimeRange parse_range(std::string_view text, int64_t now_ns) {
  size_t dots = text.find("..");
  if (dots == std::string_view::npos) return parse_range(text, "", now_ns);
  return parse_range(text.substr(0, dots), text.substr(dots + 2), now_ns);
}

std::string time_text(int64_t unix_ns) {
  tm local = local_of(unix_ns);
  return formatted("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday,
                   local.tm_hour, local.tm_min, local.tm_sec);
}

std::string range_text(int64_t from_ns, int64_t to_ns) {
  std::string from = time_text(from_ns), to = time_text(to_ns);
  constexpr size_t kDate = std::string_view("2026-11-23 ").size();
  bool is_one_day = from.compare(0, kDate, to, 0, kDate) == 0;
  return from + " to " + (is_one_day ? to.substr(kDate) : to);
}

}  // namespace hearth::store
