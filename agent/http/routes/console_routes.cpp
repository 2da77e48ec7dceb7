#include <nlohmann/json.hpp>

#include "base/formatted.h"
#include "http/routes/json_reply.h"
#include "http/routes/routes.h"
#include "page.h"

namespace hearth::http {
namespace {

Reply page(const Request&) {
  std::string policy = formatted("{}; frame-ancestors 'none'", html::console_policy());
  Reply reply{200, "text/html; charset=utf-8", "", {{"Content-Security-Policy", policy}}};
  reply.constant = html::console_page();
  return reply;
}

// The page trades the word of its link for the token.
Reply login(RouteContext* context, const Request& request) {
  nlohmann::json body = nlohmann::json::parse(request.body, nullptr, false);
  if (!body.is_object() || !body.contains("once") || !body["once"].is_string())
    throw Refusal(400, "bad_request", "the body is not {\"once\": \"…\"}");
  Reply reply = json_reply({{"token", context->access->redeem(body["once"], Access::Clock::now())}});
  reply.note = "logged in";
  return reply;
}

}  // namespace

void add_console_routes(RouteContext* context, Router* router) {
  router->add({"GET", "/", page, Needs::kNothing});
  router->add(
      {"POST", "/api/login", [context](const Request& request) { return login(context, request); }, Needs::kNothing});
}

}  // namespace hearth::http
