#include "push/tls_library.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <mutex>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::push {
namespace {

// The newest first; 1.0.2 needs locks of the process that uses it.
constexpr const char* kNames[] = {"libssl.so.3", "libssl.so.1.1"};
constexpr const char* kRemedy =
    "install OpenSSL 3 or 1.1 (the package libssl3, libssl3t64 or openssl-libs), or push with http:// to an agent on "
    "this machine that speaks HTTPS";

// Names of the functions, in the order of TlsLibrary.
constexpr const char* kFunctions[] = {
    "SSL_CTX_new",
    "SSL_CTX_free",
    "SSL_CTX_ctrl",
    "SSL_CTX_set_default_verify_paths",
    "SSL_CTX_load_verify_locations",
    "SSL_CTX_set_verify",
    "TLS_client_method",
    "SSL_new",
    "SSL_free",
    "SSL_ctrl",
    "SSL_get0_param",
    "SSL_set_bio",
    "SSL_set_connect_state",
    "SSL_do_handshake",
    "SSL_read",
    "SSL_write",
    "SSL_get_error",
    "SSL_get_verify_result",
    "X509_VERIFY_PARAM_set1_host",
    "X509_VERIFY_PARAM_set1_ip_asc",
    "X509_VERIFY_PARAM_set_hostflags",
    "X509_verify_cert_error_string",
    "BIO_new",
    "BIO_s_mem",
    "BIO_read",
    "BIO_write",
    "BIO_ctrl_pending",
    "ERR_get_error",
    "ERR_clear_error",
    "ERR_reason_error_string",
};
static_assert(sizeof(TlsLibrary) == sizeof(kFunctions), "a name for each function");

// Not again at the process's end: threads may still use it then, as those of Java libraries that have loaded it.
constexpr uint64_t kNoAtExit = 0x00080000;

using Init = int (*)(uint64_t options, const void* settings);

// Of libssl and of libcrypto, which it needs.
TlsLibrary functions_of(void* handle, const char* name) {
  void* found[std::size(kFunctions)];
  for (size_t i = 0; i < std::size(kFunctions); i++) {
    found[i] = ::dlsym(handle, kFunctions[i]);
    if (found[i] == nullptr)
      throw Error(formatted("https:// needs OpenSSL, and {} of this system has no {}", name, kFunctions[i]), kRemedy);
  }
  TlsLibrary library;
  std::memcpy(&library, found, sizeof library);
  return library;
}

TlsLibrary load() {
  for (const char* name : kNames) {
    void* handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) continue;
    auto init = reinterpret_cast<Init>(::dlsym(handle, "OPENSSL_init_ssl"));
    if (init == nullptr || init(kNoAtExit, nullptr) != 1)
      throw Error(formatted("https:// needs OpenSSL, and {} of this system cannot be initialized", name), kRemedy);
    return functions_of(handle, name);
  }
  throw Error("https:// needs OpenSSL, which this system does not have", kRemedy);
}

}  // namespace

// Looked for again after a failure: a package may be installed while a JVM runs.
const TlsLibrary& tls_library() {
  static std::mutex mutex;
  static TlsLibrary library;
  static bool is_loaded = false;
  std::lock_guard<std::mutex> lock(mutex);
  if (!is_loaded) library = load();
  is_loaded = true;
  return library;
}

}  // namespace hearth::push
