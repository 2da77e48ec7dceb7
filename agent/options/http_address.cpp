#include "options/http_address.h"

#include <sys/un.h>

#include "options/option_values.h"

namespace hearth::options {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr size_t kLongestUnixPath = sizeof(sockaddr_un::sun_path) - 1;

// Of "host:port" and "[host]:port"; an IPv6 address needs its brackets.
std::string_view host_of(std::string_view text, size_t colon, const OptionLabel& option) {
  std::string_view host = text.substr(0, colon);
  bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (has_brackets) host = host.substr(1, host.size() - 2);
  if (host.empty() || (!has_brackets && host.find_first_of(":[]") != std::string_view::npos)) refuse(option, text);
  return host;
}

}  // namespace

HttpAddress parse_http_address(std::string_view text, const OptionLabel& option) {
  HttpAddress address;
  if (text.substr(0, kUnix.size()) == kUnix) {
    address.unix_path = text.substr(kUnix.size());
    if (address.unix_path.empty() || address.unix_path.size() > kLongestUnixPath) refuse(option, text);
    return address;
  }
  size_t colon = text.rfind(':');
  if (colon != std::string_view::npos) address.host = host_of(text, colon, option);
  std::string_view port = text.substr(colon == std::string_view::npos ? 0 : colon + 1);
  if (port.empty() || port.find_first_not_of("0123456789") != std::string_view::npos) refuse(option, text);
  address.port = static_cast<uint16_t>(parse_whole(port, 0, UINT16_MAX, option));
  return address;
}

}  // namespace hearth::options
