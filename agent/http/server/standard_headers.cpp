#include "http/server/standard_headers.h"

#include <map>

namespace hearth::http {

std::vector<std::pair<std::string, std::string>> standard_headers(const Reply& reply) {
  std::map<std::string, std::string, IgnoringCase> all = {
      {"Cache-Control", "no-store"},
      {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Referrer-Policy", "no-referrer"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
  };
  for (const auto& [name, value] : reply.headers) all[name] = value;
  return {all.begin(), all.end()};
}

}  // namespace hearth::http
