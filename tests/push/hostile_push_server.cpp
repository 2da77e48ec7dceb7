#include "hostile_push_server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

namespace hearth::push {

HostilePushServer::HostilePushServer(std::function<void(const Send&)> reply)
    : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  (void)::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size);
  ::listen(listener_.get(), 1);
  ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this, reply = std::move(reply)] { serve(reply); });
}

HostilePushServer::~HostilePushServer() {
  ends_ = true;
  ::shutdown(listener_.get(), SHUT_RDWR);
  thread_.join();
}

void HostilePushServer::serve(const std::function<void(const Send&)>& reply) {
  UniqueFd connection(::accept(listener_.get(), nullptr, nullptr));
  if (!connection) return;
  char request[4096];
  if (::recv(connection.get(), request, sizeof request, 0) <= 0) return;
  int fd = connection.get();
  reply([this, fd](std::string_view piece) { return send(fd, piece); });
}

bool HostilePushServer::send(int connection, std::string_view piece) {
  while (!piece.empty() && !ends_) {
    char request[4096];
    while (::recv(connection, request, sizeof request, MSG_DONTWAIT) > 0) {
    }
    pollfd one{connection, POLLOUT, 0};
    if (::poll(&one, 1, 50) == 0) continue;
    ssize_t sent = ::send(connection, piece.data(), piece.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent <= 0) return false;
    sent_ += static_cast<size_t>(sent);
    piece.remove_prefix(static_cast<size_t>(sent));
  }
  return !ends_;
}

}  // namespace hearth::push
