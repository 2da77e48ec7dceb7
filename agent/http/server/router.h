// Maps paths to handlers.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "http/server/message.h"

namespace hearth::http {

enum class Needs {
  kNothing,  // any client of an allowed origin: the console's files, which hold no data of this process
  kToken,
};

struct Route {
  std::string method;   // GET includes HEAD
  std::string pattern;  // "/api/profiles/{}": a {} is one part of a path, and goes to Request::parts
  // May throw Refusal, or Error, which becomes a 500. Called on any thread of the pool.
  std::function<Reply(const Request&)> handler;
  Needs needs = Needs::kToken;
};

class Router {
 public:
  void add(Route route) { routes_.push_back(std::move(route)); }

  // Returns the first route that matches, and sets the request's parts. Throws Refusal 404, or 405 with the methods
  // that are allowed.
  const Route& route_of(Request* request) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace hearth::http
