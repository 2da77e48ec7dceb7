// Labels of samples of I/O: what the call did, and with which file or peer.
#pragma once

#include <cstdint>
#include <string_view>

#include "events/handlers/io/io_traits.h"
#include "profile/model/profile.h"

namespace hearth::naming {

inline constexpr std::string_view kHandshake = "handshake";

// True if the function is one that makes TLS connections: reads and writes below it are a handshake.
bool is_handshake(const profile::Profile& profile, const profile::Function& function);
// The same of any function on a stack, as named in `profile`.
bool is_in_handshake(const profile::Profile& profile, profile::NodeId stack);

// `number`: of `traits`.
void add_io_labels(uint16_t number, bool in_handshake, const events::IoTraits& traits, profile::LabelSet* labels);

}  // namespace hearth::naming
