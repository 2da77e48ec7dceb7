// Labels of samples of I/O: what the call did, and with which file or peer.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "events/handlers/io/io_traits.h"
#include "profile/model/profile.h"

namespace hearth::naming {

inline constexpr std::string_view kHandshake = "handshake";

// Which functions make TLS connections: reads and writes below them are a handshake.
class Handshakes {
 public:
  // `function`: of the same profile each time, which has its name.
  bool is_one(const profile::Profile& profile, profile::FunctionId function);
  // The same of any function on a stack.
  bool has_one(const profile::Profile& profile, profile::NodeId stack);

 private:
  std::vector<int8_t> known_;  // by function: 1 or 0; -1: not looked at yet
};

// `number`: of `traits`.
void add_io_labels(uint16_t number, bool in_handshake, const events::IoTraits& traits, profile::LabelSet* labels);

}  // namespace hearth::naming
