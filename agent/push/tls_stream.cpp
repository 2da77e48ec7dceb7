#include "push/tls_stream.h"

#include <arpa/inet.h>

#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "push/tls_library.h"

namespace hearth::push {
namespace {

// Numbers of OpenSSL's headers, the same in 1.1 and 3.
enum : int { kErrorSsl = 1, kWantRead = 2, kWantWrite = 3, kErrorZeroReturn = 6 };
enum : int { kSetHostName = 55, kSetLeastVersion = 123 };
constexpr long kTls12 = 0x0303;
constexpr int kVerifyPeer = 1;
constexpr unsigned kNoPartialWildcards = 4;
constexpr long kUnknownAuthorities[] = {18, 19, 20, 21};  // self-signed, or its issuer is not known
constexpr int kRecord = 16 << 10;

bool is_address(const std::string& host) {
  in6_addr any;
  return ::inet_pton(AF_INET, host.c_str(), &any) == 1 || ::inet_pton(AF_INET6, host.c_str(), &any) == 1;
}

}  // namespace

TlsContext::TlsContext(const std::string& ca_file)
    : context_(tls_library().SSL_CTX_new(tls_library().TLS_client_method()), tls_library().SSL_CTX_free) {
  const TlsLibrary& tls = tls_library();
  if (context_ == nullptr || tls.SSL_CTX_ctrl(get(), kSetLeastVersion, kTls12, nullptr) != 1)
    throw Error("OpenSSL of this system does not offer TLS 1.2");
  tls.SSL_CTX_set_verify(get(), kVerifyPeer, nullptr);
  int done = ca_file.empty() ? tls.SSL_CTX_set_default_verify_paths(get())
                             : tls.SSL_CTX_load_verify_locations(get(), ca_file.c_str(), nullptr);
  tls.ERR_clear_error();
  if (done != 1 && !ca_file.empty())
    throw Error(formatted("option push-ca: {} cannot be read, or has no certificate", ca_file),
                "give a file of certificates in PEM form");
}

TlsStream::TlsStream(const TlsContext& context, TcpStream* below, const std::string& host)
    : below_(below), ssl_(tls_library().SSL_new(context.get()), tls_library().SSL_free) {
  const TlsLibrary& tls = tls_library();
  void* incoming = tls.BIO_new(tls.BIO_s_mem());
  void* outgoing = tls.BIO_new(tls.BIO_s_mem());
  if (ssl_ == nullptr || incoming == nullptr || outgoing == nullptr) throw std::bad_alloc();
  tls.SSL_set_bio(ssl_.get(), incoming, outgoing);
  incoming_ = incoming;
  outgoing_ = outgoing;
  void* parameters = tls.SSL_get0_param(ssl_.get());
  int is_set = 1;
  if (is_address(host)) {
    is_set = tls.X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str());
  } else {
    tls.X509_VERIFY_PARAM_set_hostflags(parameters, kNoPartialWildcards);
    is_set = tls.X509_VERIFY_PARAM_set1_host(parameters, host.c_str(), host.size());
    if (is_set == 1) tls.SSL_ctrl(ssl_.get(), kSetHostName, 0, const_cast<char*>(host.c_str()));
  }
  // Never without: any certificate would do.
  if (is_set != 1) throw Error(formatted("{} is no name that a certificate can have", host));
  tls.SSL_set_connect_state(ssl_.get());
}

// Does a step of TLS until it is done, with what it needs from the other side. `done`: its result.
template <typename Step>
TlsStream::Result TlsStream::repeat(const Step& step, Clock::time_point deadline, int* done) {
  const TlsLibrary& tls = tls_library();
  for (;;) {
    tls.ERR_clear_error();  // another user of the library may have left one on this thread
    *done = step();
    int error = *done > 0 ? 0 : tls.SSL_get_error(ssl_.get(), *done);
    // Sends what the step made, also an alert.
    Result flushed = flush(deadline);
    if (*done > 0) return flushed;
    if (error != kWantRead && error != kWantWrite) {
      has_ended_ |= error == kErrorZeroReturn;
      if (error == kErrorSsl) explain();
      return has_ended_ ? Result::kDone : Result::kFailed;
    }
    if (flushed != Result::kDone) return flushed;
    if (Result filled = fill(deadline); filled != Result::kDone) return filled;
    if (has_ended_) return Result::kDone;
  }
}

TlsStream::Result TlsStream::flush(Clock::time_point deadline) {
  const TlsLibrary& tls = tls_library();
  char buffer[4096];
  for (int size; (size = tls.BIO_read(outgoing_, buffer, sizeof buffer)) > 0;) {
    for (std::string_view rest(buffer, static_cast<size_t>(size)); !rest.empty();) {
      size_t sent = 0;
      if (Result result = below_->send(rest, deadline, &sent); result != Result::kDone) return result;
      rest.remove_prefix(sent);
    }
  }
  return Result::kDone;
}

TlsStream::Result TlsStream::fill(Clock::time_point deadline) {
  char buffer[4096];
  size_t received = 0;
  Result result = below_->receive(buffer, sizeof buffer, deadline, &received);
  if (result != Result::kDone) return result;
  has_ended_ = received == 0;
  if (received > 0) tls_library().BIO_write(incoming_, buffer, static_cast<int>(received));
  return Result::kDone;
}

void TlsStream::explain() {
  const TlsLibrary& tls = tls_library();
  unsigned long error = tls.ERR_get_error();
  long verified = tls.SSL_get_verify_result(ssl_.get());
  if (verified != 0) {
    bool is_unknown = std::find(std::begin(kUnknownAuthorities), std::end(kUnknownAuthorities), verified) !=
                      std::end(kUnknownAuthorities);
    problem_ = formatted("has a certificate that is refused: {}{}", tls.X509_verify_cert_error_string(verified),
                         is_unknown ? "; push-ca=FILE trusts the authority in FILE" : "");
    return;
  }
  const char* reason = error == 0 ? nullptr : tls.ERR_reason_error_string(error);
  problem_ =
      formatted("speaks no TLS that is accepted, 1.2 or newer: {}", reason == nullptr ? "unknown error" : reason);
}

TlsStream::Result TlsStream::handshake(Clock::time_point deadline) {
  int done = 0;
  Result result = repeat([this] { return tls_library().SSL_do_handshake(ssl_.get()); }, deadline, &done);
  return result == Result::kDone && done != 1 ? Result::kFailed : result;
}

TlsStream::Result TlsStream::send(std::string_view bytes, Clock::time_point deadline, size_t* sent) {
  int size = static_cast<int>(std::min<size_t>(bytes.size(), kRecord)), done = 0;
  auto step = [&] { return tls_library().SSL_write(ssl_.get(), bytes.data(), size); };
  Result result = repeat(step, deadline, &done);
  *sent = static_cast<size_t>(std::max(done, 0));
  return result == Result::kDone && done <= 0 ? Result::kFailed : result;
}

TlsStream::Result TlsStream::receive(char* buffer, size_t size, Clock::time_point deadline, size_t* received) {
  int most = static_cast<int>(std::min<size_t>(size, kRecord)), done = 0;
  auto step = [&] { return tls_library().SSL_read(ssl_.get(), buffer, most); };
  Result result = repeat(step, deadline, &done);
  *received = static_cast<size_t>(std::max(done, 0));
  return result;
}

}  // namespace hearth::push
