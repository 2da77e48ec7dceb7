#include "http/server/message.h"

#include <algorithm>

#include "http/routes/json_reply.h"

namespace hearth::http {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

template <typename Map>
std::string first_of(const Map& map, const std::string& name) {
  auto found = map.lower_bound(name);  // find() may give any of several
  return found == map.end() || map.key_comp()(name, found->first) ? "" : found->second;
}

}  // namespace

bool IgnoringCase::operator()(std::string_view a, std::string_view b) const {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](char x, char y) { return lower(x) < lower(y); });
}

std::string Request::header(const std::string& name) const {
  return first_of(headers, name);
}

std::string Request::parameter(const std::string& name) const {
  return first_of(query, name);
}

Reply reply_to(const Refusal& refusal) {
  nlohmann::json error = {{"code", refusal.code}, {"message", refusal.message}};
  if (!refusal.hint.empty()) error["hint"] = refusal.hint;
  if (!refusal.running.empty()) error["running"] = refusal.running;
  Reply reply = json_reply({{"error", error}}, refusal.status);
  reply.headers = refusal.headers;
  return reply;
}

Refusal busy(const std::string& why, const std::string& hint, int seconds) {
  Refusal refusal(503, "busy", why, hint);
  refusal.headers = {{"Retry-After", std::to_string(seconds)}};
  return refusal;
}

}  // namespace hearth::http
