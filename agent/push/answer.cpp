#include "push/answer.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <iterator>
#include <optional>
#include <system_error>

#include "base/formatted.h"

namespace hearth::push {
namespace {

enum : int { kUnauthorized = 401, kForbidden = 403, kNotFound = 404, kTimeout = 408, kTooMany = 429 };
enum : int { kServerError = 500, kBadGateway = 502, kUnavailable = 503, kGatewayTimeout = 504 };

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMostSeconds = 3600;

std::optional<int> month_of(std::string_view name) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  size_t at = kMonths.find(name);
  if (name.size() != 3 || at == std::string_view::npos || at % 3 != 0) return std::nullopt;
  return static_cast<int>(at / 3);
}

// "Sun, 06 Nov 1994 08:49:37 GMT", the only form of dates that HTTP servers may write; independent of the locale.
std::optional<std::time_t> time_of_date(std::string_view text) {
  constexpr std::string_view kExample = "Sun, 06 Nov 1994 08:49:37 GMT";
  if (text.size() != kExample.size() || text.substr(25) != kExample.substr(25)) return std::nullopt;
  auto number = [text](size_t at, size_t length) {
    int value = -1;
    const char* end = text.data() + at + length;
    auto [stopped, error] = std::from_chars(text.data() + at, end, value);
    return error == std::errc() && stopped == end ? value : -1;
  };
  std::optional<int> month = month_of(text.substr(8, 3));
  int day = number(5, 2), year = number(12, 4), hour = number(17, 2), minute = number(20, 2), second = number(23, 2);
  if (!month || day < 0 || year < 0 || hour < 0 || minute < 0 || second < 0) return std::nullopt;
  std::tm date{};
  date.tm_mday = day;
  date.tm_mon = *month;
  date.tm_year = year - 1900;
  date.tm_hour = hour;
  date.tm_min = minute;
  date.tm_sec = second;
  return ::timegm(&date);
}

}  // namespace

Answer answer_of(options::Protocol protocol, int status) {
  if (status >= 200 && status < 300) return Answer::kTaken;
  constexpr int kLaters[] = {0, kTooMany, kBadGateway, kUnavailable, kGatewayTimeout};
  if (std::find(std::begin(kLaters), std::end(kLaters), status) != std::end(kLaters)) return Answer::kLater;
  if (protocol == options::Protocol::kOtlp) return Answer::kRefused;
  if (status == kTimeout) return Answer::kLater;
  return status >= kServerError ? Answer::kFailed : Answer::kRefused;
}

std::string hint_for(const options::PushTarget& target, int status) {
  if (status == kUnauthorized || status == kForbidden) {
    if (!target.token_file.empty()) return formatted("; write its token to {}", target.token_file);
    if (!target.credentials_file.empty())
      return formatted("; write its user and password to {}", target.credentials_file);
    if (!target.user.empty()) return "; give push its user and password";
    return formatted("; give push-token=FILE with its token{}",
                     target.tenant.empty() ? ", or push-tenant if it has tenants" : "");
  }
  if (status != kNotFound) return "";
  if (target.protocol == options::Protocol::kOtlp)
    return "; a collector accepts profiles with --feature-gates=service.profilesSupport and a pipeline for profiles";
  return formatted(
      "; Pyroscope accepts them at {}/ingest, an OpenTelemetry collector if push ends with "
      "/v1development/profiles",
      target.url());
}

int64_t retry_after_ns(std::string_view header, std::time_t now) {
  int64_t seconds = 0;
  auto [end, error] = std::from_chars(header.data(), header.data() + header.size(), seconds);
  if (error != std::errc() || end != header.data() + header.size()) {
    std::optional<std::time_t> time = time_of_date(header);
    seconds = time ? *time - now : 0;
  }
  return std::clamp<int64_t>(seconds, 0, kMostSeconds) * kSecond;
}

}  // namespace hearth::push
