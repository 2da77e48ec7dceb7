#include "profile/quality.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/formatted.h"

namespace hearth::profile {
namespace {

constexpr std::string_view kPrefix = "hearth.";
constexpr std::string_view kFailure = "failure.";

struct Counter {
  std::string_view name;
  uint64_t Quality::*field;
};
constexpr Counter kCounters[] = {
    {"samples", &Quality::samples}, {"lost", &Quality::lost},           {"java_samples", &Quality::java_samples},
    {"whole", &Quality::whole},     {"truncated", &Quality::truncated}, {"recovered", &Quality::recovered},
};

struct Amount {
  std::string_view name;
  int64_t Quality::*field;
};
constexpr Amount kAmounts[] = {
    {"lost_weight", &Quality::lost_weight},         {"walk_ns_mean", &Quality::walk_ns_mean},
    {"handler_ns_mean", &Quality::handler_ns_mean}, {"own_cpu_ns", &Quality::own_cpu_ns},
    {"threads_cpu_ns", &Quality::threads_cpu_ns},
};

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  Number read{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  number = read;
  return true;
}

}  // namespace

std::vector<std::string> quality_lines(const Quality& quality) {
  std::vector<std::string> lines;
  for (const Counter& counter : kCounters) {
    bool says_something = quality.*counter.field != 0 || (counter.field == &Quality::lost && !quality.engine.empty());
    if (says_something) lines.push_back(formatted("{}{}={}", kPrefix, counter.name, quality.*counter.field));
  }
  for (const Amount& amount : kAmounts)
    if (quality.*amount.field != 0) lines.push_back(formatted("{}{}={}", kPrefix, amount.name, quality.*amount.field));
  for (const auto& [word, count] : quality.failures)
    lines.push_back(formatted("{}{}{}={}", kPrefix, kFailure, word, count));
  if (!quality.engine.empty()) lines.push_back(formatted("{}engine={}", kPrefix, quality.engine));
  for (const std::string& note : quality.notes) lines.push_back(formatted("{}note={}", kPrefix, note));
  return lines;
}

bool read_quality_line(std::string_view line, Quality& quality) {
  if (line.substr(0, kPrefix.size()) != kPrefix) return false;
  line.remove_prefix(kPrefix.size());
  size_t equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  std::string_view key = line.substr(0, equals);
  std::string_view value = line.substr(equals + 1);
  for (const Counter& counter : kCounters)
    if (key == counter.name) return parse_number(value, quality.*counter.field);
  for (const Amount& amount : kAmounts)
    if (key == amount.name) return parse_number(value, quality.*amount.field);
  if (key.substr(0, kFailure.size()) == kFailure) {
    uint64_t count = 0;
    if (!parse_number(value, count)) return false;
    quality.failures[std::string(key.substr(kFailure.size()))] = count;
    return true;
  }
  if (key == "engine") {
    quality.engine = value;
    return true;
  }
  if (key == "note") {
    quality.notes.emplace_back(value);
    return true;
  }
  return false;
}

nlohmann::json quality_json(const Quality& quality) {
  nlohmann::json object;
  for (const Counter& counter : kCounters) object[std::string(counter.name)] = quality.*counter.field;
  for (const Amount& amount : kAmounts) object[std::string(amount.name)] = quality.*amount.field;
  object["whole_share"] = nullptr;
  if (quality.java_samples > 0)
    object["whole_share"] = static_cast<double>(quality.whole) / static_cast<double>(quality.java_samples);
  object["failures"] = quality.failures;
  object["engine"] = quality.engine;
  object["notes"] = quality.notes;
  return object;
}

Quality quality_of_json(const nlohmann::json& object) {
  Quality quality;
  if (!object.is_object()) return quality;
  for (const auto& [key, value] : object.items()) {
    for (const Counter& counter : kCounters)
      if (key == counter.name && value.is_number_unsigned()) quality.*counter.field = value.get<uint64_t>();
    for (const Amount& amount : kAmounts)
      if (key == amount.name && value.is_number_integer()) quality.*amount.field = value.get<int64_t>();
    if (key == "failures" && value.is_object()) {
      for (const auto& [word, count] : value.items())
        if (count.is_number_unsigned()) quality.failures[word] = count.get<uint64_t>();
    }
    if (key == "engine" && value.is_string()) quality.engine = value.get<std::string>();
    if (key == "notes" && value.is_array()) {
      for (const auto& note : value)
        if (note.is_string()) quality.notes.push_back(note.get<std::string>());
    }
  }
  return quality;
}

std::string quality_text(const Quality& quality, int64_t duration_ns) {
  std::string text = grouped(quality.samples) + (quality.samples == 1 ? " sample" : " samples");
  if (quality.engine.empty()) return text + ", made elsewhere: what was lost is not known";
  text += formatted(", {} lost", grouped(quality.lost));
  if (quality.java_samples > 0) {
    uint64_t tenths = quality.whole * 1000 / quality.java_samples;  // cut, not rounded: 100 % means all
    text += formatted(", {}.{} % whole stacks", tenths / 10, tenths % 10);
  }
  text += formatted(", engine {}", quality.engine);
  if (duration_ns > 0) {
    double overhead = static_cast<double>(quality.own_cpu_ns) / static_cast<double>(duration_ns);
    text += formatted(", overhead {:.1f} % CPU", 100 * overhead);
  }
  return text;
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

}  // namespace hearth::profile
