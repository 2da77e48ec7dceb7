// GET /debug/pprof/: profiles as Go programs give them, for go tool pprof and for scrapers. Each request looks through
// a window of its own, so that nobody's profile has less or more in it because others ask, too.
#include "base/error.h"
#include "base/formatted.h"
#include "http/pprof_request.h"
#include "http/routes.h"
#include "profile/event_view.h"

namespace hearth::http {
namespace {

using On = Target::Window::On;

std::unique_ptr<Target::Window> open_window(Room* room, const PprofKind& kind) {
  try {
    auto options = [](std::string_view text) { return session::parse_options("start," + std::string(text)); };
    return room->target->open_window(options(kind.needed), options(kind.started));
  } catch (const Error& error) {
    room->sessions->refuse_now(error);
  }
}

Reply get(Room* room, const PprofKind& kind, const Request& request) {
  PprofRequest wish = pprof_request(request.query);
  room->check_unsent();
  LongRequests::Place place(room->long_requests);
  std::unique_ptr<Target::Window> window = open_window(room, kind);
  Target::Window::Look look = {kind.adds_up && !wish.time && window->on() == On::kCommanded, kind.events,
                               wish.collects_garbage};
  if (!look.from_session_start &&
      request.interruption->wait_until(Interruption::Clock::now() + wish.time.value_or(kUsualPprofTime)))
    throw Refusal(503, "interrupted", "the server stops, or the client has gone");
  Turns::Turn turn(&room->profiles, request.interruption, Turns::Wait::kToTheEnd);
  profile::Profile profile = window->profile(wish.output, look);
  bool was_started = window->on() == On::kNew;
  window.reset();
  Reply reply = profile_reply(profile, *wish.format, wish.output.write);
  std::string file = std::string(kind.name) + std::string(wish.format->ending);
  reply.headers.emplace_back("Content-Disposition", formatted("inline; filename=\"{}\"", file));
  if (was_started) reply.note = "sampled " + std::string(kind.started);
  return reply;
}

std::string index_page() {
  std::string rows;
  for (const PprofKind& kind : pprof_kinds())
    rows += formatted("<tr><td><a href=\"{0}\">{0}</a></td><td>{1}{2}</td></tr>\n", kind.name, kind.about,
                      kind.adds_up ? "; without seconds, all since the running session began" : "");
  return formatted(R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>/debug/pprof/</title></head>
<body><h1>/debug/pprof/</h1>
<table>
{}</table>
<p><code>?seconds=N</code>: of the next N seconds, 1 to {}; {} unless said.
<code>?label=KEY:VALUE</code>: only samples with such a label.
<code>?format=pprof</code>, <code>html</code>, <code>collapsed</code>, <code>json</code>, <code>flat</code> or <code>traces</code>.</p>
<p><code>go tool pprof http://any:TOKEN@HOST/debug/pprof/profile</code></p>
</body></html>
)",
                   rows, kLongestPprofTime.count(), kUsualPprofTime.count());
}

}  // namespace

void add_pprof_routes(Room* room, Router* router) {
  auto index = [](const Request&) { return Reply{200, "text/html; charset=utf-8", index_page()}; };
  router->add({"GET", "/debug/pprof/", index});
  router->add({"GET", "/debug/pprof", index});
  for (const PprofKind& kind : pprof_kinds()) {
    auto answer = [room, &kind](const Request& request) { return get(room, kind, request); };
    router->add({"GET", "/debug/pprof/" + std::string(kind.name), answer});
  }
}

}  // namespace hearth::http
