#include "http/server/router.h"

#include <optional>

#include "base/formatted.h"

namespace hearth::http {
namespace {

// Removes and returns the text up to the next slash.
std::string_view next_part(std::string_view* path) {
  std::string_view part = path->substr(0, path->find('/'));
  path->remove_prefix(part.size() == path->size() ? part.size() : part.size() + 1);
  return part;
}

// The parts that match the {} of the pattern; none if the path does not match.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view path) {
  std::vector<std::string> parts;
  if (pattern.substr(0, 1) != path.substr(0, 1)) return std::nullopt;
  bool ends_alike = (pattern.back() == '/') == (path.back() == '/');
  while (!pattern.empty() && !path.empty()) {
    std::string_view wanted = next_part(&pattern), found = next_part(&path);
    if (wanted != "{}" && wanted != found) return std::nullopt;
    if (wanted != "{}") continue;
    if (found.empty()) return std::nullopt;
    parts.emplace_back(found);
  }
  if (!pattern.empty() || !path.empty() || !ends_alike) return std::nullopt;
  return parts;
}

bool answers(const Route& route, const std::string& method) {
  return route.method == method || (route.method == "GET" && method == "HEAD");
}

}  // namespace

const Route& Router::route_of(Request* request) const {
  std::vector<std::string> allowed;
  for (const Route& route : routes_) {
    std::optional<std::vector<std::string>> parts = match(route.pattern, request->path);
    if (!parts) continue;
    allowed.push_back(route.method);
    if (!answers(route, request->method)) continue;
    request->parts = std::move(*parts);
    return route;
  }
  if (allowed.empty()) throw Refusal(404, "not_found", formatted("there is nothing at {}", request->path));
  Refusal refusal(405, "method_not_allowed", formatted("{} is not for {}", request->path, request->method),
                  formatted("use {}", joined(allowed, " or ")));
  refusal.headers = {{"Allow", joined(allowed, ", ")}};
  throw refusal;
}

}  // namespace hearth::http
