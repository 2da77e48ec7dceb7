#include "push/tcp_stream.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace hearth::push {
namespace {

using std::chrono::milliseconds;

bool would_block() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

}  // namespace

TcpStream::Result TcpStream::connect(const std::string& host, int port, Clock::duration each,
                                     Clock::time_point deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return Result::kFailed;
  std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);
  Result result = Result::kFailed;
  for (const addrinfo* one = found; one != nullptr && result != Result::kDone; one = one->ai_next)
    result = connect_to(*one, std::min(deadline, Clock::now() + each));
  return result;
}

TcpStream::Result TcpStream::connect_to(const addrinfo& address, Clock::time_point deadline) {
  UniqueFd socket(::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol));
  if (!socket) return Result::kFailed;
  int fd = socket.get();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (interrupted_) return Result::kFailed;
    socket_ = std::move(socket);
  }
  if (::connect(fd, address.ai_addr, address.ai_addrlen) == 0) return Result::kDone;
  if (errno != EINPROGRESS) return Result::kFailed;
  if (Result waited = wait_for(POLLOUT, deadline); waited != Result::kDone) return waited;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return error == 0 ? Result::kDone : Result::kFailed;
}

TcpStream::Result TcpStream::wait_for(short events, Clock::time_point deadline) const {
  for (;;) {
    auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return Result::kTimedOut;
    pollfd one{socket_.get(), events, 0};
    int ready = ::poll(&one, 1, static_cast<int>(std::min(left, milliseconds(60'000)).count()));
    if (is_interrupted()) return Result::kFailed;
    if (ready > 0) return Result::kDone;
    if (ready < 0 && errno != EINTR) return Result::kFailed;
  }
}

TcpStream::Result TcpStream::send(std::string_view bytes, Clock::time_point deadline, size_t* sent) {
  for (;;) {
    if (Result waited = wait_for(POLLOUT, deadline); waited != Result::kDone) return waited;
    ssize_t done = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    *sent = static_cast<size_t>(std::max<ssize_t>(done, 0));
    if (done > 0) return Result::kDone;
    if (done == 0 || !would_block()) return Result::kFailed;
  }
}

TcpStream::Result TcpStream::receive(char* buffer, size_t size, Clock::time_point deadline, size_t* received) {
  for (;;) {
    if (Result waited = wait_for(POLLIN, deadline); waited != Result::kDone) return waited;
    ssize_t done = ::recv(socket_.get(), buffer, size, 0);
    *received = static_cast<size_t>(std::max<ssize_t>(done, 0));
    if (done >= 0) return Result::kDone;
    if (!would_block()) return Result::kFailed;
  }
}

void TcpStream::close() {
  std::lock_guard<std::mutex> lock(mutex_);
  socket_.reset();
}

void TcpStream::interrupt() {
  std::lock_guard<std::mutex> lock(mutex_);
  interrupted_ = true;
  if (socket_) ::shutdown(socket_.get(), SHUT_RDWR);
}

bool TcpStream::is_interrupted() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return interrupted_;
}

}  // namespace hearth::push
