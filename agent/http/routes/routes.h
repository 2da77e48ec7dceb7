// The routes of the server, by subject.
#pragma once

#include <atomic>
#include <cstdint>

#include "commands/profiler_api.h"
#include "http/auth/access.h"
#include "http/auth/view_links.h"
#include "http/routes/profile_formats.h"
#include "http/routes/profile_store.h"
#include "http/routes/sessions.h"
#include "http/server/concurrency_limit.h"
#include "http/server/connections.h"
#include "http/server/long_requests.h"
#include "http/server/router.h"

namespace hearth::http {

// State that the routes share; outlives them.
struct RouteContext {
  commands::ProfilerApi* profiler;
  Access* access;
  std::string address;  // of the server
  ProfileStore* store;
  Sessions* sessions;
  LongRequests* long_requests;
  ViewLinks* links;
  std::atomic<uint64_t>* changes;  // requests that may have changed something
  const Router* router;
  const Buffered* buffered;
  size_t max_buffered_reply_bytes;  // with more, no profiles are sent

  ConcurrencyLimit profiles{2, 4, std::chrono::seconds(10)};      // load, write and compare them
  ConcurrencyLimit descriptions{1, 6, std::chrono::seconds(10)};  // describing, which is quick when cached

  // Throws Refusal 503 while too many bytes of replies wait for clients. Called before a profile is made for a reply.
  void check_reply_buffer() const {
    if (buffered->replies.load() > static_cast<int64_t>(max_buffered_reply_bytes))
      throw busy("replies wait for clients that do not take them", "try again when they are through", 5);
  }
};

void add_console_routes(RouteContext* context, Router* router);  // the page and the login
void add_status_routes(RouteContext* context, Router* router);   // status, metrics
void add_session_routes(RouteContext* context, Router* router);  // start, stop, dump, profile
void add_profile_routes(RouteContext* context, Router* router);  // stored profiles
void add_diff_routes(RouteContext* context, Router* router);     // differences of stored profiles
void add_store_routes(RouteContext* context, Router* router);    // the always-on store
void add_pprof_routes(RouteContext* context, Router* router);    // for go tool pprof and scrapers

}  // namespace hearth::http
