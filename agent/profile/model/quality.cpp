#include "profile/model/quality.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/formatted.h"
#include "profile/codec/utf8.h"
#include "profile/formats/amount_text.h"
#include "profile/model/merged_profile.h"

namespace hearth::profile {
namespace {

constexpr std::string_view kPrefix = "hearth.";
constexpr std::string_view kNote = "hearth.note=";

struct Counter {
  std::string_view name;
  uint64_t Quality::*field;
};
constexpr Counter kCounters[] = {
    {"samples", &Quality::samples},
    {"lost", &Quality::lost},
    {"java_samples", &Quality::java_samples},
    {"whole", &Quality::whole},
    {"truncated", &Quality::truncated},
    {"recovered", &Quality::recovered},
    {"allocated_bytes", &Quality::allocated_bytes},
    {"sampled_bytes", &Quality::sampled_bytes},
    {"gc_pauses", &Quality::gc_pauses},
};

struct Amount {
  std::string_view name;
  int64_t Quality::*field;
  enum Of { kSum, kUsual, kSlow } of = kSum;  // total so far; typical time of a sample; time of slow samples
};
constexpr Amount kAmounts[] = {
    {"lost_weight", &Quality::lost_weight},
    {"walk_ns_mean", &Quality::walk_ns_mean, Amount::kUsual},
    {"walk_ns_p50", &Quality::walk_ns_p50, Amount::kUsual},
    {"walk_ns_p99", &Quality::walk_ns_p99, Amount::kSlow},
    {"handler_ns_mean", &Quality::handler_ns_mean, Amount::kUsual},
    {"handler_ns_p50", &Quality::handler_ns_p50, Amount::kUsual},
    {"handler_ns_p99", &Quality::handler_ns_p99, Amount::kSlow},
    {"own_cpu_ns", &Quality::own_cpu_ns},
    {"threads_cpu_ns", &Quality::threads_cpu_ns},
    {"gc_pause_ns", &Quality::gc_pause_ns},
    {"gc_cpu_ns", &Quality::gc_cpu_ns},
    {"process_cpu_ns", &Quality::process_cpu_ns},
};

// Counts by a word.
struct Breakdown {
  std::string_view name;    // in JSON
  std::string_view prefix;  // of a line's key, followed by the word
  std::map<std::string, uint64_t> Quality::*field;
};
constexpr Breakdown kBreakdowns[] = {
    {"failures", "failure.", &Quality::failures},
    {"without_symbols", "without_symbols.", &Quality::without_symbols},
    {"allocated_by_thread", "allocated_by_thread.", &Quality::allocated_by_thread},
};

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  Number read{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  number = read;
  return true;
}

nlohmann::json share_or_null(uint64_t part, uint64_t whole) {
  if (whole == 0) return nullptr;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Largest first; equal ones by word.
std::vector<std::pair<std::string, uint64_t>> by_count(const std::map<std::string, uint64_t>& counts) {
  std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
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
  for (const Breakdown& breakdown : kBreakdowns)
    for (const auto& [word, count] : quality.*breakdown.field)
      lines.push_back(formatted("{}{}{}={}", kPrefix, breakdown.prefix, word, count));
  if (!quality.engine.empty()) lines.push_back(formatted("{}engine={}", kPrefix, quality.engine));
  for (const std::string& note : quality.notes) lines.push_back(formatted("{}note={}", kPrefix, note));
  return lines;
}

bool is_note(std::string_view line) {
  return line.substr(0, kNote.size()) == kNote;
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
  for (const Breakdown& breakdown : kBreakdowns) {
    if (key.substr(0, breakdown.prefix.size()) != breakdown.prefix) continue;
    equals = line.rfind('=');  // a library's file name may have one, too
    uint64_t count = 0;
    if (!parse_number(line.substr(equals + 1), count)) return false;
    std::string_view word = line.substr(breakdown.prefix.size(), equals - breakdown.prefix.size());
    (quality.*breakdown.field)[std::string(word)] = count;
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
  for (const Breakdown& breakdown : kBreakdowns) object[std::string(breakdown.name)] = quality.*breakdown.field;
  object["whole_share"] = share_or_null(quality.whole, quality.java_samples);
  object["without_symbols_share"] = share_or_null(sum_of(quality.without_symbols), quality.samples);
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
    for (const Breakdown& breakdown : kBreakdowns) {
      if (key != breakdown.name || !value.is_object()) continue;
      for (const auto& [word, count] : value.items())
        if (count.is_number_unsigned()) (quality.*breakdown.field)[shown_text(word)] = count.get<uint64_t>();
    }
    if (key == "engine" && value.is_string()) quality.engine = shown_text(value.get<std::string>());
    if (key == "notes" && value.is_array()) {
      for (const auto& note : value)
        if (note.is_string()) quality.notes.push_back(shown_text(note.get<std::string>()));
    }
  }
  return quality;
}

std::string quality_text(const Quality& quality, int64_t duration_ns) {
  std::string text = grouped(quality.samples) + (quality.samples == 1 ? " sample" : " samples");
  if (quality.engine.empty() && quality.lost == 0) return text + ", losses unknown";
  text += formatted(", {} lost", grouped(quality.lost));
  if (quality.engine.empty()) return text;
  if (quality.java_samples > 0) {
    uint64_t tenths = quality.whole * 1000 / quality.java_samples;  // truncated, not rounded: 100 % means all
    text += formatted(", {}.{} % whole stacks", tenths / 10, tenths % 10);
  }
  text += formatted(", engine {}", quality.engine);
  if (duration_ns > 0 && quality.own_cpu_ns >= 0) {
    double overhead = static_cast<double>(quality.own_cpu_ns) / static_cast<double>(duration_ns);
    text += formatted(", overhead {:.1f} % CPU", 100 * overhead);
  }
  return text;
}

namespace {

void add_allocated_row(const Quality& quality, int64_t duration_ns, std::vector<QualityRow>* rows) {
  if (quality.allocated_bytes == 0) return;
  auto bytes = static_cast<int64_t>(quality.allocated_bytes);
  std::string rate;
  if (duration_ns > 0) {
    double per_second = static_cast<double>(bytes) * 1e9 / static_cast<double>(duration_ns);
    rate = formatted(", {}/s", amount_text(static_cast<int64_t>(per_second), "bytes"));
  }
  rows->push_back({"Allocated", formatted("{}{} by the JVM's own count; the samples account for {:.1f} %",
                                          amount_text(bytes, "bytes"), rate,
                                          percent_of(static_cast<int64_t>(quality.sampled_bytes), bytes))});
}

void add_collection_row(const Quality& quality, int64_t duration_ns, std::vector<QualityRow>* rows) {
  bool has_none = quality.allocated_bytes == 0 && quality.sampled_bytes == 0 && quality.gc_pauses == 0;
  if (has_none) return;
  std::string text = formatted("{} {}, {} ({:.2f} % of the time)", grouped(quality.gc_pauses),
                               quality.gc_pauses == 1 ? "pause" : "pauses", duration_text(quality.gc_pause_ns),
                               percent_of(quality.gc_pause_ns, duration_ns));
  // Recordings of others have no CPU time of the collector.
  if (quality.process_cpu_ns > 0)
    text += formatted("; {} of CPU ({:.2f} % of the process's)", duration_text(quality.gc_cpu_ns),
                      percent_of(quality.gc_cpu_ns, quality.process_cpu_ns));
  rows->push_back({"Garbage collection", std::move(text)});
}

}  // namespace

std::vector<QualityRow> quality_rows(const Quality& quality, int64_t duration_ns) {
  std::vector<QualityRow> rows;
  auto counted = [&](uint64_t count) {
    return formatted("{} ({:.2f}%)", count,
                     percent_of(static_cast<int64_t>(count), static_cast<int64_t>(quality.samples)));
  };
  add_allocated_row(quality, duration_ns, &rows);
  add_collection_row(quality, duration_ns, &rows);
  for (const auto& [word, count] : by_count(quality.failures)) rows.push_back({word, counted(count)});
  if (quality.truncated > 0) rows.push_back({"truncated", counted(quality.truncated)});
  if (!quality.without_symbols.empty()) {
    std::string libraries;
    for (const auto& [library, count] : by_count(quality.without_symbols))
      libraries += formatted("{}{} {}", libraries.empty() ? "" : ", ", library, count);
    rows.push_back({"Without symbols", formatted("{}: {}", counted(sum_of(quality.without_symbols)), libraries)});
  }
  if (quality.handler_ns_p50 > 0) {
    auto times = [](int64_t p50, int64_t p99) {
      return formatted("median {}, p99 {}", duration_text(p50), duration_text(p99));
    };
    std::string text = times(quality.handler_ns_p50, quality.handler_ns_p99);
    // Measured on other samples than the whole, so neither is a part of the other.
    if (quality.walk_ns_p50 > 0) text += "; the walk alone: " + times(quality.walk_ns_p50, quality.walk_ns_p99);
    rows.push_back({"Time of a sample", text});
  }
  if (quality.own_cpu_ns > 0) {
    std::string beside =
        quality.threads_cpu_ns > 0 ? formatted(", program CPU time {}", duration_text(quality.threads_cpu_ns)) : "";
    rows.push_back({"Own CPU time", duration_text(quality.own_cpu_ns) + beside});
  }
  for (const std::string& note : quality.notes) rows.push_back({"Note", note});
  return rows;
}

uint64_t sum_of(const std::map<std::string, uint64_t>& counts) {
  uint64_t sum = 0;
  for (const auto& [word, count] : counts) sum += count;
  return sum;
}

void forget_allocations(Quality* quality) {
  quality->allocated_bytes = quality->sampled_bytes = quality->gc_pauses = 0;
  quality->gc_pause_ns = quality->gc_cpu_ns = quality->process_cpu_ns = 0;
  quality->allocated_by_thread.clear();
}

Quality quality_since(const Quality& before, Quality now) {
  for (const Counter& counter : kCounters) {
    uint64_t was = before.*counter.field;
    now.*counter.field -= std::min(now.*counter.field, was);
  }
  for (const Amount& amount : kAmounts) {
    if (amount.of == Amount::kSum) now.*amount.field -= before.*amount.field;
  }
  for (const Breakdown& breakdown : kBreakdowns) {
    auto& counts = now.*breakdown.field;
    for (const auto& [word, was] : before.*breakdown.field) {
      auto found = counts.find(word);
      if (found == counts.end()) continue;
      found->second -= std::min(found->second, was);
      if (found->second == 0) counts.erase(found);
    }
  }
  return now;
}

namespace {

uint64_t saturating_count(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

// Notes that differ only in a number are equal; the last one is kept.
void add_note(const std::string& note, std::vector<std::string>* notes) {
  constexpr size_t kMostNotes = 50;
  auto is_number = [](char letter) { return (letter >= '0' && letter <= '9') || letter == ',' || letter == '.'; };
  auto words_of = [&](std::string text) {
    text.erase(std::remove_if(text.begin(), text.end(), is_number), text.end());
    return text;
  };
  auto known = std::find_if(notes->begin(), notes->end(),
                            [&, words = words_of(note)](const std::string& other) { return words_of(other) == words; });
  if (known != notes->end())
    *known = note;
  else if (notes->size() < kMostNotes)
    notes->push_back(note);
}

int64_t weighted(int64_t one, uint64_t weight, int64_t other, uint64_t other_weight) {
  if (one == 0 || other == 0) return std::max(one, other);  // one is unknown
  double all = static_cast<double>(weight) + static_cast<double>(other_weight);
  if (all == 0) return one;
  return static_cast<int64_t>((static_cast<double>(one) * static_cast<double>(weight) +
                               static_cast<double>(other) * static_cast<double>(other_weight)) /
                              all);
}

}  // namespace

void add_quality(const Quality& part, Quality* sum) {
  for (const Amount& amount : kAmounts) {
    int64_t &all = sum->*amount.field, one = part.*amount.field;
    if (amount.of == Amount::kSum) all = saturating_sum(all, one);
    if (amount.of == Amount::kUsual) all = weighted(all, sum->samples, one, part.samples);
    if (amount.of == Amount::kSlow) all = std::max(all, one);
  }
  for (const Counter& counter : kCounters)
    sum->*counter.field = saturating_count(sum->*counter.field, part.*counter.field);
  for (const Breakdown& breakdown : kBreakdowns)
    for (const auto& [word, count] : part.*breakdown.field) {
      uint64_t& all = (sum->*breakdown.field)[word];
      all = saturating_count(all, count);
    }
  add_words(part.engine, " and ", &sum->engine);
  for (const std::string& note : part.notes) add_note(note, &sum->notes);
}

}  // namespace hearth::profile
