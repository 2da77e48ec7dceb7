// What the server answers, subject by subject; each adds its routes.
#pragma once

#include <atomic>
#include <cstdint>

#include "http/access.h"
#include "http/connections.h"
#include "http/long_requests.h"
#include "http/profile_store.h"
#include "http/router.h"
#include "http/sessions.h"
#include "http/target.h"
#include "http/turns.h"
#include "http/view_links.h"

namespace hearth::http {

// What the routes work with; outlives them.
struct Room {
  Target* target;
  Access* access;
  std::string address;  // where the server listens
  ProfileStore* store;
  Sessions* sessions;
  LongRequests* long_requests;
  ViewLinks* links;
  std::atomic<uint64_t>* changes;  // requests that may have changed something
  const Router* router;
  const Buffered* buffered;
  size_t most_unsent;  // bytes of replies; with more, no further profiles are sent

  Turns profiles{2, 4, std::chrono::seconds(10)};      // at loading, writing and comparing them
  Turns descriptions{1, 6, std::chrono::seconds(10)};  // at describing them, which is short once it was done

  // Throws Refusal 503 while too much waits for clients already. Who begins to make a profile for a reply asks.
  void check_unsent() const {
    if (buffered->replies.load() > static_cast<int64_t>(most_unsent))
      throw busy("replies wait for clients that do not take them", "try again when they are through", 5);
  }
};

void add_console_routes(Room* room, Router* router);  // the page, and getting in
void add_status_routes(Room* room, Router* router);   // status, metrics
void add_session_routes(Room* room, Router* router);  // start, stop, dump, profile
void add_profile_routes(Room* room, Router* router);  // what is stored
void add_diff_routes(Room* room, Router* router);     // differences of two that are stored
void add_store_routes(Room* room, Router* router);    // the always-on store
void add_pprof_routes(Room* room, Router* router);    // what go tool pprof and scrapers ask for

}  // namespace hearth::http
