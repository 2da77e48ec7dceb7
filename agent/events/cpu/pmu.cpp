#include "events/cpu/pmu.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/text_parts.h"

namespace hearth::events {
namespace {

std::string line_of(const std::string& path) {
  std::string text = read_if_readable(path);
  return text.substr(0, text.find('\n'));
}

uint64_t* field_of(std::string_view name, PmuConfig* config) {
  if (name == "config") return &config->config;
  if (name == "config1") return &config->config1;
  return name == "config2" ? &config->config2 : nullptr;
}

}  // namespace

std::optional<uint64_t> number_of(std::string_view text, int base) {
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t> prefixed_number(std::string_view text) {
  constexpr int kDecimal = 10, kHexadecimal = 16;
  if (text.substr(0, 2) == "0x") return number_of(text.substr(2), kHexadecimal);
  return number_of(text, kDecimal);
}

bool put_bits(std::string_view format, uint64_t value, PmuConfig* config) {
  constexpr uint64_t kMostBits = 64;
  size_t colon = format.find(':');
  uint64_t* field = field_of(format.substr(0, colon), config);
  if (field == nullptr || colon == std::string_view::npos) return false;
  for (std::string_view range : parts_of(format.substr(colon + 1), ',')) {
    size_t dash = range.find('-');
    std::optional<uint64_t> first = prefixed_number(range.substr(0, dash));
    std::optional<uint64_t> last = dash == std::string_view::npos ? first : prefixed_number(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= kMostBits) return false;
    uint64_t bits = *last - *first + 1;
    uint64_t mask = bits == kMostBits ? UINT64_MAX : (uint64_t{1} << bits) - 1;
    *field = (*field & ~(mask << *first)) | (value & mask) << *first;
    value = bits == kMostBits ? 0 : value >> bits;
  }
  return value == 0;
}

Pmu::Pmu(const std::string& name, const std::string& devices) {
  bool is_name = !name.empty() && name.find('/') == std::string::npos && name[0] != '.';
  if (is_name) folder_ = devices + "/" + name;
}

std::optional<uint32_t> Pmu::type() const {
  if (folder_.empty()) return std::nullopt;
  std::optional<uint64_t> number = prefixed_number(line_of(folder_ + "/type"));
  return number ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

void Pmu::set_term(std::string_view term, PmuConfig* config) const {
  size_t equals = term.find('=');
  std::string name(term.substr(0, equals));
  std::optional<uint64_t> value = equals == std::string_view::npos ? 1 : prefixed_number(term.substr(equals + 1));
  bool is_path = name.find('/') != std::string::npos || name.empty() || name[0] == '.';
  if (!value || is_path) throw Error(formatted("\"{}\" is no term of an event", term), "write NAME=NUMBER");
  if (uint64_t* field = field_of(name, config)) {
    *field = *value;
    return;
  }
  if (!put_bits(line_of(folder_ + "/format/" + name), *value, config))
    throw Error(formatted("{} has no term {} that can be {}", folder_, name, *value));
}

PmuConfig Pmu::config_of(std::string_view terms) const {
  PmuConfig config;
  bool is_name = terms.find_first_of("=,/") == std::string_view::npos && terms.substr(0, 1) != ".";
  std::string event = is_name ? line_of(folder_ + "/events/" + std::string(terms)) : "";
  if (is_name && event.empty() && line_of(folder_ + "/format/" + std::string(terms)).empty()) {
    std::vector<std::string> all = events();
    throw Error(formatted("{} has no event {}", folder_, terms),
                all.empty() ? "" : formatted("it has {}", joined(all, ", ")));
  }
  std::string_view chosen = event.empty() ? terms : std::string_view(event);
  for (std::string_view term : parts_of(chosen, ',')) set_term(term, &config);
  return config;
}

std::vector<std::string> Pmu::events() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& one : std::filesystem::directory_iterator(folder_ + "/events", error)) {
    std::string name = one.path().filename().string();
    bool is_event = name.find('.') == std::string::npos;  // others are units and scales
    if (is_event) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace hearth::events
