// The words of async-profiler's commands.
#pragma once

#include <string_view>

namespace hearth::options {

enum class AsprofKind {
  kAction,
  kEvent,    // an event alone: alloc, wall=50ms
  kFormat,   // one of them counts, the last
  kText,     // flat and traces, which can be combined
  kOption,   // hearth's option of the same name, or of the name in `words`
  kSpecial,  // asprof_command.cpp reads it
  kIgnored,  // `words`: why it needs no effect
  kRefused   // `words`: what to do instead
};

struct AsprofWord {
  std::string_view name;
  AsprofKind kind;
  std::string_view words;
};

// Null for a word that async-profiler does not know, either.
const AsprofWord* asprof_word(std::string_view name);

}  // namespace hearth::options
