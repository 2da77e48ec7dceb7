// CLI11 behind the few words that this launcher needs: every option by name, every mistake as a UsageError.
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
  // Unless it `repeats`, giving it twice is a mistake.
  void add_value(const std::string& names, const std::string& type, const std::string& help, bool repeats = false);
  // May stand without a value before another option or at the end; then its value is "".
  void add_optional_value(const std::string& names, const std::string& type, const std::string& help);

  // False when help was asked for. Throws UsageError, with the nearest known option when one is unknown.
  bool parse(std::vector<std::string> arguments);

  std::string help() const;
  bool has(const std::string& name) const;
  std::vector<std::string> all(const std::string& name) const;
  std::string last(const std::string& name) const { return has(name) ? all(name).back() : std::string(); }
  // The words that are no options, in their order.
  std::vector<std::string> words() const;

 private:
  void refuse_misread_values(const std::vector<std::string>& arguments) const;
  bool samples() const;  // whether the command's options describe a session
  void refuse_unknown() const;
  void refuse_repeated() const;

  const std::unique_ptr<CLI::App> app_;
  CLI::Option* words_;
  std::vector<const CLI::Option*> single_;
};

}  // namespace hearth::launcher
