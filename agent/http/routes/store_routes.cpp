// GET /api/store…: the always-on store. Ranges are read from its files, as any process can; the agent only writes its
// running window before.
#include <algorithm>
#include <ctime>
#include <iterator>

#include "base/clocks.h"
#include "base/error.h"
#include "base/formatted.h"
#include "http/routes/difference_reply.h"
#include "http/routes/json_reply.h"
#include "http/routes/routes.h"
#include "http/routes/store_json.h"
#include "store/window_reader.h"

namespace hearth::http {
namespace {

constexpr size_t kMostPoints = 1500;  // more than a line on a screen has

int64_t now_ns() {
  return clock_ns(CLOCK_REALTIME);
}

Refusal no_store() {
  return {404, "no_store", "no store is running", "start one: hearth start --store=DIR PID"};
}

std::string take(const std::string& key, Query* query) {
  auto found = query->find(key);
  std::string value = found == query->end() ? "" : found->second;
  query->erase(key);
  return value;
}

store::TimeRange take_range(const std::string& from_key, const std::string& to_key, Query* query) {
  std::string from = take(from_key, query), to = take(to_key, query);
  try {
    return store::parse_range(from, to, now_ns());
  } catch (const Error& error) {
    throw Refusal(400, "bad_option", formatted("{}, {}: {}", from_key, to_key, error.what()));
  }
}

Refusal nothing_stored(const store::NothingStored& error) {
  return {404, "nothing_stored", error.what(), "GET /api/store/timeline lists the stored windows"};
}

store::BeforeFile while_awaited(const Request& request) {
  return [cancellation = request.cancellation] {
    if (cancellation->is_cancelled()) throw Refusal(503, "interrupted", "the server stops, or the client has gone");
  };
}

profile::Profile read_range(RouteContext* context, const Request& request, const store::TimeRange& range,
                            const store::SpanSelection& spans) {
  std::string directory = context->profiler->flush_store(range);
  if (directory.empty()) throw no_store();
  try {
    return store::read_range(directory, range, spans, while_awaited(request));
  } catch (const store::NothingStored& error) {
    throw nothing_stored(error);
  }
}

Reply state(RouteContext* context, const Request& request) {
  std::optional<always_on::AlwaysOnFigures> figures = context->profiler->always_on();
  nlohmann::json json = figures ? store_json(*figures) : nlohmann::json::object();
  json["running"] = figures.has_value();
  if (!figures) return json_reply(json);
  ConcurrencyLimit::Permit permit(&context->descriptions, request.cancellation);
  std::optional<store::TimeRange> held = store::held_range(figures->directory);
  json["held"] = held ? range_json(*held) : nlohmann::json();
  return json_reply(json);
}

Reply timeline(RouteContext* context, const Request& request) {
  Query query = request.query;
  store::TimeRange range = take_range("from", "to", &query);
  std::optional<always_on::AlwaysOnFigures> figures = context->profiler->always_on();
  if (!figures) throw no_store();
  ConcurrencyLimit::Permit permit(&context->descriptions, request.cancellation);
  try {
    auto points = store::timeline(figures->directory, range, kMostPoints, while_awaited(request));
    return json_reply({{"now_ms", now_ns() / 1'000'000}, {"points", timeline_json(points)}});
  } catch (const store::NothingStored& error) {
    throw nothing_stored(error);
  }
}

// "2026-11-23 10:02:00 to 10:05:00" as a part of a file's name.
std::string file_name(const std::string& title, const ResponseFormat& format) {
  std::string name = "hearth-";
  for (char letter : title) name += letter == ' ' ? '-' : letter;
  for (size_t at; (at = name.find(':')) != std::string::npos;) name.erase(at, 1);
  return name + std::string(format.ending);
}

Reply profile(RouteContext* context, const Request& request, const ResponseFormat& format) {
  Query query = request.query;
  store::TimeRange range = take_range("from", "to", &query);
  profile::WriteOptions options = write_options(std::move(query));
  context->check_reply_buffer();
  ConcurrencyLimit::Permit permit(&context->profiles, request.cancellation);
  constexpr profile::Format kWithLabels[] = {profile::Format::kPprof, profile::Format::kOtlp, profile::Format::kJfr};
  bool has_labels = std::find(std::begin(kWithLabels), std::end(kWithLabels), format.format) != std::end(kWithLabels);
  profile::Profile profile = read_range(context, request, range, store::span_selection(options.labels, "", has_labels));
  Reply reply = profile_reply(profile, format, options);
  reply.headers.emplace_back("Content-Disposition",
                             formatted("inline; filename=\"{}\"", file_name(profile.metadata.title, format)));
  return reply;
}

Reply difference(RouteContext* context, const Request& request, const ResponseFormat& format) {
  Query query = request.query;
  if (query.count("base_from") + query.count("base_to") == 0)
    throw Refusal(400, "bad_option", "base_from, base_to: the range to compare with is missing",
                  "write base_from=10:02&base_to=10:05, the range before");
  store::TimeRange before = take_range("base_from", "base_to", &query), after = take_range("from", "to", &query);
  profile::DifferenceOptions options = difference_options(std::move(query));
  context->check_reply_buffer();
  ConcurrencyLimit::Permit permit(&context->profiles, request.cancellation);
  store::SpanSelection spans = store::span_selection(options.write.labels, "", false);
  profile::Profile base = read_range(context, request, before, spans),
                   changed = read_range(context, request, after, spans);
  options.names[0] = base.metadata.title;
  options.names[1] = changed.metadata.title;
  return difference_reply(base, changed, format, options);
}

Reply part(RouteContext* context, const Request& request) {
  auto [name, format] = id_and_text_format(request.parts[0]);
  if (name == "profile") return profile(context, request, *format);
  if (name == "diff") return difference(context, request, *format);
  throw Refusal(404, "not_found", formatted("there is nothing at {}", request.path),
                "there are profile, diff and timeline");
}

}  // namespace

void add_store_routes(RouteContext* context, Router* router) {
  router->add({"GET", "/api/store", [context](const Request& request) { return state(context, request); }});
  router->add({"GET", "/api/store/timeline", [context](const Request& request) { return timeline(context, request); }});
  router->add({"GET", "/api/store/{}", [context](const Request& request) { return part(context, request); }});
}

}  // namespace hearth::http
