// The common texts of exceptions' messages, without the parts that differ from one to the next, or that may be
// somebody's data. Any thread, outside signals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hearth::events {

// Returns the message with # for words with digits, and * for texts in quotes, paths, addresses and values behind =;
// at most 64 characters, and … if there are more. UTF-8.
std::string shape_of_message(std::u16string_view message);

class MessageShapes {
 public:
  static constexpr uint16_t kNone = 0;
  static constexpr uint16_t kMost = 1000;   // shapes; further ones have one number together
  static constexpr size_t kMostRead = 512;  // UTF-16 units of a message, of which longer ones are cut

  uint16_t number_of(std::u16string_view message);
  // Returns "" for kNone. Any later time.
  std::string text(uint16_t number) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, uint16_t> numbers_;
  std::vector<std::string> texts_;  // by number - 1
};

}  // namespace hearth::events
