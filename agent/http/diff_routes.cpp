#include "http/difference_reply.h"
#include "http/profile_formats.h"
#include "http/routes.h"

namespace hearth::http {
namespace {

Reply diff(Room* room, const Request& request) {
  profile::DifferenceOptions options = difference_options(request.query);
  auto [after, format] = id_and_text_format(request.parts[1]);
  options.names[0] = request.parts[0];
  options.names[1] = after;
  room->check_unsent();
  Turns::Turn turn(&room->profiles, request.interruption);
  return difference_reply(room->store->load(request.parts[0]), room->store->load(after), *format, options);
}

}  // namespace

void add_diff_routes(Room* room, Router* router) {
  router->add({"GET", "/api/diff/{}/{}", [room](const Request& request) { return diff(room, request); }});
}

}  // namespace hearth::http
