#include <algorithm>

#include "base/formatted.h"
#include "http/json_options.h"
#include "http/json_reply.h"
#include "http/routes.h"
#include "http/wire.h"

namespace hearth::http {
namespace {

Reply list(Room* room, const Request& request) {
  Turns::Turn turn(&room->descriptions, request.interruption);
  return json_reply({{"profiles", room->store->list()}});
}

Reply get(Room* room, const Request& request) {
  auto [id, format] = id_and_format(request.parts[0]);
  profile::WriteOptions options = write_options(request.query);
  if (format == nullptr) {
    Turns::Turn turn(&room->descriptions, request.interruption);
    return json_reply(room->store->describe(id));
  }
  room->check_unsent();
  Turns::Turn turn(&room->profiles, request.interruption);
  std::string file = id + std::string(format->ending);
  bool is_stored_so = format->format == profile::Format::kPprof && request.query.empty();
  Reply reply = is_stored_so ? profile_reply(room->store->bytes(id), *format)
                             : profile_reply(room->store->load(id), *format, options);
  reply.headers.emplace_back("Content-Disposition", formatted("inline; filename=\"{}\"", file));
  return reply;
}

Reply remove(Room* room, const Request& request) {
  std::string id = id_and_format(request.parts[0]).first;
  room->store->remove(id);
  Reply reply = json_reply({{"deleted", id}});
  reply.note = "deleted";
  return reply;
}

constexpr std::string_view kOfStore = "/api/store/";

bool is_of_store(std::string_view path) {
  return path.substr(0, kOfStore.size()) == kOfStore;
}

// What a page may be opened for: reading what is stored.
bool can_be_opened(const std::string& path) {
  constexpr std::string_view kBeginnings[] = {"/api/profiles/", "/api/diff/", kOfStore};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view begin) { return path.compare(0, begin.size(), begin) == 0; });
}

// The profiles that a path names are there.
void require_all(Room* room, Request* found) {
  found->parts.back() = found->parts.back().substr(0, found->parts.back().find('.'));  // its format; an id has no dot
  for (const std::string& id : found->parts) {
    if (!room->store->has(id))
      throw Refusal(404, "not_found", formatted("there is no profile {}", id), "GET /api/profiles lists them");
  }
}

Reply make_link(Room* room, const Request& request) {
  nlohmann::json body = json_body(request);
  nlohmann::json target = body.value("path", nlohmann::json());
  Request found;
  found.method = "GET";
  if (target.is_string()) Wire::set_target(target, &found);
  if (!can_be_opened(found.path))
    throw Refusal(400, "bad_request", "the body names nothing that can be opened",
                  R"(send {"path": "/api/profiles/ID.html"}, or "/api/diff/A/B.html")");
  room->router->route_of(&found);
  if (!is_of_store(found.path)) require_all(room, &found);
  return json_reply({{"link", "/open/" + room->links->make(target, ViewLinks::Clock::now())}});
}

Reply open(Room* room, const Request& request) {
  Request meant = request;
  Wire::set_target(room->links->target_of(request.parts[0], ViewLinks::Clock::now()), &meant);
  Reply reply = room->router->route_of(&meant).handler(meant);
  reply.is_for_known = true;
  return reply;
}

}  // namespace

void add_profile_routes(Room* room, Router* router) {
  router->add({"GET", "/api/profiles", [room](const Request& request) { return list(room, request); }});
  router->add({"GET", "/api/profiles/{}", [room](const Request& request) { return get(room, request); }});
  router->add({"DELETE", "/api/profiles/{}", [room](const Request& request) { return remove(room, request); }});
  router->add({"POST", "/api/links", [room](const Request& request) { return make_link(room, request); }});
  router->add({"GET", "/open/{}", [room](const Request& request) { return open(room, request); }, Needs::kNothing});
}

}  // namespace hearth::http
