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
#include "options/asprof/asprof_command.h"
#include "options/option_text.h"

namespace hearth::entry {
namespace {

constexpr const char* kToolOptions = "JAVA_TOOL_OPTIONS";
constexpr const char* kBefore = "HEARTH_TOOL_OPTIONS_BEFORE";
// Not in JAVA_TOOL_OPTIONS, which the JVM prints: a command may hold a password.
constexpr const char* kCommand = "HEARTH_PRELOADED_COMMAND";

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

void preload_in_java(const std::string& library, const PreloadedCommand& command) {
  const char* set = std::getenv(kBefore);  // by this library, if the JDK's launcher has run itself again
  if (set == nullptr) set = std::getenv(kToolOptions);
  std::string before = set == nullptr ? "" : set;
  // Quotes keep blanks together.
  bool is_plain = library.find_first_of(" \t'\"") == std::string::npos;
  const char* quote = is_plain ? "" : library.find('\'') == std::string::npos ? "'" : "\"";
  setenv(kBefore, before.c_str(), 1);
  setenv(kToolOptions,
         formatted("{}{}{}-agentpath:{}{}", before, before.empty() ? "" : " ", quote, library, quote).c_str(), 1);
  setenv(kCommand, formatted("{}{}", command.is_asprof ? options::kAsprofMark : "", command.text).c_str(), 1);
}

std::optional<PreloadedCommand> take_preloaded_command() {
  const char* command = std::getenv(kCommand);
  if (command == nullptr) return std::nullopt;
  std::string text = command;
  unsetenv(kCommand);
  bool is_asprof = text.compare(0, options::kAsprofMark.size(), options::kAsprofMark) == 0;
  return PreloadedCommand{is_asprof ? text.substr(options::kAsprofMark.size()) : text, is_asprof};
}

std::string with_own_file(std::string_view command) {
  constexpr std::string_view kFile = "file=";
  std::string own;
  for (std::string& option : options::option_words(command)) {
    if (option.compare(0, kFile.size(), kFile) == 0 &&
        !claim(std::filesystem::absolute(option.substr(kFile.size())).string())) {
      size_t slash = option.rfind('/'), dot = option.rfind('.');
      bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
      option.insert(has_ending ? dot : option.size(), "-%p");
    }
    own += (own.empty() ? "" : ",") + options::escaped_value(option);
  }
  return own;
}

}  // namespace hearth::entry
