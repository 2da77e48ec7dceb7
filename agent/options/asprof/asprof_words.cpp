#include "options/asprof/asprof_words.h"

#include <algorithm>
#include <iterator>

namespace hearth::options {
namespace {

using Kind = AsprofKind;

constexpr std::string_view kOldFlameGraph = "pages fit the window by themselves";

// clang-format off
constexpr AsprofWord kWords[] = {
    {"start", Kind::kAction, ""},
    {"resume", Kind::kAction, ""},
    {"stop", Kind::kAction, ""},
    {"dump", Kind::kAction, ""},
    {"status", Kind::kAction, ""},
    {"metrics", Kind::kAction, ""},
    {"list", Kind::kAction, ""},
    {"version", Kind::kAction, ""},
    {"check", Kind::kRefused, "start refuses an event that cannot be sampled; list has the events"},
    {"meminfo", Kind::kRefused, "metrics has the agent's memory"},

    {"event", Kind::kSpecial, ""},
    {"cpu", Kind::kEvent, ""},
    {"wall", Kind::kEvent, ""},
    {"alloc", Kind::kEvent, ""},
    {"lock", Kind::kEvent, ""},
    {"live", Kind::kOption, ""},
    {"tlab", Kind::kOption, ""},
    {"all", Kind::kSpecial, ""},
    {"nativemem", Kind::kEvent, ""},
    {"nofree", Kind::kSpecial, ""},
    {"nativelock", Kind::kEvent, ""},
    {"trace", Kind::kSpecial, ""},
    {"proc", Kind::kSpecial, ""},

    {"collapsed", Kind::kFormat, ""},
    {"flamegraph", Kind::kFormat, ""},
    {"tree", Kind::kFormat, ""},
    {"jfr", Kind::kFormat, ""},
    {"otlp", Kind::kFormat, ""},
    {"pprof", Kind::kFormat, ""},
    {"flat", Kind::kText, ""},
    {"traces", Kind::kText, ""},
    {"text", Kind::kSpecial, ""},
    {"jfrsync", Kind::kSpecial, ""},
    {"jfropts", Kind::kSpecial, ""},
    {"summary", Kind::kIgnored, "text begins with it"},
    {"svg", Kind::kRefused, "SVG is obsolete; use flamegraph, or a name that ends in .html"},

    {"interval", Kind::kSpecial, ""},
    {"jstackdepth", Kind::kSpecial, ""},
    {"features", Kind::kSpecial, ""},
    {"cstack", Kind::kSpecial, ""},
    {"filter", Kind::kSpecial, ""},
    {"timeout", Kind::kSpecial, ""},
    {"loop", Kind::kSpecial, ""},
    {"memlimit", Kind::kSpecial, ""},
    {"target-cpu", Kind::kSpecial, ""},
    {"signal", Kind::kOption, ""},
    {"alluser", Kind::kOption, ""},
    {"record-cpu", Kind::kOption, ""},
    {"nostop", Kind::kOption, ""},
    {"threads", Kind::kOption, ""},
    {"sched", Kind::kRefused, "hearth does not group by scheduling policy; threads shows each thread"},
    {"nobatch", Kind::kIgnored, "samples of idle threads are always exact"},
    {"fdtransfer", Kind::kIgnored, "the process opens its perf events itself, or samples by timers"},
    {"safemode", Kind::kIgnored, "stacks are always walked safely"},
    {"mcache", Kind::kIgnored, "names are always cached"},
    {"framebuf", Kind::kIgnored, "memory for frames grows by itself"},
    {"width", Kind::kIgnored, kOldFlameGraph},
    {"height", Kind::kIgnored, kOldFlameGraph},
    {"ratelimit", Kind::kSpecial, ""},

    {"simple", Kind::kOption, ""},
    {"norm", Kind::kOption, ""},
    {"sig", Kind::kOption, ""},
    {"ann", Kind::kOption, ""},
    {"lib", Kind::kOption, ""},
    {"dot", Kind::kOption, ""},
    {"samples", Kind::kSpecial, ""},
    {"total", Kind::kSpecial, ""},
    {"include", Kind::kOption, ""},
    {"exclude", Kind::kOption, ""},
    {"begin", Kind::kOption, ""},
    {"end", Kind::kOption, ""},
    {"ttsp", Kind::kOption, ""},
    {"title", Kind::kSpecial, ""},
    {"minwidth", Kind::kOption, ""},
    {"reverse", Kind::kOption, ""},
    {"inverted", Kind::kOption, ""},

    {"file", Kind::kSpecial, ""},
    {"log", Kind::kOption, ""},
    {"loglevel", Kind::kOption, ""},
    {"quiet", Kind::kSpecial, ""},
    {"server", Kind::kRefused, "http=PORT starts hearth's control server"},
};
// clang-format on

}  // namespace

const AsprofWord* asprof_word(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kWords), std::end(kWords), [&](const AsprofWord& one) { return one.name == name; });
  return found == std::end(kWords) ? nullptr : found;
}

}  // namespace hearth::options
