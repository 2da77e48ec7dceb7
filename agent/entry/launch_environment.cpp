#include "entry/launch_environment.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "base/formatted.h"
#include "base/text_parts.h"

namespace hearth::entry {
namespace {

constexpr const char* kToolOptions = "JAVA_TOOL_OPTIONS";
constexpr const char* kBefore = "HEARTH_TOOL_OPTIONS_BEFORE";

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
  const char* before = std::getenv(kBefore);
  if (before == nullptr) return;
  if (*before == '\0')
    unsetenv(kToolOptions);
  else
    setenv(kToolOptions, before, 1);
  unsetenv(kBefore);
}

void disambiguate_output_file() {
  constexpr const char* kFile = "HEARTH_FILE_TO_CLAIM";
  const char* file = std::getenv(kFile);
  if (file == nullptr) return;
  setenv("HEARTH_FILE_SUFFIX", claim(file) ? "" : formatted("-{}", getpid()).c_str(), 1);
  unsetenv(kFile);
}

void add_java_tool_option(const std::string& option) {
  const char* set = std::getenv(kToolOptions);
  std::string before = set == nullptr ? "" : set;
  // Quotes keep blanks together.
  const char* quote = option.find(' ') == std::string::npos ? "" : option.find('\'') == std::string::npos ? "'" : "\"";
  setenv(kBefore, before.c_str(), 1);
  setenv(kToolOptions, formatted("{}{}{}{}{}", before, before.empty() ? "" : " ", quote, option, quote).c_str(), 1);
}

std::string with_own_file(std::string_view command) {
  constexpr std::string_view kFile = "file=";
  std::string own;
  for (std::string_view part : parts_of(command, ',')) {
    std::string option(part);
    if (part.substr(0, kFile.size()) == kFile &&
        !claim(std::filesystem::absolute(option.substr(kFile.size())).string())) {
      size_t slash = option.rfind('/'), dot = option.rfind('.');
      bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
      option.insert(has_ending ? dot : option.size(), "-%p");
    }
    own += (own.empty() ? "" : ",") + option;
  }
  return own;
}

}  // namespace hearth::entry
