// Sockets at which a process listens, from the kernel's lists.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace hearth::launcher {

using SocketNumbers = std::set<uint64_t>;  // inodes

// The inode in "socket:[123]", the target of a link in /proc/PID/fd; empty for another file.
std::optional<uint64_t> socket_number(std::string_view link);

// True if one of `sockets`, which the process has open, listens at `address`: http://HOST:PORT/ with a numeric host, or
// unix:PATH. Throws nothing except std::bad_alloc.
bool listens_at(pid_t pid, const std::string& address, const SocketNumbers& sockets);

// True if this line of /proc/PID/net/tcp, tcp6 or unix belongs to one of `sockets` and listens at `address`.
bool is_listener(std::string_view line, const std::string& address, const SocketNumbers& sockets);

}  // namespace hearth::launcher
