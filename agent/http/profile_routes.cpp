#include "base/formatted.h"
#include "http/json_options.h"
#include "http/json_reply.h"
#include "http/routes.h"

namespace hearth::http {
namespace {

Reply list(Room* room) {
  return json_reply({{"profiles", room->store->list()}});
}

Reply get(Room* room, const Request& request) {
  auto [id, format] = id_and_format(request.parts[0]);
  std::string options = options_text(request.query);
  if (format == nullptr) return json_reply(room->store->describe(id));
  std::string file = id + std::string(format->ending);
  Reply reply = format->format == profile::Format::kPprof
                    ? profile_reply(room->store->bytes(id), *format)
                    : profile_reply(room->store->load(id), *format, write_options(options));
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

Reply diff(const Request&) {
  throw Refusal(501, "not_implemented", "differences are not made yet");
}

}  // namespace

void add_profile_routes(Room* room, Router* router) {
  router->add({"GET", "/api/profiles", [room](const Request&) { return list(room); }});
  router->add({"GET", "/api/profiles/{}", [room](const Request& request) { return get(room, request); }});
  router->add({"DELETE", "/api/profiles/{}", [room](const Request& request) { return remove(room, request); }});
  router->add({"GET", "/api/diff/{}/{}", diff});
}

}  // namespace hearth::http
