// The server that windows are pushed to, by Pyroscope's ingest or OTLP, and the labels that they get there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::options {

enum class Protocol : uint8_t { kPyroscope, kOtlp };

struct PushTarget {
  Protocol protocol = Protocol::kPyroscope;
  std::string host;
  int port = 80;
  bool is_tls = false;
  std::string ca_file;           // of trusted authorities, "": those of the system
  std::string path;              // without a slash at its end; of Pyroscope, before /ingest
  std::string user, password;    // "": none
  std::string token_file;        // "": none
  std::string credentials_file;  // of a user and password, "": none
  std::string tenant;            // of a server that has several, "": it has not
  std::string service;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<profile::Label> resource;  // of OTLP: all of that, and which process it is
  int64_t others_until_ns = -1;          // windows that began by then are not of this process

  std::string authority() const;  // HOST:PORT, as of a Host header
  std::string url() const;        // without user and password
  std::string name() const;       // "checkout{env=prod,hostname=web-3}"
};

// "http://[USER:PASSWORD@]HOST[:PORT][/PATH]"; or https://; a path that ends as OTLP names it for profiles is of that.
// User and password as in URLs (%40 for @). Throws Error, which never shows the URL: a password may be in it.
PushTarget parse_push_url(std::string_view url);

inline constexpr const char* kServiceLabel = "service";

// "service:checkout;version:1.2;env:prod". Throws Error.
std::vector<std::pair<std::string, std::string>> parse_push_labels(std::string_view text);

// Checks the name of a tenant as servers do. Throws Error.
void check_push_tenant(std::string_view text);

// Replaces characters that servers refuse in the name of a service.
std::string service_name(std::string_view text);

// For a URL's query.
std::string percent_encoded(std::string_view text);

}  // namespace hearth::options
