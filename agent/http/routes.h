// What the server answers, subject by subject; each adds its routes.
#pragma once

#include "http/access.h"
#include "http/router.h"
#include "http/target.h"

namespace hearth::http {

// What the routes work with; outlives them.
struct Room {
  Target* target;
  Access* access;
  std::string address;  // where the server listens
};

void add_console_routes(Room* room, Router* router);  // the page, and getting in
void add_status_routes(Room* room, Router* router);   // status, metrics

}  // namespace hearth::http
