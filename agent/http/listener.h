// The socket that the server listens at.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>

#include "base/owned.h"
#include "http/message.h"
#include "session/http_address.h"

namespace hearth::http {

class Listener {
 public:
  // Throws Error that says what address, why not, and what to do. A Unix socket is for this user only (mode 0600); one
  // that a process left behind is replaced.
  explicit Listener(const session::HttpAddress& address);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { remove_file(); }

  void remove_file();  // the Unix socket's, which would go with the object

  // A connection that waits, non-blocking, and who it is from; an empty one when none waits, with errno.
  UniqueFd accept(Peer* peer) const;

  int fd() const { return fd_.get(); }
  bool is_loopback() const { return is_loopback_; }  // or a Unix socket
  const std::string& text() const { return text_; }  // "127.0.0.1:7070", "[::1]:7070", "unix:/run/x.sock"
  // What a Host header may say beside the loopback's names: nothing where only this machine can connect.
  const std::set<std::string, IgnoringCase>& names() const { return names_; }

 private:
  void listen_unix(const std::string& path);
  void listen_tcp(const session::HttpAddress& address);

  UniqueFd fd_;
  std::string unix_path_;
  dev_t device_ = 0;  // of the file at unix_path_: another's is not removed
  ino_t inode_ = 0;
  bool is_loopback_ = true;
  std::string text_;
  std::set<std::string, IgnoringCase> names_;
};

}  // namespace hearth::http
