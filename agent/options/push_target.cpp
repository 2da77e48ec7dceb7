#include "options/push_target.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/error.h"
#include "base/formatted.h"
#include "base/text_parts.h"

namespace hearth::options {
namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";
constexpr const char* kUrlForm = "write push=http://HOST:PORT or https://HOST, as push=http://127.0.0.1:4040";
constexpr const char* kLabelForm = "write push-labels=service:NAME;version:V;env:prod";
constexpr size_t kMostOfTenant = 150;
constexpr int kHighestPort = 65535;
constexpr int kHttpsPort = 443;
// By the specification, and as it will be.
constexpr std::string_view kOtlpPaths[] = {"/v1development/profiles", "/v1/profiles"};

// By the C locale's letters, whatever the process's is.
bool is_letter_or_digit(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

bool are_all(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [others](char letter) {
    return is_letter_or_digit(letter) || others.find(letter) != std::string_view::npos;
  });
}

[[noreturn]] void refuse_url(const char* why) {
  throw Error(formatted("option push: {}", why), kUrlForm);
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t at = 0; at < text.size(); at++) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    int byte = 0;
    std::string_view digits = text.substr(at + 1, 2);
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (error != std::errc() || end != digits.data() + 2 || byte < 0)
      refuse_url("a % without two hexadecimal digits is in its user or password");
    decoded += static_cast<char>(byte);
    at += 2;
  }
  return decoded;
}

void read_user(std::string_view text, PushTarget* target) {
  size_t colon = text.find(':');
  target->user = percent_decoded(text.substr(0, colon));
  if (colon != std::string_view::npos) target->password = percent_decoded(text.substr(colon + 1));
  if (target->user.empty()) refuse_url("it has an @ without a user before it");
}

void read_host(std::string_view text, PushTarget* target) {
  bool has_brackets = starts_with(text, "[");
  size_t end = has_brackets ? text.find(']') : text.find(':');
  if (has_brackets && end == std::string_view::npos) refuse_url("it has a [ without a ]");
  target->host = has_brackets ? text.substr(1, end - 1) : text.substr(0, end);
  if (target->host.empty() || !are_all(target->host, has_brackets ? ":.%" : "-._"))
    refuse_url("it has no host, or one with other characters than names and addresses have");
  std::string_view rest = text.substr(std::min(has_brackets ? end + 1 : end, text.size()));
  if (rest.empty()) return;
  auto [after, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), target->port);
  bool is_port = rest.front() == ':' && error == std::errc() && after == rest.data() + rest.size();
  if (!is_port || target->port < 1 || target->port > kHighestPort) refuse_url("the text after its host is no port");
}

}  // namespace

std::string PushTarget::authority() const {
  bool is_ipv6 = host.find(':') != std::string::npos;
  return formatted(is_ipv6 ? "[{}]:{}" : "{}:{}", host, port);
}

std::string PushTarget::url() const {
  return formatted("{}{}{}", is_tls ? kHttps : kHttp, authority(), path);
}

std::string PushTarget::name() const {
  std::vector<std::string> pairs;
  for (const auto& [key, value] : labels) pairs.push_back(formatted("{}={}", key, value));
  return formatted("{}{{{}}}", service, joined(pairs, ","));
}

PushTarget parse_push_url(std::string_view url) {
  bool is_tls = starts_with(url, kHttps);
  if (!is_tls && !starts_with(url, kHttp)) refuse_url("it is no URL that begins with http:// or https://");
  std::string_view rest = url.substr(is_tls ? kHttps.size() : kHttp.size());
  std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  std::string_view path = rest.substr(authority.size());
  PushTarget target;
  target.is_tls = is_tls;
  if (is_tls) target.port = kHttpsPort;
  size_t at = authority.rfind('@');
  if (at != std::string_view::npos) read_user(authority.substr(0, at), &target);
  read_host(authority.substr(at == std::string_view::npos ? 0 : at + 1), &target);
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  if (!are_all(path, "/-._~%!$&'()*+;=:@")) refuse_url("its path has a query, or characters that a path has not");
  target.path = path;
  for (std::string_view otlp : kOtlpPaths)
    if (ends_with(path, otlp)) target.protocol = Protocol::kOtlp;
  return target;
}

std::vector<std::pair<std::string, std::string>> parse_push_labels(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> labels;
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (part.empty()) continue;
    size_t colon = part.find(':');
    std::string key(part.substr(0, colon));
    std::string value(colon == std::string_view::npos ? "" : part.substr(colon + 1));
    if (key.empty() || value.empty())
      throw Error(formatted("option push-labels: \"{}\" is no label with a value", part), kLabelForm);
    if (!are_all(key, "_.") || (key.front() >= '0' && key.front() <= '9'))
      throw Error(formatted("option push-labels: \"{}\" has other characters than letters, digits, _ and .", key),
                  kLabelForm);
    if (value.find_first_of(",{}") != std::string::npos || value.find_first_of("\r\n") != std::string::npos)
      throw Error(formatted("option push-labels: the value of {} has a comma, brace or line end", key), kLabelForm);
    bool is_known = std::any_of(labels.begin(), labels.end(), [&key](const auto& one) { return one.first == key; });
    if (is_known) throw Error(formatted("option push-labels: {} is given twice", key), kLabelForm);
    labels.emplace_back(std::move(key), std::move(value));
  }
  return labels;
}

void check_push_tenant(std::string_view text) {
  bool is_path = text == "." || text == "..";
  if (!text.empty() && text.size() <= kMostOfTenant && are_all(text, "!-_.*'()") && !is_path) return;
  throw Error(formatted("option push-tenant: \"{}\" is no tenant", text),
              "up to 150 letters, digits and !-_.*'() name one, as push-tenant=team-a");
}

std::string service_name(std::string_view text) {
  std::string name(text);
  for (char& letter : name)
    if (!are_all({&letter, 1}, "_-./")) letter = '_';
  return name;
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (char letter : text) {
    if (are_all({&letter, 1}, "-._~"))
      encoded += letter;
    else
      encoded += formatted("%{:02X}", static_cast<unsigned char>(letter));
  }
  return encoded;
}

}  // namespace hearth::options
