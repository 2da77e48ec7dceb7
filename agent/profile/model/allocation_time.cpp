#include "profile/model/allocation_time.h"

#include <ctime>

namespace hearth::profile {
namespace {

constexpr const char* kForm = "%Y-%m-%dT%H:%M:%SZ";

}  // namespace

int64_t allocation_step(int64_t age) {
  constexpr int64_t kPart = 16;
  int64_t step = 1;
  while (step * 2 * kPart <= age) step *= 2;
  return step;
}

int64_t coarse_allocation(int64_t allocated, int64_t now) {
  return allocated - allocated % allocation_step(now - allocated);
}

std::string allocation_text(int64_t unix_seconds) {
  time_t seconds = unix_seconds;
  tm utc{};
  gmtime_r(&seconds, &utc);
  char text[sizeof "2026-11-23T10:02:00Z"] = {};
  return strftime(text, sizeof text, kForm, &utc) == 0 ? "" : text;
}

std::optional<int64_t> allocation_of_text(std::string_view text) {
  std::string copy(text);
  tm utc{};
  const char* end = strptime(copy.c_str(), kForm, &utc);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return timegm(&utc);
}

}  // namespace hearth::profile
