#include "launcher/attach/listening.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/text_parts.h"

namespace hearth::launcher {
namespace {

constexpr std::string_view kHttp = "http://", kUnix = "unix:";

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional<Number>(number) : std::nullopt;
}

// "http://127.0.0.1:7070/" in the kernel's notation, "0100007F:1B9E"; empty if it is not such an address.
std::string in_kernel_form(std::string_view url) {
  url.remove_prefix(kHttp.size());
  size_t colon = url.rfind(':');
  if (colon == std::string_view::npos || url.back() != '/') return "";
  std::optional<uint16_t> port = number_in<uint16_t>(url.substr(colon + 1, url.size() - colon - 2));
  std::string host(url.substr(0, colon));
  bool is_bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  uint32_t words[4] = {};
  if (!port || ::inet_pton(is_bracketed ? AF_INET6 : AF_INET, host.c_str(), words) != 1) return "";
  std::string form;
  for (size_t i = 0; i < (is_bracketed ? 4 : 1); ++i) form += formatted("{:08X}", words[i]);
  return formatted("{}:{:04X}", form, *port);
}

// Fields separated by blanks, at most `most`; the last is the rest of the line.
std::vector<std::string_view> fields_of(std::string_view line, size_t most) {
  std::vector<std::string_view> fields;
  while (fields.size() < most) {
    size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    size_t end = fields.size() + 1 == most ? line.size() : std::min(line.find(' '), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return fields;
}

bool is_one_of(std::string_view inode, const SocketNumbers& sockets) {
  std::optional<uint64_t> number = number_in<uint64_t>(inode);
  return number && sockets.count(*number) != 0;
}

bool has_listener(const std::string& table, const std::string& address, const SocketNumbers& sockets) {
  FilePieces file(table);
  std::string line;
  for (std::string_view piece; !(piece = file.next()).empty();) {
    for (size_t end; (end = piece.find('\n')) != std::string_view::npos; piece.remove_prefix(end + 1)) {
      line += piece.substr(0, end);
      if (is_listener(line, address, sockets)) return true;
      line.clear();
    }
    line += piece;
  }
  return false;
}

}  // namespace

std::optional<uint64_t> socket_number(std::string_view link) {
  constexpr std::string_view kStart = "socket:[";
  if (!starts_with(link, kStart) || link.back() != ']') return std::nullopt;
  return number_in<uint64_t>(link.substr(kStart.size(), link.size() - kStart.size() - 1));
}

bool is_listener(std::string_view line, const std::string& address, const SocketNumbers& sockets) {
  if (starts_with(address, kUnix)) {
    constexpr std::string_view kAccepts = "00010000";  // __SO_ACCEPTCON of the flags
    std::vector<std::string_view> fields = fields_of(line, 8);
    return fields.size() == 8 && fields[3] == kAccepts && is_one_of(fields[6], sockets) &&
           fields[7] == std::string_view(address).substr(kUnix.size());
  }
  constexpr std::string_view kListens = "0A";
  std::vector<std::string_view> fields = fields_of(line, 11);
  return starts_with(address, kHttp) && fields.size() >= 10 && fields[3] == kListens && is_one_of(fields[9], sockets) &&
         fields[1] == in_kernel_form(address);
}

bool listens_at(pid_t pid, const std::string& address, const SocketNumbers& sockets) {
  for (const char* table : {"tcp", "tcp6", "unix"}) {
    try {
      if (has_listener(formatted("/proc/{}/net/{}", pid, table), address, sockets)) return true;
    } catch (const Error&) {
      continue;  // no such table without IPv6, or the process has ended
    }
  }
  return false;
}

}  // namespace hearth::launcher
