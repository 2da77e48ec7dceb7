// The server's secret, and the file that tells it to this user.
#pragma once

#include <string>
#include <utility>

#include "base/owned.h"

namespace hearth::http {

class TokenFile {
 public:
  // One of this server's own, new and random, in the state folder: token-PID, or a longer name where another container
  // shares the folder and has a live server of that number. It goes with the object, and what killed ones left goes
  // now.
  static TokenFile own(const std::string& folder);
  // That of token=FILE: what is in it, or a new secret in a new file, which stays. Throws Error for a file that others
  // can read, or that holds no secret.
  static TokenFile given(const std::string& path);

  TokenFile(TokenFile&& other) = default;
  TokenFile& operator=(TokenFile&&) = delete;
  ~TokenFile() { remove(); }

  void remove();  // what would go with the object

  const std::string& token() const { return token_; }
  const std::string& path() const { return path_; }

 private:
  TokenFile(std::string path, std::string token, UniqueFd own)
      : path_(std::move(path)), token_(std::move(token)), own_(std::move(own)) {}

  std::string path_;
  std::string token_;
  UniqueFd own_;  // the locked file that goes with the object; empty for a given one
};

}  // namespace hearth::http
