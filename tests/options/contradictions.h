// Options that exclude each other, and values out of bounds, which every entry refuses alike. The tests of the agent's
// text, the launcher and HTTP read this list.
#pragma once

#include <string_view>
#include <vector>

namespace hearth::options {

struct GivenOption {
  std::string_view name, value;  // "": none
};

struct Contradicting {
  std::vector<GivenOption> options;
  std::string_view sentence;  // without dashes before names
};

inline const std::vector<Contradicting>& contradictions() {
  static const std::vector<Contradicting> kAll = {
      {{{"samples", ""}, {"total", ""}}, "samples and total exclude each other"},
      {{{"title", "a"}, {"title", "b"}}, "title was given twice, a and b; give it once"},
      {{{"interval", "1ms"}, {"interval", "2ms"}}, "interval was given twice, 1ms and 2ms; give it once"},
      {{{"alloc", "1k"}, {"alloc", "2k"}}, "alloc was given twice, 1k and 2k; give it once"},
      {{{"jstackdepth", "10"}, {"jstackdepth", "20"}}, "jstackdepth was given twice, 10 and 20; give it once"},
      {{{"sort", "name"}, {"sort", "width"}}, "sort was given twice, name and width; give it once"},
      {{{"exact", ""}, {"tlab", ""}}, "option exact: tlab does not record every object"},
      {{{"live", ""}, {"tlab", ""}}, "option live: tlab cannot follow objects"},
      {{{"ttsp", ""}, {"begin", "f"}}, "option ttsp: begin or end was given, too, and ttsp is both"},
      {{{"event", "cpu"}, {"interval", "99us"}}, "option interval: cannot use \"99us\""},
      {{{"wall", "2h"}}, "option wall: cannot use \"2h\""},
      {{{"alloc", "2g"}}, "option alloc: cannot use \"2g\""},
      {{{"lock", "2h"}}, "option lock: cannot use \"2h\""},
      {{{"jstackdepth", "8193"}}, "option jstackdepth: cannot use \"8193\""},
      {{{"minwidth", "101"}}, "option minwidth: cannot use \"101\""},
      {{{"features", "stats"}}, "option features: cannot use \"stats\""},
      {{{"cstack", "lbr"}}, "option cstack: cannot use \"lbr\""},
  };
  return kAll;
}

}  // namespace hearth::options
