// TLS 1.2 or newer over a TcpStream: its deadlines and interruption hold here, too. The server's certificate has to be
// valid for the name or address of the host. Bytes pass through memory, so the TLS library makes no system call on the
// socket. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "push/tcp_stream.h"

namespace hearth::push {

// What connections share: the trusted authorities.
class TlsContext {
 public:
  // `ca_file` "": those of the system. Throws Error if there is no TLS library, or the file has no certificates.
  explicit TlsContext(const std::string& ca_file);

  void* get() const { return context_.get(); }

 private:
  std::unique_ptr<void, void (*)(void*)> context_;
};

class TlsStream {
 public:
  using Clock = TcpStream::Clock;
  using Result = TcpStream::Result;

  // Over a connected stream, which must outlive it.
  TlsStream(const TlsContext& context, TcpStream* below, const std::string& host);

  Result handshake(Clock::time_point deadline);
  // As those of TcpStream.
  Result send(std::string_view bytes, Clock::time_point deadline, size_t* sent);
  Result receive(char* buffer, size_t size, Clock::time_point deadline, size_t* received);

  // After a handshake that failed: "its certificate is refused: …"; "" if the connection ended.
  const std::string& problem() const { return problem_; }

 private:
  template <typename Step>
  Result repeat(const Step& step, Clock::time_point deadline, int* done);
  Result flush(Clock::time_point deadline);
  Result fill(Clock::time_point deadline);
  void explain();

  TcpStream* const below_;
  std::unique_ptr<void, void (*)(void*)> ssl_;
  void* incoming_ = nullptr;  // owned by ssl_
  void* outgoing_ = nullptr;
  bool has_ended_ = false;  // the other side sends no more
  std::string problem_;
};

}  // namespace hearth::push
