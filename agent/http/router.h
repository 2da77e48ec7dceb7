// Which handler a path has.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace hearth::http {

enum class Needs {
  kNothing,  // anybody who may ask at all: the console's files, which know nothing of this process
  kToken,
};

struct Route {
  std::string method;   // GET answers HEAD, too
  std::string pattern;  // "/api/profiles/{}": a {} is one part of a path, and goes to Request::parts
  // May throw Refusal, or Error, which becomes a 500. Called on any thread of the pool.
  std::function<Reply(const Request&)> handler;
  Needs needs = Needs::kToken;
};

class Router {
 public:
  void add(Route route) { routes_.push_back(std::move(route)); }

  // The route of the request, whose parts are filled in. Throws Refusal 404, and 405 with what would be allowed. Where
  // several patterns fit, the one that was added first wins.
  const Route& route_of(Request* request) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace hearth::http
