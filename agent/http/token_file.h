// The server's secret, and the file that tells it to this user.
#pragma once

#include <string>
#include <utility>

#include "base/owned.h"

namespace hearth::http {

class TokenFile {
 public:
  // One of this server's own, new and random, in the state folder; it goes with the object. Those of processes that
  // were killed go at once.
  static TokenFile own(const std::string& folder);
  // That of token=FILE: what is in it, or a new secret in a new file, which stays. Throws Error for a file that others
  // can read, or that holds no secret.
  static TokenFile given(const std::string& path);

  TokenFile(TokenFile&& other) noexcept
      : path_(std::move(other.path_)),
        token_(std::move(other.token_)),
        goes_(std::exchange(other.goes_, false)),
        lock_(std::move(other.lock_)) {}
  TokenFile& operator=(TokenFile&&) = delete;
  ~TokenFile() { remove(); }

  void remove();  // what would go with the object

  const std::string& token() const { return token_; }
  const std::string& path() const { return path_; }

 private:
  TokenFile(std::string path, std::string token, UniqueFd lock)
      : path_(std::move(path)), token_(std::move(token)), goes_(static_cast<bool>(lock)), lock_(std::move(lock)) {}

  std::string path_;
  std::string token_;
  bool goes_;
  UniqueFd lock_;  // of a file of its own: tells the living from the killed, also those of other containers
};

}  // namespace hearth::http
