// The server's secret, and the file in which this user finds it.
#pragma once

#include <string>
#include <utility>

#include "base/owned.h"

namespace hearth::http {

class TokenFile {
 public:
  // Makes a random secret and its file in the state folder: token-PID, or a longer name where another container shares
  // the folder and has a live server of that number. The file is removed with the object. Also removes the files of
  // killed servers.
  static TokenFile own(const std::string& folder);
  // Reads the secret of token=FILE, or makes the file with a new secret; it stays. Throws Error for a file that others
  // can read, or that holds no secret.
  static TokenFile given(const std::string& path);

  TokenFile(TokenFile&& other) = default;
  TokenFile& operator=(TokenFile&&) = delete;
  ~TokenFile() { remove(); }

  void remove();  // of the file that is removed with the object

  const std::string& token() const { return token_; }
  const std::string& path() const { return path_; }

 private:
  TokenFile(std::string path, std::string token, UniqueFd own)
      : path_(std::move(path)), token_(std::move(token)), own_(std::move(own)) {}

  std::string path_;
  std::string token_;
  UniqueFd own_;  // the locked file that is removed with the object; empty for a given one
};

}  // namespace hearth::http
