// The server's secret, and the file that tells it to this user.
#pragma once

#include <string>
#include <utility>

namespace hearth::http {

class TokenFile {
 public:
  // One of this server's own, new and random, in the state folder; it goes with the object.
  static TokenFile own(const std::string& folder);
  // That of token=FILE: what is in it, or a new secret in a new file, which stays. Throws Error for a file that others
  // can read, or that holds no secret.
  static TokenFile given(const std::string& path);

  TokenFile(TokenFile&& other) noexcept
      : path_(std::move(other.path_)), token_(std::move(other.token_)), goes_(std::exchange(other.goes_, false)) {}
  TokenFile& operator=(TokenFile&&) = delete;
  ~TokenFile() { remove(); }

  void remove();  // what would go with the object

  const std::string& token() const { return token_; }
  const std::string& path() const { return path_; }

 private:
  TokenFile(std::string path, std::string token, bool goes)
      : path_(std::move(path)), token_(std::move(token)), goes_(goes) {}

  std::string path_;
  std::string token_;
  bool goes_;
};

}  // namespace hearth::http
