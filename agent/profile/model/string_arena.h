// Stores texts that never move: a view stays valid until the arena is destroyed, also if the arena itself is moved.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace hearth::profile {

class StringArena {
 public:
  std::string_view copy(std::string_view text) {
    if (text.size() > left_) add_chunk(text.size());
    char* start = next_;
    if (!text.empty()) std::memcpy(start, text.data(), text.size());
    next_ += text.size();
    left_ -= text.size();
    return {start, text.size()};
  }

 private:
  static constexpr size_t kChunk = size_t{64} << 10;

  void add_chunk(size_t least) {
    size_t size = least > kChunk ? least : kChunk;
    chunks_.emplace_back(new char[size]);
    next_ = chunks_.back().get();
    left_ = size;
  }

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* next_ = nullptr;
  size_t left_ = 0;
};

}  // namespace hearth::profile
