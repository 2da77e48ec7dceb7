// Owners of resources of the operating system: they close or unmap at the end of their scope. Reading them is signal
// safe, destroying them is not.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <utility>

namespace hearth {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

class Mapping {
 public:
  Mapping() = default;
  // Takes ownership of a result of mmap; MAP_FAILED becomes empty.
  Mapping(void* address, size_t size) : address_(address == MAP_FAILED ? nullptr : address), size_(size) {}
  // Returns zeros, of which only touched pages take memory; empty with errno set if there is no memory.
  static Mapping reserved(size_t bytes) {
    return {mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0), bytes};
  }
  Mapping(Mapping&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    if (this != &other) {
      reset();
      address_ = std::exchange(other.address_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  ~Mapping() { reset(); }

  template <typename T>
  T* as() const {
    return static_cast<T*>(address_);
  }
  size_t size() const { return size_; }
  explicit operator bool() const { return address_ != nullptr; }
  void reset() {
    if (address_ != nullptr) ::munmap(std::exchange(address_, nullptr), size_);
  }

 private:
  void* address_ = nullptr;
  size_t size_ = 0;
};

}  // namespace hearth
