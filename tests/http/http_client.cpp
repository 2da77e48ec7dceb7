#include "http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "base/files.h"
#include "base/formatted.h"
#include "options/options.h"

namespace hearth::http {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(formatted("{}: {}", what, std::strerror(errno)));
}

UniqueFd connected(int family, const sockaddr* address, socklen_t size) {
  UniqueFd fd(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  timeval patience{60, 0};  // ends a test that hangs
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (connect(fd.get(), address, size) != 0) fail("connect");
  return fd;
}

std::string after(const std::string& text, const std::string& word) {
  size_t at = text.find(word);
  if (at == std::string::npos) return "";
  at += word.size();
  return text.substr(at, text.find('\n', at) - at);
}

Response response_in(const std::string& all) {
  Response response;
  size_t end = std::min(all.find("\r\n\r\n"), all.size());
  response.head = all.substr(0, end + 2);
  response.body = end < all.size() ? all.substr(end + 4) : "";
  if (response.head.size() > 12)
    response.status = static_cast<int>(std::strtol(response.head.c_str() + 9, nullptr, 10));
  return response;
}

}  // namespace

Folder::Folder() {
  char path[] = "/tmp/hearth-http-XXXXXX";
  if (mkdtemp(path) == nullptr) fail("mkdtemp");
  path_ = path;
  setenv("HEARTH_HOME", this->path("home").c_str(), 1);
}

Folder::~Folder() {
  // A request that a server has left to the process's end may still write here.
  std::error_code failed;
  do std::filesystem::remove_all(path_, failed);
  while (failed == std::errc::no_such_file_or_directory || failed == std::errc::directory_not_empty);
}

UniqueFd connect_to(const std::string& address) {
  if (address.compare(0, 5, "unix:") == 0) {
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    address.copy(un.sun_path, sizeof un.sun_path - 1, 5);
    return connected(AF_UNIX, reinterpret_cast<sockaddr*>(&un), sizeof un);
  }
  sockaddr_in in{};
  in.sin_family = AF_INET;
  size_t colon = address.find(':');
  inet_pton(AF_INET, address.substr(0, colon).c_str(), &in.sin_addr);
  in.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(colon + 1))));
  return connected(AF_INET, reinterpret_cast<sockaddr*>(&in), sizeof in);
}

void send_all(const UniqueFd& connection, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t sent = send(connection.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return;  // the server need not listen to the end
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

std::string receive_all(const UniqueFd& connection) {
  std::string all;
  char buffer[1 << 14];
  for (;;) {
    ssize_t got = recv(connection.get(), buffer, sizeof buffer, 0);
    if (got < 0 && errno == EAGAIN) throw std::runtime_error("the server does not answer");
    if (got <= 0) return all;
    all.append(buffer, static_cast<size_t>(got));
  }
}

TestServer::TestServer(const std::string& http, const ConnectionLimits& limits) : server(&profiler, limits) {
  options::Options options = options::parse_options("http=" + http);
  commands::Control::Serving serving = server.serve(options);
  address = after(serving.text, "Control server: ");
  if (address.compare(0, 7, "http://") == 0) address = address.substr(7, address.size() - 8);
  token = read_file(formatted("{}/token-{}", std::getenv("HEARTH_HOME"), ::getpid()));
  token.pop_back();
  once = after(serving.secret, "#once=");
}

Response TestServer::ask_raw(const std::string& bytes) {
  UniqueFd connection = connect_to(address);
  send_all(connection, bytes);
  shutdown(connection.get(), SHUT_WR);
  return response_in(receive_all(connection));
}

Response TestServer::ask(const std::string& method, const std::string& path, const std::string& body,
                         const std::string& headers) {
  std::string known = "\r\n" + headers;
  std::string text = formatted("{} {} HTTP/1.1\r\nConnection: close\r\n", method, path);
  if (known.find("\r\nHost:") == std::string::npos) text += "Host: localhost\r\n";
  if (known.find("\r\nAuthorization:") == std::string::npos) text += "Authorization: Bearer " + token + "\r\n";
  if (!body.empty()) text += formatted("Content-Length: {}\r\n", body.size());
  UniqueFd connection = connect_to(address);
  send_all(connection, text + headers + "\r\n" + body);
  return response_in(receive_all(connection));
}

}  // namespace hearth::http
