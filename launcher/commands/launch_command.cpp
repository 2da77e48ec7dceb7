#include "launcher/commands/launch_command.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "launcher/attach/agent_library.h"
#include "launcher/attach/jvm.h"
#include "launcher/commands/java_command.h"
#include "launcher/text/output_file.h"

namespace hearth::launcher {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestJava = 8;
constexpr size_t kMostRelease = size_t{64} << 10;
constexpr const char* kToolOptions = "JAVA_TOOL_OPTIONS";
// The previous value of kToolOptions: the agent restores it, so that no child of its JVM is profiled.
constexpr const char* kToolOptionsBefore = "HEARTH_TOOL_OPTIONS_BEFORE";
constexpr const char* kComma = "HEARTH_COMMA";
// Of JVMs that run at the same time, the agent lets the first write the file; the suffix of the others is "-PID".
constexpr const char* kClaimed = "HEARTH_FILE_TO_CLAIM";
constexpr const char* kFileSuffix = "HEARTH_FILE_SUFFIX";

bool is_java(const std::string& program) {
  return fs::path(program).filename() == "java";
}

void refuse_second_agent(const std::string& options, const char* where) {
  if (options.find("libhearth.so") == std::string::npos) return;
  throw Error(formatted("{} has a hearth already: {}", where, options),
              "remove it, or start the program without launch");
}

// The agent expands %{ENV}; a comma would separate its options.
std::string without_commas(std::string file) {
  for (size_t at = 0; (at = file.find(',', at)) != std::string::npos;)
    file.replace(at, 1, formatted("%{{{}}}", kComma));
  return file;
}

// A script may start several JVMs that would write the same file; /dev/null can be shared.
bool has_to_be_told_apart(const std::string& file) {
  return file.find("%p") == std::string::npos && !is_written_in_place(file);
}

// "x%{HEARTH_FILE_SUFFIX}.pb.gz"
std::string told_apart(std::string file) {
  fs::path path(file);
  size_t ending = path.extension().string().size();
  if (path.extension() == ".gz") ending += path.stem().extension().string().size();
  return file.insert(file.size() - ending, formatted("%{{{}}}", kFileSuffix));
}

bool has_log_level(const std::vector<std::string>& options) {
  constexpr std::string_view kLevel = "loglevel=";
  return std::any_of(options.begin(), options.end(),
                     [&](const std::string& one) { return one.compare(0, kLevel.size(), kLevel) == 0; });
}

// Searches as execvp(3) does; empty if there is none.
std::optional<fs::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return fs::path(name);
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "/bin:/usr/bin" : path;
  for (size_t begin = 0; begin <= folders.size();) {
    size_t end = std::min(folders.find(':', begin), folders.size());
    fs::path file = fs::path(folders.substr(begin, end - begin)) / name;
    if (::access(file.c_str(), X_OK) == 0 && !fs::is_directory(file)) return file;
    begin = end + 1;
  }
  return std::nullopt;
}

// Reads the JDK's file `release`, one folder above its bin or (for the JRE of a JDK 8) two.
std::string version_of_java(const fs::path& java) {
  std::error_code error;
  fs::path folder = fs::canonical(java, error).parent_path().parent_path();
  for (const fs::path& home : {folder, folder.parent_path()}) {
    if (!fs::is_regular_file(home / "release", error)) continue;
    if (std::string version = version_in_release(read_file(home / "release", kMostRelease)); !version.empty())
      return version;
  }
  return "";
}

void check_program(const std::string& name) {
  std::optional<fs::path> program = find_program(name);
  if (!program) throw Error(formatted("there is no command {}", name), "give its path, or add its folder to PATH");
  if (!is_java(name)) return;
  std::string version = version_of_java(*program);
  int major = major_version(version);
  if (major != 0 && major < kOldestJava)
    throw Error(formatted("{} is of JDK {}", program->string(), version),
                formatted("hearth needs JDK {} or newer", kOldestJava));
}

std::string absolute_file(const std::string& typed) {
  std::string file = fs::absolute(typed).lexically_normal();
  if (fs::path(file).parent_path().string().find('%') != std::string::npos) return file;  // the agent fills it in
  if (std::string reason = why_not_writable(file); !reason.empty())
    throw Error(formatted("cannot write {}: {}", file, reason), "choose another place with -f");
  return file;
}

}  // namespace

std::string quoted_for_jvm(std::string_view word) {
  std::string quoted;
  char open = 0;
  for (char c : word) {
    bool special = c == '"' || c == '\'' || std::isspace(static_cast<unsigned char>(c)) != 0;
    char wanted = c == '\'' ? '"' : special ? '\'' : open;
    if (wanted != open && open != 0) quoted += open;
    if (wanted != open) quoted += wanted;
    open = wanted;
    quoted += c;
  }
  if (open != 0) quoted += open;
  return quoted;
}

int major_version(std::string_view version) {
  if (version.substr(0, 2) == "1.") version.remove_prefix(2);
  int major = 0;
  std::from_chars(version.data(), version.data() + version.size(), major);
  return major;
}

Launch plan_launch(const LaunchRequest& request, const std::string& library, const std::string& file,
                   const std::string& tool_options) {
  if (library.find('=') != std::string::npos)
    throw Error(formatted("the path of the agent, {}, has a =, at which a JVM splits the option", library),
                "give a copy or a link elsewhere with --libpath");
  refuse_second_agent(tool_options, kToolOptions);
  refuse_second_agent(joined(parse_java_command(request.command).options, " "), "the command");
  Launch launch{request.command, {}};
  bool is_script = !is_java(request.command[0]);
  bool apart = is_script && has_to_be_told_apart(file);
  if (apart) launch.environment = {{kClaimed, file}, {kFileSuffix, ""}};
  std::vector<std::string> words = {"start", "file=" + without_commas(apart ? told_apart(file) : file)};
  // The user at the terminal wants to know where the profile is.
  if (!has_log_level(request.options)) words.emplace_back("loglevel=info");
  words.insert(words.end(), request.options.begin(), request.options.end());
  std::string agent = formatted("-agentpath:{}={}", library, joined(words, ","));
  if (file.find(',') != std::string::npos) launch.environment[kComma] = ",";
  if (!is_script && !request.children) {
    launch.command.insert(launch.command.begin() + 1, agent);
    return launch;
  }
  launch.environment[kToolOptions] = (tool_options.empty() ? "" : tool_options + " ") + quoted_for_jvm(agent);
  if (!request.children) launch.environment[kToolOptionsBefore] = tool_options;
  return launch;
}

void run_launch_command(const LaunchRequest& request) {
  check_program(request.command[0]);
  const char* tool_options = std::getenv(kToolOptions);
  Launch launch = plan_launch(request, local_agent_library(request.libpath), absolute_file(request.file),
                              tool_options == nullptr ? "" : tool_options);
  for (const auto& [name, value] : launch.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& word : launch.command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  throw Error(formatted("cannot run {}: {}", request.command[0], std::strerror(errno)));
}

}  // namespace hearth::launcher
