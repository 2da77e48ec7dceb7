// The texts of a protobuf profile, each stored once; 0 is "".
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profile/codec/proto.h"
#include "profile/codec/utf8.h"

namespace hearth::profile {

class StringTable {
 public:
  StringTable() { id(""); }

  int64_t id(std::string_view text) {
    auto [entry, is_new] = ids_.try_emplace(valid_utf8(text), static_cast<int64_t>(texts_.size()));
    if (!is_new) return entry->second;
    texts_.push_back(&entry->first);
    bytes_ += entry->first.size() + kTagAndLength;
    return entry->second;
  }

  size_t bytes() const { return bytes_; }  // upper bound of the bytes that write() adds

  void write(uint32_t field, std::string& out) const {
    for (const std::string* text : texts_) proto::put_bytes(out, field, *text);
  }

 private:
  static constexpr size_t kTagAndLength = 4;  // of texts of up to 2 MB

  std::unordered_map<std::string, int64_t> ids_;
  std::vector<const std::string*> texts_;  // keys of ids_, which do not move
  size_t bytes_ = 0;
};

}  // namespace hearth::profile
