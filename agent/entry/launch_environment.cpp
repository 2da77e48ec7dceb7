#include "entry/launch_environment.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>

#include "base/formatted.h"

namespace hearth::entry {
namespace {

// Binds a socket without a file (unix(7), abstract): it has one owner, and is free again after its end, however that
// ends. False: another process owns it.
bool claim(const std::string& file) {
  std::string name = formatted("hearth writes {:016x}", std::hash<std::string>()(file));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  int claimed = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);  // stays open as long as the process
  return claimed < 0 || ::bind(claimed, reinterpret_cast<sockaddr*>(&address), size) == 0 || errno != EADDRINUSE;
}

}  // namespace

void restore_java_tool_options() {
  constexpr const char* kBefore = "HEARTH_TOOL_OPTIONS_BEFORE";
  const char* before = std::getenv(kBefore);
  if (before == nullptr) return;
  if (*before == '\0')
    unsetenv("JAVA_TOOL_OPTIONS");
  else
    setenv("JAVA_TOOL_OPTIONS", before, 1);
  unsetenv(kBefore);
}

void disambiguate_output_file() {
  constexpr const char* kFile = "HEARTH_FILE_TO_CLAIM";
  const char* file = std::getenv(kFile);
  if (file == nullptr) return;
  setenv("HEARTH_FILE_SUFFIX", claim(file) ? "" : formatted("-{}", getpid()).c_str(), 1);
  unsetenv(kFile);
}

}  // namespace hearth::entry
