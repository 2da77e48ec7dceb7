#include "launcher/line/asprof_line.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "base/error.h"
#include "base/formatted.h"
#include "launcher/line/typed_values.h"
#include "launcher/line/usage_error.h"
#include "options/asprof/asprof_command.h"
#include "options/option_text.h"

namespace hearth::launcher {
namespace {

constexpr const char* kVersion = "Async-profiler 4.5 (hearth " HEARTH_VERSION ")\n";

constexpr const char* kHelp = R"(Usage: asprof [ACTION] [OPTIONS] PID|NAME|jps
hearth with the command line of async-profiler; hearth --help has more.

Actions:
  collect    profile for a while and print or write the result; the default
  start      start profiling and return
  resume     start profiling again and keep the recorded samples
  stop       stop profiling and print or write the result
  dump       print or write the result so far
  status     print whether profiling runs
  metrics    print figures of the agent for Prometheus
  list       list the events
  load       load a native agent: load PID LIBRARY true|false [OPTIONS]
  jcmd       execute a diagnostic command: jcmd PID COMMAND
  threaddump print the stacks of all threads

Options:
  -e, --event EVENT     cpu, alloc, lock, wall, nativemem, nativelock, itimer, ctimer,
                        cpu-clock, page-faults, context-switches, exception,
                        CLASS.METHOD, a counter or a native function (asprof list PID)
  -d SECONDS            how long to collect (60)
  -f FILE               write the result to this file; .html, .jfr, .collapsed, .pb.gz, .otlp or text
  -i, --interval N      nanoseconds, or with us, ms, s
  -j, --jstackdepth N   deepest stack that is kept; N/M cuts deeper ones to M
  -t, --threads         each thread by itself
  -s -n -g -a -l --dot  simple names, normalized names, signatures, annotations, libraries, dots
  -o FORMAT             flat, traces, collapsed, flamegraph, tree, jfr, otlp, pprof
  -I, -X PATTERN        only stacks with, without such a frame
  -F, --features LIST   mixed, vtable, comptask, pcaddr
  -L, --log LEVEL       debug, info, warn, error, none
  -v, --version         print the version
  --alloc N, --lock T, --wall T, --nativemem N, --nofree, --nativelock T
  --all, --live, --tlab
  --trace METHOD[:T]    calls of a Java method that take T or longer; may be repeated
  --total, --reverse, --inverted, --title TEXT, --minwidth PERCENT
  --proc SECONDS        sample the machine's busy processes, into a recording
  --ratelimit LIMITS    events a second in a recording, as cpu:100,span:50
  --loop T, --timeout T, --filter THREADS, --cstack fp|dwarf|vm|vmx|no, --signal N
  --begin FUNCTION, --end FUNCTION, --ttsp, --nostop
  --all-user, --record-cpu, --target-cpu CPU, --memlimit N, --libpath PATH
)";

constexpr std::string_view kActions[] = {"start", "resume", "stop", "dump", "status", "metrics", "list", "collect"};
constexpr std::string_view kJvmActions[] = {"load", "jcmd", "threaddump", "dumpheap", "inspectheap"};

// A flag and the agent's word for it. Those of the capture belong to the start.
struct Flag {
  std::string_view name, letter, word;
  bool has_value;
  bool is_of_capture;
  char comma = 0;  // in place of a comma in the value, or kEscaped; 0: a comma is refused
};

constexpr char kEscaped = '\\', kSeparate = ',';

// clang-format off
constexpr Flag kFlags[] = {
    {"--event", "-e", "event", true, true, kSeparate},
    {"--interval", "-i", "interval", true, true},
    {"--jstackdepth", "-j", "jstackdepth", true, true},
    {"--threads", "-t", "threads", false, true},
    {"--simple", "-s", "simple", false, false},
    {"--norm", "-n", "norm", false, false},
    {"--sig", "-g", "sig", false, false},
    {"--ann", "-a", "ann", false, false},
    {"--lib", "-l", "lib", false, false},
    {"--dot", "", "dot", false, false},
    {"--include", "-I", "include", true, false, kEscaped},
    {"--exclude", "-X", "exclude", true, false, kEscaped},
    {"--log", "-L", "loglevel", true, false},
    {"--features", "-F", "features", true, true, '+'},
    {"--filter", "", "filter", true, true, ';'},
    {"--title", "", "title", true, false, kEscaped},
    {"--width", "", "width", true, false},
    {"--height", "", "height", true, false},
    {"--minwidth", "", "minwidth", true, false},
    {"--reverse", "", "reverse", false, false},
    {"--inverted", "", "inverted", false, false},
    {"--samples", "", "samples", false, false},
    {"--total", "", "total", false, false},
    {"--alloc", "", "alloc", true, true},
    {"--nativemem", "", "nativemem", true, true},
    {"--nofree", "", "nofree", false, true},
    {"--nativelock", "", "nativelock", true, true},
    {"--lock", "", "lock", true, true},
    {"--wall", "", "wall", true, true},
    {"--trace", "", "trace", true, true},
    {"--proc", "", "proc", true, true},
    {"--all", "", "all", false, true},
    {"--live", "", "live", false, true},
    {"--tlab", "", "tlab", false, true},
    {"--nobatch", "", "nobatch", false, true},
    {"--nostop", "", "nostop", false, true},
    {"--record-cpu", "", "record-cpu", false, true},
    {"--target-cpu", "", "target-cpu", true, true},
    {"--all-user", "", "alluser", false, true},
    {"--sched", "", "sched", false, true},
    {"--cstack", "", "cstack", true, true},
    {"--safe-mode", "", "safemode", true, true},
    {"--signal", "", "signal", true, true},
    {"--clock", "", "clock", true, true},
    {"--begin", "", "begin", true, true},
    {"--end", "", "end", true, true},
    {"--ttsp", "", "ttsp", false, true},
    {"--memlimit", "", "memlimit", true, true},
    {"--ratelimit", "", "ratelimit", true, true, ';'},
    {"--chunksize", "", "chunksize", true, true},
    {"--chunktime", "", "chunktime", true, true},
    {"--jfrsync", "", "jfrsync", true, true},
    {"--jfropts", "", "jfropts", true, true},
    {"--timeout", "", "timeout", true, true},
    {"--loop", "", "loop", true, true},
    {"--fdtransfer", "", "fdtransfer", false, true},
};
// clang-format on

template <size_t N>
bool has(const std::string_view (&all)[N], std::string_view one) {
  return std::find(std::begin(all), std::end(all), one) != std::end(all);
}

bool begins_with_digit(const std::string& text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : arguments_(arguments) {}
  std::variant<AsprofText, AsprofRequest, JvmCommandRequest> read();

 private:
  bool has_more() const { return next_ < arguments_.size(); }
  std::string value_of(const std::string& flag);
  void read_argument(const std::string& argument);
  bool read_flag(const std::string& argument);
  void check() const;

  const std::vector<std::string>& arguments_;
  size_t next_ = 0;
  AsprofRequest request_;
  bool is_jvm_action_ = false;
};

std::string Reader::value_of(const std::string& flag) {
  if (!has_more()) throw UsageError(formatted("{} needs a value", flag));
  return arguments_[next_++];
}

bool Reader::read_flag(const std::string& argument) {
  const Flag* flag = std::find_if(std::begin(kFlags), std::end(kFlags), [&](const Flag& one) {
    return argument == one.name || (!one.letter.empty() && argument == one.letter);
  });
  if (flag == std::end(kFlags)) return false;
  std::string word(flag->word);
  if (flag->has_value) {
    std::string value = value_of(argument);
    if (flag->comma == 0 && value.find(',') != std::string::npos)
      throw UsageError(
          formatted("{} {}: a comma separates the agent's options and cannot be in a value", argument, value));
    if (flag->comma != 0 && flag->comma != kEscaped) std::replace(value.begin(), value.end(), ',', flag->comma);
    if (flag->comma != kSeparate) value = options::escaped_value(value);
    word += "=" + value;
  }
  (flag->is_of_capture ? request_.capture : request_.style).push_back(word);
  bool runs_by_itself = flag->word == "timeout" || flag->word == "loop";
  if (runs_by_itself && request_.action == "collect") request_.action = "start";
  if (flag->word == "jfrsync" || flag->word == "jfropts") request_.output = "jfr";
  return true;
}

void Reader::read_argument(const std::string& argument) {
  bool is_last = !has_more();
  if (has(kActions, argument)) {
    request_.action = argument;
  } else if (has(kJvmActions, argument)) {
    request_.action = argument;
    is_jvm_action_ = true;
  } else if (argument == "-d" || argument == "--duration") {
    request_.duration = parse_duration(argument, value_of(argument));
  } else if (argument == "-f" || argument == "--file") {
    request_.file = value_of(argument);
  } else if (argument == "-o" || argument == "--output") {
    request_.output = value_of(argument);
  } else if (argument == "--libpath") {
    request_.libpath = value_of(argument);
  } else if (read_flag(argument)) {
    return;
  } else if (argument.substr(0, 1) == "-") {
    throw UsageError(formatted("Unrecognized option: {}; asprof --help lists them", argument));
  } else if (request_.target.empty() && (begins_with_digit(argument) || argument == "jps" || is_last)) {
    request_.target = argument;
  } else {
    throw UsageError(formatted("Unrecognized option: {}; asprof --help lists actions and options", argument));
  }
}

// Reads the command as the agent will: a mistake is found before anything is attached to.
void Reader::check() const {
  std::string file = request_.file.empty() ? "" : std::filesystem::absolute(request_.file).string();
  for (const std::string& action :
       {request_.action == "collect" ? std::string("start") : request_.action, std::string("stop")}) {
    if (action == "stop" && request_.action != "collect") return;
    try {
      options::parse_asprof_command(asprof_options(action, request_, file).substr(options::kAsprofMark.size()));
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
  }
}

std::variant<AsprofText, AsprofRequest, JvmCommandRequest> Reader::read() {
  while (has_more() && !(is_jvm_action_ && !request_.target.empty())) {
    std::string argument = arguments_[next_++];
    if (argument == "-h" || argument == "--help") return AsprofText{kHelp};
    if (argument == "-v" || argument == "--version" || argument == "version") return AsprofText{kVersion};
    read_argument(argument);
  }
  if (is_jvm_action_ && !request_.target.empty()) {
    JvmCommandRequest command = {request_.target, {request_.action}};
    command.words.insert(command.words.end(), arguments_.begin() + static_cast<std::ptrdiff_t>(next_),
                         arguments_.end());
    return command;
  }
  if (request_.target.empty()) return AsprofText{kHelp, true};
  check();
  return request_;
}

}  // namespace

std::variant<AsprofText, AsprofRequest, JvmCommandRequest> parse_asprof_line(
    const std::vector<std::string>& arguments) {
  return Reader(arguments).read();
}

}  // namespace hearth::launcher
