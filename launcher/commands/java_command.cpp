#include "launcher/commands/java_command.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace hearth::launcher {
namespace {

// Options of `java` that take the next argument as value.
constexpr std::array<std::string_view, 16> kOptionsWithValue = {"-cp",
                                                                "-classpath",
                                                                "--class-path",
                                                                "-p",
                                                                "--module-path",
                                                                "--upgrade-module-path",
                                                                "--add-modules",
                                                                "--add-reads",
                                                                "--add-exports",
                                                                "--add-opens",
                                                                "--patch-module",
                                                                "--limit-modules",
                                                                "-d",
                                                                "--describe-module",
                                                                "--source",
                                                                "--enable-native-access"};

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::vector<std::string> words_of(const std::vector<std::string>& environment, std::string_view name) {
  std::vector<std::string> words;
  for (const std::string& entry : environment) {
    bool wanted = entry.size() > name.size() && entry.compare(0, name.size(), name) == 0 && entry[name.size()] == '=';
    if (!wanted) continue;
    std::istringstream stream(entry.substr(name.size() + 1));
    for (std::string word; stream >> word;) words.push_back(word);
  }
  return words;
}

}  // namespace

JavaCommand parse_java_command(const std::vector<std::string>& arguments) {
  JavaCommand command;
  if (arguments.empty()) return command;
  std::string program = base_name(arguments[0]);
  if (program != "java") {
    command.main = program;
    return command;
  }
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    bool last = i + 1 == arguments.size();
    if (argument == "-jar" || argument == "-m" || argument == "--module") {
      if (!last) command.main = base_name(arguments[i + 1]);
      return command;
    }
    if (!argument.empty() && argument[0] != '-' && argument[0] != '@') {
      command.main = base_name(argument);
      return command;
    }
    command.options.push_back(argument);
    bool has_value = std::find(kOptionsWithValue.begin(), kOptionsWithValue.end(), argument) != kOptionsWithValue.end();
    if (has_value && !last) command.options.push_back(arguments[++i]);
  }
  return command;
}

std::optional<bool> flag_value(const std::vector<std::string>& options, std::string_view name) {
  constexpr std::string_view kPrefix = "-XX:";
  for (auto option = options.rbegin(); option != options.rend(); ++option) {
    std::string_view text = *option;
    bool ours = text.size() == kPrefix.size() + 1 + name.size() && text.substr(0, kPrefix.size()) == kPrefix &&
                text.substr(kPrefix.size() + 1) == name;
    if (ours && text[kPrefix.size()] == '+') return true;
    if (ours && text[kPrefix.size()] == '-') return false;
  }
  return std::nullopt;
}

std::vector<std::string> jvm_options(const JavaCommand& command, const std::vector<std::string>& environment) {
  std::vector<std::string> options = words_of(environment, "JAVA_TOOL_OPTIONS");
  for (std::string& word : words_of(environment, "JDK_JAVA_OPTIONS")) options.push_back(std::move(word));
  options.insert(options.end(), command.options.begin(), command.options.end());
  for (std::string& word : words_of(environment, "_JAVA_OPTIONS")) options.push_back(std::move(word));
  return options;
}

}  // namespace hearth::launcher
