#include "http/routes/store_json.h"

namespace hearth::http {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

const char* word_of(store::Level level) {
  switch (level) {
    case store::Level::kHour:
      return "hour";
    case store::Level::kDay:
      return "day";
    default:
      return "window";
  }
}

}  // namespace

nlohmann::json store_json(const always_on::AlwaysOnFigures& figures) {
  nlohmann::json json = {{"directory", figures.directory}, {"events", figures.events},
                         {"window_ns", figures.window_ns}, {"keep_bytes", figures.keep_bytes},
                         {"bytes", figures.bytes},         {"windows_written", figures.written},
                         {"windows_lost", figures.lost},   {"budget", figures.budget},
                         {"cost", figures.cost},           {"slowdown", figures.slowdown}};
  if (!figures.unsampled.empty()) json["problem"] = figures.unsampled;
  return json;
}

nlohmann::json timeline_json(const std::vector<store::TimelinePoint>& points) {
  nlohmann::json all = nlohmann::json::array();
  for (const store::TimelinePoint& point : points)
    all.push_back({{"begin_ms", point.window.begin_ns / kMillisecond},
                   {"duration_ms", point.window.duration_ns / kMillisecond},
                   {"level", word_of(point.window.level)},
                   {"windows", point.window.windows},
                   {"sampled_ns", point.figures.sampled_ns},
                   {"samples", point.figures.samples},
                   {"cpu_ns", point.figures.cpu_ns},
                   {"allocated_bytes", point.figures.allocated_bytes},
                   {"gc_pause_ns", point.figures.gc_pause_ns}});
  return all;
}

nlohmann::json range_json(const store::TimeRange& range) {
  return {{"from_ms", range.from_ns / kMillisecond}, {"to_ms", range.to_ns / kMillisecond}};
}

}  // namespace hearth::http
