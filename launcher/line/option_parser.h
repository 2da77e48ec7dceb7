// Wraps CLI11 with the few functions that this launcher needs: options by name, and every error as a UsageError.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hearth::launcher {

class OptionParser {
 public:
  explicit OptionParser(const std::string& usage);
  OptionParser(const OptionParser&) = delete;
  OptionParser& operator=(const OptionParser&) = delete;
  ~OptionParser();

  void add_flag(const std::string& names, const std::string& help);
  // Giving it twice is an error unless `repeats`.
  void add_value(const std::string& names, const std::string& type, const std::string& help, bool repeats = false);
  // Its value may be missing before another option or at the end; then it is "".
  void add_optional_value(const std::string& names, const std::string& type, const std::string& help);

  // False if help was requested. Throws UsageError, with the nearest known option for an unknown one.
  bool parse(std::vector<std::string> arguments);

  std::string help() const;
  bool has(const std::string& name) const;
  std::vector<std::string> all(const std::string& name) const;
  std::string last(const std::string& name) const { return has(name) ? all(name).back() : std::string(); }
  // The words that are not options, in their order.
  std::vector<std::string> words() const;

 private:
  void refuse_misread_values(const std::vector<std::string>& arguments) const;
  bool samples() const;  // true if the command's options describe a session
  void refuse_unknown() const;
  void refuse_repeated() const;

  const std::unique_ptr<CLI::App> app_;
  CLI::Option* words_;
  std::vector<const CLI::Option*> single_;
};

}  // namespace hearth::launcher
