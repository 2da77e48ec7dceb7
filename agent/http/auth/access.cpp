#include "http/auth/access.h"

#include <arpa/inet.h>

#include <algorithm>

#include "base/formatted.h"
#include "http/auth/secrets.h"
#include "profile/codec/base64.h"
#include "profile/formats/formats.h"

namespace hearth::http {
namespace {

bool same_ignoring_case(std::string_view a, std::string_view b) {
  IgnoringCase less;
  return !less(a, b) && !less(b, a);
}

// Removes the port, and the brackets of an IPv6 address. Returns "" where there is no host.
std::string host_name(const std::string& host) {
  bool has_brackets = !host.empty() && host.front() == '[';
  size_t end = std::min(host.find(has_brackets ? ']' : ':'), host.size());
  if (has_brackets && end == host.size()) return "";
  size_t after = has_brackets ? end + 1 : end;
  bool has_port =
      after < host.size() && host[after] == ':' && host.find_first_not_of("0123456789", after + 1) == std::string::npos;
  if (after < host.size() && !has_port) return "";
  return has_brackets ? host.substr(1, end - 1) : host.substr(0, end);
}

bool is_loopback_name(const std::string& host) {
  in_addr address{};
  bool is_v4 = inet_pton(AF_INET, host.c_str(), &address) == 1;
  constexpr uint32_t kLoopbackNet = 127;
  return same_ignoring_case(host, "localhost") || host == "::1" ||
         (is_v4 && ntohl(address.s_addr) >> 24 == kLoopbackNet);
}

// Returns the text after the scheme, "" for another scheme.
std::string credentials(const std::string& authorization, std::string_view scheme) {
  size_t blank = authorization.find(' ');
  if (blank == std::string::npos || !same_ignoring_case(std::string_view(authorization).substr(0, blank), scheme))
    return "";
  size_t begin = authorization.find_first_not_of(' ', blank);
  return begin == std::string::npos ? "" : authorization.substr(begin);
}

std::string given_secret(const Request& request) {
  std::string authorization = request.header("Authorization");
  if (std::string token = credentials(authorization, "Bearer"); !token.empty()) return token;
  std::string basic = credentials(authorization, "Basic");
  if (basic.empty()) return "";
  try {
    std::string pair = profile::decode_base64(basic, "authorization");
    size_t colon = pair.find(':');
    return colon == std::string::npos ? "" : pair.substr(colon + 1);
  } catch (const profile::FormatError&) {
    return "";
  }
}

Refusal unauthorized(const std::string& message, const std::string& hint) {
  Refusal refusal(401, "unauthorized", message, hint);
  // Not Basic: a browser that has asked for a password would send it along with other sites' requests.
  refusal.headers = {{"WWW-Authenticate", "Bearer realm=\"hearth\""}};
  return refusal;
}

}  // namespace

bool Access::is_own_name(const std::string& host, const Peer& peer) const {
  std::string name = host_name(host);
  return is_loopback_name(name) || (!name.empty() && name == peer.local_host) || names_.count(name) != 0;
}

void Access::check_source(const Request& request) const {
  if (request.peer.is_local_user) return;
  std::string host = request.header("Host");
  if (request.headers.count("Host") != 1 || host.empty())
    throw Refusal(400, "bad_request", "the request does not name one host", "send one Host header");
  if (!is_own_name(host, request.peer))
    throw Refusal(403, "foreign_host", formatted("this server is not known as {}", host),
                  "use the address that it listens at, or 127.0.0.1 through a tunnel");
  auto [origin, end] = request.headers.equal_range("Origin");
  for (; origin != end; ++origin) {
    if (!same_ignoring_case(origin->second, "http://" + host))
      throw Refusal(403, "foreign_origin", formatted("a page of {} may not ask this server", origin->second),
                    "open the console at the server's own address");
  }
}

void Access::check_token(const Request& request) const {
  if (request.peer.is_local_user) return;
  std::string site = request.header("Sec-Fetch-Site");
  if (!site.empty() && site != "same-origin" && site != "none")
    throw Refusal(403, "foreign_origin", "a page of another site may not ask this server",
                  "open the console at the server's own address");
  std::string secret = given_secret(request);
  if (secret.empty())
    throw unauthorized("the token is missing",
                       "send Authorization: Bearer TOKEN, or TOKEN as the password of basic authentication");
  if (!is_same_secret(secret, token_))
    throw unauthorized("the token is wrong", "hearth http PID prints its file and a link that logs in");
}

void Access::forget_old(Clock::time_point now) {
  once_.erase(once_.begin(), once_.upper_bound(now));
}

std::string Access::make_once(Clock::time_point now) {
  std::string once = random_secret();
  std::lock_guard<std::mutex> lock(mutex_);
  forget_old(now);
  if (once_.size() == kMostOnce) once_.erase(once_.begin());
  once_.emplace(now + kOnceLife, once);
  return once;
}

std::string Access::redeem(const std::string& once, Clock::time_point now) {
  std::lock_guard<std::mutex> lock(mutex_);
  forget_old(now);
  auto known =
      std::find_if(once_.begin(), once_.end(), [&](const auto& entry) { return is_same_secret(entry.second, once); });
  if (known == once_.end())
    throw unauthorized("this link was used already, or is older than 5 minutes", "hearth http PID gives a new one");
  once_.erase(known);
  return token_;
}

}  // namespace hearth::http
