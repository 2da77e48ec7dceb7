// The socket that accepts connections.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>

#include "base/owned.h"
#include "http/server/message.h"
#include "options/http_address.h"

namespace hearth::http {

class Listener {
 public:
  // Throws Error with the address, the reason and the remedy. A Unix socket is for this user only (mode 0600); a
  // socket that no process listens to is replaced.
  explicit Listener(const options::HttpAddress& address);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { remove_file(); }

  void remove_file();  // of the Unix socket; the destructor does it, too

  // Accepts a connection (non-blocking) and sets its peer. Returns an empty descriptor and errno if none waits.
  UniqueFd accept(Peer* peer) const;

  int fd() const { return fd_.get(); }
  bool is_loopback() const { return is_loopback_; }  // or a Unix socket
  const std::string& text() const { return text_; }  // "127.0.0.1:7070", "[::1]:7070", "unix:/run/x.sock"
  // Values of Host that are accepted in addition to the loopback's names; empty if only this machine can connect.
  const std::set<std::string, IgnoringCase>& names() const { return names_; }

 private:
  void listen_unix(const std::string& path);
  void listen_tcp(const options::HttpAddress& address);

  UniqueFd fd_;
  std::string unix_path_;
  dev_t device_ = 0;  // of the file at unix_path_: a file of another process is not removed
  ino_t inode_ = 0;
  bool is_loopback_ = true;
  std::string text_;
  std::set<std::string, IgnoringCase> names_;
};

}  // namespace hearth::http
