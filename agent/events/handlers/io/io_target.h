// What a file descriptor is open for. Signal safe; asks the kernel only, which never waits for a file system or a peer.
#pragma once

#include <sys/socket.h>

#include "events/handlers/io/io_traits.h"

namespace hearth::events {

// How a connection came to be.
enum class Made : uint8_t { kUnknown, kConnected, kAccepted };

// `first_short_lived`: where `made` is unknown, a connection of a lower port to one from here on was accepted (ip(7),
// ip_local_port_range).
IoTarget target_of(int fd, Made made, uint16_t first_short_lived);
// A socket's address; kUnknown for other families.
IoTarget target_of(const sockaddr* address, socklen_t size, bool is_stream);
// Only its kind.
IoTarget without_name(const IoTarget& target);
// `name`: not null.
IoTarget host(const char* name);

}  // namespace hearth::events
