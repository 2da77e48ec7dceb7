// GET /debug/pprof/: profiles as Go programs return them, for go tool pprof and for scrapers. Each request has a window
// of its own, so that other requests do not change its profile.
#include "base/error.h"
#include "base/formatted.h"
#include "http/routes/pprof_request.h"
#include "http/routes/routes.h"
#include "profile/model/event_view.h"

namespace hearth::http {
namespace {

using Origin = commands::SampleWindow::Origin;

std::unique_ptr<commands::SampleWindow> open_window(RouteContext* context, const PprofKind& kind) {
  try {
    return context->profiler->open_window(start_of(kind.needed), start_of(kind.started));
  } catch (const Error& error) {
    context->sessions->throw_conflict(error);
  }
}

Reply get(RouteContext* context, const PprofKind& kind, const Request& request) {
  PprofRequest wanted = pprof_request(request.query);
  context->check_reply_buffer();
  LongRequests::Permit long_permit(context->long_requests);
  std::unique_ptr<commands::SampleWindow> window = open_window(context, kind);
  commands::SampleWindow::Query query = {kind.adds_up && !wanted.time && window->origin() == Origin::kCommand,
                                         kind.events, wanted.collects_garbage};
  if (!query.from_session_start &&
      request.cancellation->wait_until(CancellationToken::Clock::now() + wanted.time.value_or(kUsualPprofTime)))
    throw Refusal(503, "interrupted", "the server stops, or the client has gone");
  ConcurrencyLimit::Permit permit(&context->profiles, request.cancellation, ConcurrencyLimit::Wait::kUntilFree);
  profile::Profile profile = window->profile(wanted.output, query);
  bool was_started = window->origin() == Origin::kThisWindow;
  window.reset();
  Reply reply = profile_reply(profile, *wanted.format, wanted.output.write);
  std::string file = std::string(kind.name) + std::string(wanted.format->ending);
  reply.headers.emplace_back("Content-Disposition", formatted("inline; filename=\"{}\"", file));
  if (was_started) reply.note = "sampled event=" + std::string(kind.started);
  return reply;
}

std::string index_page() {
  std::string rows;
  for (const PprofKind& kind : pprof_kinds())
    rows += formatted("<tr><td><a href=\"{0}\">{0}</a></td><td>{1}{2}</td></tr>\n", kind.name, kind.about,
                      kind.adds_up ? "; without seconds, everything since the running session began" : "");
  return formatted(R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>/debug/pprof/</title></head>
<body><h1>/debug/pprof/</h1>
<table>
{}</table>
<p><code>?seconds=N</code>: of the next N seconds, 1 to {}; default {}.
<code>?label=KEY:VALUE</code>: only samples with such a label.
<code>?format=pprof</code>, <code>otlp</code>, <code>jfr</code>, <code>html</code>, <code>collapsed</code>, <code>json</code>, <code>flat</code> or <code>traces</code>.</p>
<p><code>go tool pprof http://any:TOKEN@HOST/debug/pprof/profile</code></p>
</body></html>
)",
                   rows, kLongestPprofTime.count(), kUsualPprofTime.count());
}

}  // namespace

void add_pprof_routes(RouteContext* context, Router* router) {
  auto index = [](const Request&) { return Reply{200, "text/html; charset=utf-8", index_page()}; };
  router->add({"GET", "/debug/pprof/", index});
  router->add({"GET", "/debug/pprof", index});
  for (const PprofKind& kind : pprof_kinds()) {
    auto answer = [context, &kind](const Request& request) { return get(context, kind, request); };
    router->add({"GET", "/debug/pprof/" + std::string(kind.name), answer});
  }
}

}  // namespace hearth::http
