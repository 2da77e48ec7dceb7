// Where the control server listens, from the text of http=.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth::options {

struct OptionLabel;

inline constexpr std::string_view kHttpAddresses = "a port, ADDRESS:PORT, [IPV6]:PORT, unix:PATH; port 0 picks one";

struct HttpAddress {
  std::string unix_path;           // of a Unix socket; "": TCP
  std::string host = "127.0.0.1";  // name or number, without brackets
  uint16_t port = 0;               // 0: any that is free
};

// Throws Error that names the option. Whether the host is one of this machine shows when it is bound.
HttpAddress parse_http_address(std::string_view text, const OptionLabel& option);

}  // namespace hearth::options
