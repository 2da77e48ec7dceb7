#include "profile/formats/amount_text.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include "base/formatted.h"

namespace hearth::profile {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// `value` with three digits in the largest of `units` (each 1000 of the one before) with a digit before the decimal
// point; a value that would round to 1000 moves to the next unit.
template <size_t N>
std::string scaled(double value, const std::array<const char*, N>& units) {
  constexpr double kRoundsToThousand = 999.5;
  size_t unit = 0;
  while (unit + 1 < N && std::abs(value) >= kRoundsToThousand) {
    value /= 1000;
    ++unit;
  }
  int digits = std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
  return formatted("{:.{}f} {}", value, unit == 0 ? 0 : digits, units[unit]);
}

}  // namespace

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string duration_text(int64_t ns) {
  if (ns < 120 * kSecond) return scaled(static_cast<double>(ns), std::array{"ns", "us", "ms", "s"});
  int64_t seconds = ns / kSecond;
  if (seconds < 3600) return formatted("{} min {:02} s", seconds / 60, seconds % 60);
  return formatted("{} h {:02} min", grouped(static_cast<uint64_t>(seconds / 3600)), seconds / 60 % 60);
}

std::string amount_text(int64_t value, std::string_view unit) {
  if (unit == "nanoseconds") return duration_text(value);
  if (unit == "bytes") return scaled(static_cast<double>(value), std::array{"B", "kB", "MB", "GB", "TB"});
  std::string number =
      (value < 0 ? "-" : "") + grouped(value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
  return unit.empty() || unit == "count" ? number : formatted("{} {}", number, unit);
}

std::string interval_text(int64_t value, std::string_view unit) {
  constexpr int64_t kKib = 1 << 10;
  constexpr int64_t kMib = 1 << 20;
  if (unit == "bytes" && value > 0 && value % kMib == 0) return formatted("{} MiB", value / kMib);
  if (unit == "bytes" && value > 0 && value % kKib == 0) return formatted("{} KiB", value / kKib);
  return amount_text(value, unit);
}

double percent_of(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace hearth::profile
