#include "launcher/line/option_parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/formatted.h"
#include "launcher/line/typed_values.h"
#include "launcher/line/usage_error.h"
#include "options/asprof_options.h"
#include "options/option_table.h"

namespace hearth::launcher {
namespace {

class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {
    constexpr size_t kColumn = 28;
    column_width(kColumn);
  }
  std::string make_usage(const CLI::App*, std::string) const override { return "Usage: " + usage_ + "\n"; }
  std::string make_positionals(const CLI::App*) const override { return ""; }

 private:
  std::string usage_;
};

}  // namespace

OptionParser::OptionParser(const std::string& usage)
    : app_(std::make_unique<CLI::App>()), words_(app_->add_option("words")->expected(-1)->take_all()) {
  app_->formatter(std::make_shared<HelpFormatter>(usage));
  app_->allow_extras();
  app_->set_help_flag("-h,--help", "Show this text");
}

OptionParser::~OptionParser() = default;

std::string OptionParser::help() const {
  return app_->help();
}

bool OptionParser::has(const std::string& name) const {
  return (*app_)[name]->count() > 0;
}

std::vector<std::string> OptionParser::all(const std::string& name) const {
  return (*app_)[name]->results();
}

std::vector<std::string> OptionParser::words() const {
  return words_->results();
}

void OptionParser::add_flag(const std::string& names, const std::string& help) {
  app_->add_flag(names)->description(help);
}

void OptionParser::add_value(const std::string& names, const std::string& type, const std::string& help, bool repeats) {
  CLI::Option* option = app_->add_option(names);
  option->description(help)->option_text(type)->expected(1)->take_all()->allow_extra_args(false);
  if (!repeats) single_.push_back(option);
}

void OptionParser::add_optional_value(const std::string& names, const std::string& type, const std::string& help) {
  CLI::Option* option = app_->add_option(names);
  option->description(help)->option_text(type)->expected(0, 1)->take_all()->allow_extra_args(false);
  single_.push_back(option);
}

bool OptionParser::parse(std::vector<std::string> arguments) {
  refuse_misread_values(arguments);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 reads them from the back
  try {
    app_->parse(arguments);
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ArgumentMismatch& error) {
    std::string what = error.what();
    throw UsageError(what.substr(0, what.find(':')) + " needs a value; hearth --help shows all options");
  } catch (const CLI::ParseError& error) {
    throw UsageError(formatted("{}; hearth --help shows all options", error.what()));
  }
  refuse_unknown();
  refuse_repeated();
  return true;
}

// CLI11 takes the next word as a value even if it is an option, and accepts a value for a flag that has none.
void OptionParser::refuse_misread_values(const std::vector<std::string>& arguments) const {
  auto named = [this](const std::string& word) {
    bool is_option = word.size() > 1 && word[0] == '-';
    return is_option ? app_->get_option_no_throw(word.substr(0, word.find('='))) : nullptr;
  };
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; i++) {
    const std::string& word = arguments[i];
    const CLI::Option* option = named(word);
    if (option == nullptr) continue;
    size_t equals = word.find('=');
    bool is_flag = option->get_items_expected_max() == 0;
    if (is_flag && equals != std::string::npos)
      throw UsageError(
          formatted("{} takes no value, but {} was given", word.substr(0, equals), word.substr(equals + 1)));
    bool takes_next = equals == std::string::npos && option->get_items_expected_min() > 0;
    if (!takes_next || i + 1 == arguments.size()) continue;
    if (named(arguments[i + 1]) != nullptr)
      throw UsageError(formatted("{} needs a value, but {} is an option", word, arguments[i + 1]));
    i++;
  }
}

bool OptionParser::samples() const {
  return app_->get_option_no_throw("--interval") != nullptr;
}

void OptionParser::refuse_unknown() const {
  std::vector<std::string> unknown = app_->remaining();
  if (unknown.empty()) return;
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  std::string typed = unknown[0].substr(0, unknown[0].find('='));
  std::string_view instead = samples() && typed.substr(0, 2) == "--"
                                 ? options::instead_of_asprof_option(typed.substr(2), options::Grammar::kFlags)
                                 : std::string_view();
  if (!instead.empty()) throw UsageError(formatted("{} is an option of async-profiler: {}", typed, instead));
  throw UsageError(formatted("unknown option {}{}", typed, did_you_mean(typed, names)));
}

void OptionParser::refuse_repeated() const {
  for (const CLI::Option* option : single_) {
    if (option->count() < 2) continue;
    const std::string& name = option->get_lnames().front();
    const std::string &first = option->results()[0], &second = option->results()[1];
    if (const options::OptionRow* row = options::option_named(name))
      throw UsageError(options::repetition_text(*row, "--", first, second));
    throw UsageError(formatted("--{} was given twice, {} and {}; give it once", name, first, second));
  }
}

}  // namespace hearth::launcher
