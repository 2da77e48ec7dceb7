// The launcher's flags that are options of the agent under another spelling.
#pragma once

#include <array>

#include "session/option_values.h"

namespace hearth::launcher {

enum class Stage { kCapture, kOutput };

// A flag that is an option of the agent under another spelling.
struct AgentFlag {
  const char* names;
  const char* key;   // the agent's
  const char* type;  // of its value; nullptr: it has none; in brackets: it may stand without
  Stage stage;
  const char* help;
  char comma = 0;  // what stands for a comma of the value at the agent, which parts its options by commas; 0: none can
};

inline constexpr std::array kAgentFlags = {
    AgentFlag{"-e,--event", "event", "EVENT", Stage::kCapture,
              "What to profile: cpu (default), cpu-clock, ctimer, itimer, wall, alloc, lock"},
    AgentFlag{
        "-i,--interval", "interval", "TIME", Stage::kCapture,
        "Between two samples: whole nanoseconds, or a whole number with us, ms, s; for alloc bytes, or with k, m"},
    AgentFlag{"--wall", "wall", "[TIME]", Stage::kCapture,
              "All threads, each so often (50ms): beside -e EVENT; without -e wall alone"},
    AgentFlag{"--alloc", "alloc", "[BYTES]", Stage::kCapture,
              "Allocations, one sample in so many bytes (512k): beside -e EVENT; without -e alloc alone"},
    AgentFlag{"--exact", "exact", nullptr, Stage::kCapture, "Allocations, each of them: slow"},
    AgentFlag{"--live", "live", nullptr, Stage::kCapture,
              "Allocations, and which of them are still reachable at the end"},
    AgentFlag{"--tlab", "tlab", nullptr, Stage::kCapture, "Allocations by new TLABs, not by the JVM's sampler"},
    AgentFlag{
        "--lock", "lock", "[TIME]", Stage::kCapture,
        "Waits for contended locks, shorter ones than this (10us) sampled: beside -e EVENT; without -e lock alone"},
    AgentFlag{"-j,--jstackdepth", "jstackdepth", "N", Stage::kCapture,
              "Deepest stack that is kept, in frames; N/M cuts deeper ones to M"},
    AgentFlag{"-F,--features", "features", "LIST", Stage::kCapture,
              "pcaddr: the exact instruction as innermost frame; vtable: the class of a virtual call; comptask: the "
              "method being compiled",
              '+'},
    AgentFlag{"--cstack", "cstack", "HOW", Stage::kCapture, "Stacks by vm (default), agct, fp, dwarf; or no"},
    AgentFlag{"--filter", "filter", "THREADS", Stage::kCapture,
              "Only threads with these ids, as 120-127,132, or names, which may be regular expressions", ';'},
    AgentFlag{"--begin", "begin", "FUNCTION", Stage::kCapture, "Record from when this native function is executed"},
    AgentFlag{"--end", "end", "FUNCTION", Stage::kCapture, "Record until this native function is executed"},
    AgentFlag{"--ttsp", "ttsp", nullptr, Stage::kCapture, "Record only while the JVM waits for its threads to stop"},
    AgentFlag{"--timeout", "timeout", "TIME", Stage::kCapture, "Start, and let the JVM stop by itself after this time"},
    AgentFlag{"-L,--loglevel", "loglevel", "LEVEL", Stage::kCapture, "debug, info, warn, error, none"},
    AgentFlag{"-t,--threads", "threads", nullptr, Stage::kOutput, "Each thread by itself"},
    AgentFlag{"-s,--simple", "simple", nullptr, Stage::kOutput, "Class names without their packages"},
    AgentFlag{"-n,--norm", "norm", nullptr, Stage::kOutput, "Generated names without their numbers"},
    AgentFlag{"-g,--sig", "sig", nullptr, Stage::kOutput, "Method signatures"},
    AgentFlag{"-a,--ann", "ann", nullptr, Stage::kOutput, "How each Java frame ran: _[j] _[i] _[0] _[1]"},
    AgentFlag{"-l,--lib", "lib", nullptr, Stage::kOutput, "Library names before native frames"},
    AgentFlag{"--lines", "lines", nullptr, Stage::kOutput, "Line numbers behind Java frames; pprof always has them"},
    AgentFlag{"--dot", "dot", nullptr, Stage::kOutput, "Dots, not slashes, in class names"},
    AgentFlag{"-I,--include", "include", "PATTERN", Stage::kOutput, "Only stacks with such a frame (repeatable)"},
    AgentFlag{"-X,--exclude", "exclude", "PATTERN", Stage::kOutput, "No stacks with such a frame (repeatable)"},
    AgentFlag{"--title", "title", "TEXT", Stage::kOutput, "Title of the page; no commas"},
    AgentFlag{"--minwidth", "minwidth", "PERCENT", Stage::kOutput, "Leave out frames narrower than this"},
    AgentFlag{
        "--transform", "transform", "T", Stage::kOutput,
        "What the page does to its stacks at first (repeatable): filter:P remove:P replace:/REGEX/TEXT/ hide:P fold:P "
        "keep-below:P keep-above:P collapse-recursion[:P] collapse-gaps[:P] merge-similar group:LABEL; P is a text or "
        "/REGEX/",
        session::kCommaInValue},
    AgentFlag{"--highlight", "highlight", "P", Stage::kOutput, "What the page colours at first (repeatable, up to six)",
              session::kCommaInValue},
    AgentFlag{"--sort", "sort", "name|width", Stage::kOutput, "How the page orders siblings at first (name)"},
    AgentFlag{"--reverse", "reverse", nullptr, Stage::kOutput, "Merge stacks from their leaves"},
    AgentFlag{"--inverted", "inverted", nullptr, Stage::kOutput, "Root at the top"},
    AgentFlag{"--samples", "samples", nullptr, Stage::kOutput, "Count samples, or allocated objects, or contentions"},
    AgentFlag{"--total", "total", nullptr, Stage::kOutput, "Count the total value: nanoseconds, or bytes"},
    AgentFlag{"--clojure", "clojure", "on|off", Stage::kOutput, "Clojure's own names; on where Clojure is loaded"},
};

}  // namespace hearth::launcher
