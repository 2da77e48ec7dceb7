#include "http/routes/difference_reply.h"
#include "http/routes/profile_formats.h"
#include "http/routes/routes.h"

namespace hearth::http {
namespace {

Reply diff(RouteContext* context, const Request& request) {
  profile::DifferenceOptions options = difference_options(request.query);
  auto [after, format] = id_and_text_format(request.parts[1]);
  options.names[0] = request.parts[0];
  options.names[1] = after;
  context->check_reply_buffer();
  ConcurrencyLimit::Permit permit(&context->profiles, request.cancellation);
  return difference_reply(context->store->load(request.parts[0]), context->store->load(after), *format, options);
}

}  // namespace

void add_diff_routes(RouteContext* context, Router* router) {
  router->add({"GET", "/api/diff/{}/{}", [context](const Request& request) { return diff(context, request); }});
}

}  // namespace hearth::http
