#include "options/events/counter_names.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace hearth::options {
namespace {

constexpr std::string_view kProbes[] = {"kprobe:", "kretprobe:", "uprobe:", "uretprobe:", "mem:"};
constexpr std::string_view kOfWaits[] = {"sched:", "kprobe:", "kretprobe:"};
constexpr std::string_view kOfCalls[] = {"syscalls:", "raw_syscalls:"};
constexpr int64_t kUsualOfHardware = 1'000;

bool is_raw(std::string_view name) {
  constexpr size_t kMostDigits = 16;
  return name.size() > 1 && name.size() <= 1 + kMostDigits && name[0] == 'r' &&
         name.substr(1).find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

bool is_of_unit(std::string_view name) {
  size_t slash = name.find('/');
  return slash != std::string_view::npos && slash > 0 && name.back() == '/' && name.size() > slash + 2;
}

// Only the characters that names of tracepoints have; "A::b" is a function.
bool is_tracepoint(std::string_view name) {
  size_t colon = name.find(':');
  constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return colon != std::string_view::npos && colon > 0 && colon + 1 < name.size() &&
         name.substr(0, colon).find_first_not_of(kOfNames) == std::string_view::npos &&
         name.substr(colon + 1).find_first_not_of(kOfNames) == std::string_view::npos;
}

template <size_t kCount>
bool begins_with_any(std::string_view name, const std::string_view (&prefixes)[kCount]) {
  return std::any_of(std::begin(prefixes), std::end(prefixes), [name](std::string_view prefix) {
    return name.size() > prefix.size() && name.substr(0, prefix.size()) == prefix;
  });
}

bool is_probe(std::string_view name) {
  return begins_with_any(name, kProbes);
}

}  // namespace

const CounterRow* counter_row(std::string_view name) {
  const auto* row = std::find_if(kCounterRows.begin(), kCounterRows.end(),
                                 [name](const CounterRow& one) { return one.name == name; });
  return row == kCounterRows.end() ? nullptr : row;
}

bool is_counter_name(std::string_view name) {
  return counter_row(name) != nullptr || is_raw(name) || is_probe(name) || is_of_unit(name) || is_tracepoint(name);
}

bool is_function_name(std::string_view name) {
  constexpr std::string_view kSeparators = "=,/@ .*";
  constexpr std::string_view kDigits = "0123456789";
  return !name.empty() && kDigits.find(name[0]) == std::string_view::npos &&
         name.find_first_of(kSeparators) == std::string_view::npos;
}

int64_t least_interval(std::string_view counter) {
  constexpr int64_t kLeastOfCalls = 100, kLeastOfWaits = 10;
  if (begins_with_any(counter, kOfCalls)) return kLeastOfCalls;
  return begins_with_any(counter, kOfWaits) ? kLeastOfWaits : 1;
}

int64_t usual_interval(std::string_view counter) {
  if (const CounterRow* row = counter_row(counter)) return row->usual;
  bool is_of_hardware = is_raw(counter) || (is_of_unit(counter) && !is_probe(counter));
  return is_of_hardware ? kUsualOfHardware : least_interval(counter);
}

std::optional<int64_t> counter_interval(std::string_view text) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  int64_t times = unit == "k" ? 1'000 : unit == "m" ? 1'000'000 : unit == "g" ? 1'000'000'000 : unit.empty() ? 1 : 0;
  bool is_wrong = error != std::errc() || times == 0 || number < 1 || number > kLongestCounterInterval / times;
  if (is_wrong) return std::nullopt;
  return number * times;
}

}  // namespace hearth::options
