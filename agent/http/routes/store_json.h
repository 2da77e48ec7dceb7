// The always-on store in JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "always_on/always_on_figures.h"
#include "store/window_reader.h"

namespace hearth::http {

// Shares (budget, cost) are of one CPU, 0 to 1.
nlohmann::json store_json(const always_on::AlwaysOnFigures& figures);

nlohmann::json timeline_json(const std::vector<store::TimelinePoint>& points);

// {"from_ms", "to_ms"}
nlohmann::json range_json(const store::TimeRange& range);

}  // namespace hearth::http
