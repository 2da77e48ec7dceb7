// The table of options: every name, its values and meaning, and the entries that accept it. The agent's parser, the
// launcher's flags and help, HTTP's allow list and GET /api/options read it; tests compare all entries with it.
#pragma once

#include <array>
#include <string_view>

#include "options/options.h"

namespace hearth::options {

// Where users give options. A row that lists no entry is refused at it.
enum Entry : unsigned {
  kByAgent = 1,     // -agentpath, the attach text, hearth.Profiler
  kByLine = 2,      // a flag of the launcher
  kByHttp = 4,      // a key of a JSON body or a query
  kByMBean = 8,     // a word of a command over JMX
  kByClojure = 16,  // a key of hearth.core/start or stop
};
inline constexpr unsigned kByAll = kByAgent | kByLine | kByHttp | kByMBean | kByClojure;

enum class Group { kAction, kEvents, kStacks, kThreads, kSession, kFormat, kOutput, kPage, kServer, kStore, kLog };
// Its word in GET /api/options: "events".
std::string_view name_of(Group group);

enum class Takes { kNothing, kValue, kOptionalValue, kValues };  // kValues: given as often as one likes

// How a value holds several: in the agent's text a comma separates options.
enum class Commas {
  kRefused,
  kPlus,       // the launcher writes + for a comma
  kSemicolon,  // the launcher writes ; for a comma
  kKept,       // a comma of the launcher and of HTTP stays
  kKeptInJson  // of HTTP only
};

struct OptionRow {
  constexpr OptionRow(std::string_view option, Group of, unsigned by, Takes how = Takes::kNothing)
      : name(option), group(of), entries(by), takes(how) {}

  // Each returns the row with one more column.
  constexpr OptionRow flag(std::string_view type, char letter = 0) const {
    OptionRow row = *this;
    row.flag_type = type;
    row.flag_letter = letter;
    return row;
  }
  constexpr OptionRow also_flag(std::string_view other) const {
    OptionRow row = *this;
    row.other_flag = other;
    return row;
  }
  constexpr OptionRow accepting(std::string_view values, std::string_view one) const {
    OptionRow row = *this;
    row.accepts = values;
    row.example = one;
    return row;
  }
  constexpr OptionRow usually(std::string_view value) const {
    OptionRow row = *this;
    row.usual = value;
    return row;
  }
  constexpr OptionRow several(Commas how) const {
    OptionRow row = *this;
    row.commas = how;
    return row;
  }
  constexpr OptionRow of_path() const {
    OptionRow row = *this;
    row.is_path = true;
    return row;
  }
  constexpr OptionRow of_secret() const {
    OptionRow row = *this;
    row.is_secret = true;
    return row;
  }
  constexpr OptionRow meaning(std::string_view text) const {
    OptionRow row = *this;
    row.words = text;
    return row;
  }

  constexpr bool comes_by(Entry entry) const { return (entries & entry) != 0; }
  // The look of a profile, not sampling: a stop without such an option keeps those of its start.
  constexpr bool shapes_output() const {
    return group == Group::kOutput || group == Group::kPage || group == Group::kFormat;
  }

  std::string_view name;
  Group group;
  unsigned entries;  // of Entry
  Takes takes;
  std::string_view accepts;  // "" for a plain key
  Commas commas = Commas::kRefused;
  bool is_path = false;    // the launcher makes it absolute
  bool is_secret = false;  // no message shows the value
  char flag_letter = 0;    // async-profiler's short flag
  std::string_view flag_type;
  std::string_view other_flag;  // a second name of the flag, without dashes; "": none
  std::string_view usual;       // the default as a value of the option, "": none
  std::string_view example;
  std::string_view words;  // for help; the default is added
};

// All rows, in the order of the help.
struct OptionRows {
  const OptionRow* begin() const { return first; }
  const OptionRow* end() const { return last; }
  const OptionRow *first, *last;
};
OptionRows option_rows();

// Null for a name that is no option.
const OptionRow* option_named(std::string_view name);

// Whether an entry accepts the option; false for an unknown name.
bool comes_by(std::string_view name, Entry entry);

// Two options that exclude each other wherever they are given together.
struct Contradiction {
  std::string_view one, other;
};
inline constexpr std::array kContradictions = {Contradiction{"samples", "total"}};

// The sentences about them, where `dashes` comes before an option's name: "" for the agent, "--" for the launcher.
std::string exclusion_text(const Contradiction& both, std::string_view dashes);
std::string repetition_text(const OptionRow& row, std::string_view dashes, std::string_view one,
                            std::string_view other);

}  // namespace hearth::options
