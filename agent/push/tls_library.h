// OpenSSL's functions, from the library of the system. It is loaded when TLS is first needed and stays loaded: other
// parts of the process may use the same one, so none of its global state is changed or cleaned up. Thread safe.
#pragma once

#include <cstddef>

namespace hearth::push {

struct TlsLibrary {
  // OpenSSL's types are opaque here: SSL_CTX, SSL, BIO and X509_VERIFY_PARAM.
  void* (*SSL_CTX_new)(const void* method);
  void (*SSL_CTX_free)(void* context);
  long (*SSL_CTX_ctrl)(void* context, int command, long number, void* value);
  int (*SSL_CTX_set_default_verify_paths)(void* context);
  int (*SSL_CTX_load_verify_locations)(void* context, const char* file, const char* directory);
  void (*SSL_CTX_set_verify)(void* context, int mode, void* callback);
  const void* (*TLS_client_method)();
  void* (*SSL_new)(void* context);
  void (*SSL_free)(void* ssl);
  long (*SSL_ctrl)(void* ssl, int command, long number, void* value);
  void* (*SSL_get0_param)(void* ssl);
  void (*SSL_set_bio)(void* ssl, void* read, void* write);
  void (*SSL_set_connect_state)(void* ssl);
  int (*SSL_do_handshake)(void* ssl);
  int (*SSL_read)(void* ssl, void* buffer, int size);
  int (*SSL_write)(void* ssl, const void* buffer, int size);
  int (*SSL_get_error)(const void* ssl, int result);
  long (*SSL_get_verify_result)(const void* ssl);
  int (*X509_VERIFY_PARAM_set1_host)(void* parameters, const char* name, size_t size);
  int (*X509_VERIFY_PARAM_set1_ip_asc)(void* parameters, const char* address);
  void (*X509_VERIFY_PARAM_set_hostflags)(void* parameters, unsigned flags);
  const char* (*X509_verify_cert_error_string)(long result);
  void* (*BIO_new)(const void* method);
  const void* (*BIO_s_mem)();
  int (*BIO_read)(void* bio, void* buffer, int size);
  int (*BIO_write)(void* bio, const void* buffer, int size);
  size_t (*BIO_ctrl_pending)(void* bio);
  unsigned long (*ERR_get_error)();
  void (*ERR_clear_error)();
  const char* (*ERR_reason_error_string)(unsigned long error);
};

// Throws Error if the system has no OpenSSL of version 1.1 or 3, with the package to install.
const TlsLibrary& tls_library();

}  // namespace hearth::push
