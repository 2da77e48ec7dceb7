#include <algorithm>
#include <cctype>

#include "base/formatted.h"
#include "http/routes/json_options.h"
#include "http/routes/json_reply.h"
#include "http/routes/routes.h"
#include "http/server/request_target.h"

namespace hearth::http {
namespace {

Reply list(RouteContext* context, const Request& request) {
  ConcurrencyLimit::Permit permit(&context->descriptions, request.cancellation);
  return json_reply({{"profiles", context->store->list()}});
}

// An id has no dot.
void check_ending(const std::string& name) {
  size_t dot = name.find('.');
  std::string word = dot == std::string::npos ? "" : name.substr(dot + 1);
  bool is_word =
      !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c); });
  if (dot == 0 || !is_word) return;
  std::string foreign = profile::foreign_format_named(word);
  throw Refusal(404, "not_found", formatted("profiles are not offered as {}", foreign.empty() ? "." + word : foreign),
                "GET /api/profiles/ID.html, ID.collapsed, ID.pb.gz, ID.jfr, ID.otlp or ID.json");
}

Reply get(RouteContext* context, const Request& request) {
  auto [id, format] = id_and_format(request.parts[0]);
  if (format == nullptr) check_ending(id);
  profile::WriteOptions options = write_options(request.query);
  if (format == nullptr) {
    ConcurrencyLimit::Permit permit(&context->descriptions, request.cancellation);
    return json_reply(context->store->describe(id));
  }
  context->check_reply_buffer();
  ConcurrencyLimit::Permit permit(&context->profiles, request.cancellation);
  std::string file = id + std::string(format->ending);
  bool is_stored_so = format->format == profile::Format::kPprof && request.query.empty();
  Reply reply = is_stored_so ? profile_reply(context->store->bytes(id), *format)
                             : profile_reply(context->store->load(id), *format, options);
  reply.headers.emplace_back("Content-Disposition", formatted("inline; filename=\"{}\"", file));
  return reply;
}

Reply remove(RouteContext* context, const Request& request) {
  std::string id = id_and_format(request.parts[0]).first;
  context->store->remove(id);
  Reply reply = json_reply({{"deleted", id}});
  reply.note = "deleted";
  return reply;
}

constexpr std::string_view kOfStore = "/api/store/";

bool is_of_store(std::string_view path) {
  return path.substr(0, kOfStore.size()) == kOfStore;
}

// Links open only pages that read stored profiles.
bool can_be_opened(const std::string& path) {
  constexpr std::string_view kBeginnings[] = {"/api/profiles/", "/api/diff/", kOfStore};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view begin) { return path.compare(0, begin.size(), begin) == 0; });
}

// Throws Refusal 404 unless all profiles that a path names exist.
void require_all(RouteContext* context, Request* found) {
  found->parts.back() = found->parts.back().substr(0, found->parts.back().find('.'));  // its format; an id has no dot
  for (const std::string& id : found->parts) {
    if (!context->store->has(id))
      throw Refusal(404, "not_found", formatted("there is no profile {}", id), "GET /api/profiles lists them");
  }
}

Reply make_link(RouteContext* context, const Request& request) {
  nlohmann::json body = json_body(request);
  nlohmann::json target = body.value("path", nlohmann::json());
  Request found;
  found.method = "GET";
  if (target.is_string()) set_target(target.get<std::string>(), &found);
  if (!can_be_opened(found.path))
    throw Refusal(400, "bad_request", "the body has no path of a stored profile",
                  R"(send {"path": "/api/profiles/ID.html"}, or "/api/diff/A/B.html")");
  context->router->route_of(&found);
  if (!is_of_store(found.path)) require_all(context, &found);
  return json_reply({{"link", "/open/" + context->links->make(target, ViewLinks::Clock::now())}});
}

Reply open(RouteContext* context, const Request& request) {
  Request meant = request;
  set_target(context->links->target_of(request.parts[0], ViewLinks::Clock::now()), &meant);
  Reply reply = context->router->route_of(&meant).handler(meant);
  reply.is_authenticated = true;
  return reply;
}

}  // namespace

void add_profile_routes(RouteContext* context, Router* router) {
  router->add({"GET", "/api/profiles", [context](const Request& request) { return list(context, request); }});
  router->add({"GET", "/api/profiles/{}", [context](const Request& request) { return get(context, request); }});
  router->add({"DELETE", "/api/profiles/{}", [context](const Request& request) { return remove(context, request); }});
  router->add({"POST", "/api/links", [context](const Request& request) { return make_link(context, request); }});
  router->add(
      {"GET", "/open/{}", [context](const Request& request) { return open(context, request); }, Needs::kNothing});
}

}  // namespace hearth::http
