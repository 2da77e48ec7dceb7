#include "options/option_table.h"

#include <algorithm>
#include <iterator>

#include "base/formatted.h"
#include "options/event_options.h"
#include "options/event_table.h"
#include "options/http_address.h"
#include "options/store_options.h"

namespace hearth::options {
namespace {

constexpr std::string_view kSessionNames =
    "a name of letters, digits, . _ and -, 64 at most; to all but start also a number";

constexpr EventWords kEventMeaning = [] {
  EventWords words;
  words.add("What to profile: ");
  words.add(kEventWords);
  return words;
}();

// clang-format off
constexpr OptionRow kRows[] = {
    OptionRow("start", Group::kAction, kByAgent | kByMBean)
        .meaning("Start a session"),
    OptionRow("stop", Group::kAction, kByAgent | kByMBean)
        .meaning("Stop a session and write its profile"),
    OptionRow("pause", Group::kAction, kByAgent | kByMBean)
        .meaning("Sample no more of an event, or of any"),
    OptionRow("resume", Group::kAction, kByAgent | kByMBean)
        .meaning("Sample a paused event again"),
    OptionRow("dump", Group::kAction, kByAgent | kByMBean)
        .meaning("Write the profile so far; the session goes on"),
    OptionRow("status", Group::kAction, kByAgent | kByMBean)
        .meaning("Report the state of the agent"),
    OptionRow("metrics", Group::kAction, kByAgent | kByMBean)
        .meaning("Report the same as figures for Prometheus"),
    OptionRow("list", Group::kAction, kByAgent | kByMBean)
        .meaning("List the events that the JVM offers"),
    OptionRow("version", Group::kAction, kByAgent | kByMBean)
        .meaning("Report the version of the agent"),
    OptionRow("heap-holders", Group::kAction, kByAgent, Takes::kOptionalValue).accepting("numbers of sites, + between several, at most 20", "1f+2e").several(Commas::kPlus)
        .meaning("Report which references keep live objects on the heap"),
    OptionRow("stop-http", Group::kAction, kByAgent)
        .meaning("Stop the control server"),
    OptionRow("event", Group::kEvents, kByAll, Takes::kValue).flag("EVENT", 'e').accepting(kEventWords, "cpu").usually("cpu").several(Commas::kKept)
        .meaning(kEventMeaning),
    OptionRow("interval", Group::kEvents, kByAll, Takes::kValue).flag("TIME", 'i').accepting(kIntervals, "1ms")
        .meaning("Between two samples of the first event: ns, or with us, ms, s; for alloc and nativemem bytes, or with k, m; for page-faults, context-switches, calls and exception a number; for trace the shortest call"),
    OptionRow("wall", Group::kEvents, kByAll, Takes::kOptionalValue).flag("TIME").accepting(kSamplingIntervals, "20ms").usually("50ms")
        .meaning("Time of all threads, one sample per TIME; added to the chosen event, or alone if none is chosen"),
    OptionRow("alloc", Group::kEvents, kByAll, Takes::kOptionalValue).flag("BYTES").accepting(kAllocationIntervals, "1m").usually("512k")
        .meaning("Allocations, one sample per BYTES; added to the chosen event, or alone if none is chosen"),
    OptionRow("exact", Group::kEvents, kByAll)
        .meaning("Allocations, each of them: slow"),
    OptionRow("live", Group::kEvents, kByAll)
        .meaning("Allocations, and which of them are still reachable at the end"),
    OptionRow("tlab", Group::kEvents, kByAll)
        .meaning("Allocations by new TLABs, not by the JVM's sampler"),
    OptionRow("lock", Group::kEvents, kByAll, Takes::kOptionalValue).flag("TIME").accepting(kLockIntervals, "1ms").usually("10us")
        .meaning("Waits for contended locks, sampled below TIME; added to the chosen event, or alone if none is chosen"),
    OptionRow("nativemem", Group::kEvents, kByAll, Takes::kOptionalValue).flag("BYTES").accepting(kAllocationIntervals, "1m").usually("512k")
        .meaning("Native memory, one sample per BYTES; added to the chosen event, or alone if none is chosen"),
    OptionRow("nativelock", Group::kEvents, kByAll, Takes::kOptionalValue).flag("TIME").accepting(kLockIntervals, "1ms").usually("10us")
        .meaning("Waits for contended native locks, sampled below TIME; added to the chosen event, or alone if none is chosen"),
    OptionRow("io", Group::kEvents, kByAll, Takes::kOptionalValue).flag("TIME").accepting(kLockIntervals, "1ms").usually("10ms")
        .meaning("Calls that read, write, connect and the like, sampled below TIME; added to the chosen event, or alone if none is chosen"),
    OptionRow("redact", Group::kEvents, kByAll)
        .meaning("I/O without the names of files, peers and hosts"),
    OptionRow("nofree", Group::kEvents, kByAll)
        .meaning("Native memory without its releases: less overhead, and no native-live"),
    OptionRow("messages", Group::kEvents, kByAll)
        .meaning("Exceptions, also by their messages without numbers, names in quotes and the like"),
    OptionRow("trace", Group::kEvents, kByAll, Takes::kValues).flag("METHOD[:TIME]").accepting("CLASS.METHOD or NAMESPACE/FUNCTION with * for any text, and :TIME up to 1h, as :50ms", "com.acme.Shop.buy:50ms")
        .meaning("Count the calls of these methods by their time, and sample those that take TIME or longer; any number of times"),
    OptionRow("jstackdepth", Group::kStacks, kByAll, Takes::kValue).flag("N", 'j').accepting("1 to 8192, or two numbers as 2048/64, the second not above the first", "2048/64").usually("2048")
        .meaning("Deepest stack that is kept, in frames; N/M cuts deeper ones to M"),
    OptionRow("features", Group::kStacks, kByAll, Takes::kValue).flag("LIST", 'F').accepting("pcaddr, vtable, comptask; + between several", "vtable+comptask").several(Commas::kPlus)
        .meaning("pcaddr: the exact instruction as innermost frame; vtable: the class of a virtual call; comptask: the method being compiled"),
    OptionRow("cstack", Group::kStacks, kByAll, Takes::kValue).flag("HOW").accepting("vm, vmx, agct, dwarf, fp, no", "fp").usually("vmx")
        .meaning("Stacks by vmx, fp, dwarf; by vm or agct, without native frames between Java's; or no native frames"),
    OptionRow("alluser", Group::kStacks, kByAgent | kByLine).flag("").also_flag("all-user")
        .meaning("No kernel frames: perf_events then need fewer rights"),
    OptionRow("record-cpu", Group::kStacks, kByAgent | kByLine)
        .meaning("A frame for the CPU that the thread ran on; needs perf_events"),
    OptionRow("memlimit", Group::kStacks, kByAgent | kByLine, Takes::kValue).flag("BYTES").accepting("1m to 256m bytes", "32m").usually("256m")
        .meaning("Most memory for stacks; beyond it new ones are counted as [lost]"),
    OptionRow("show-profiler", Group::kStacks, kByAll)
        .meaning("Also hearth's own frames on the program's threads, and the thread of its commands"),
    OptionRow("filter", Group::kThreads, kByAll, Takes::kValue).flag("THREADS").accepting("thread ids, ranges, names: 120-127;main;pool-.*", "120-127;main;pool-.*").several(Commas::kSemicolon)
        .meaning("Only threads with these ids, as 120-127,132, or names, which may be regular expressions"),
    OptionRow("target-cpu", Group::kThreads, kByAgent | kByLine, Takes::kValue).flag("CPU").accepting("the number of a CPU", "1")
        .meaning("Only samples of this CPU; needs perf_events"),
    OptionRow("signal", Group::kThreads, kByAgent | kByLine, Takes::kValue).flag("N").accepting("a signal's number, or two as 27/30, of cpu and wall", "27")
        .meaning("Signal that interrupts threads for samples, in place of any free one"),
    OptionRow("begin", Group::kThreads, kByAll, Takes::kValue).flag("FUNCTION").accepting("a native function", "VM_ThreadDump::doit")
        .meaning("Record from when this native function is executed"),
    OptionRow("end", Group::kThreads, kByAll, Takes::kValue).flag("FUNCTION").accepting("a native function", "VM_Exit::doit")
        .meaning("Record until this native function is executed"),
    OptionRow("ttsp", Group::kThreads, kByAll)
        .meaning("Record only while the JVM waits for its threads to stop"),
    OptionRow("nostop", Group::kThreads, kByAgent | kByLine)
        .meaning("Mark the windows of begin and end in recordings, and record outside of them, too"),
    OptionRow("timeout", Group::kSession, kByAll, Takes::kValue).flag("TIME").accepting("seconds, 10m, 2h, hh:mm:ss", "10m")
        .meaning("Start, and let the JVM stop by itself after this time"),
    OptionRow("loop", Group::kSession, kByAgent | kByLine, Takes::kValue).flag("TIME").accepting("seconds, 10m, 2h, hh:mm:ss", "1h")
        .meaning("Start, write the profile each time this time has passed, and start again; %t or %n in the file's name keep them apart"),
    OptionRow("session", Group::kSession, kByAll, Takes::kValue).flag("NAME").accepting(kSessionNames, "web-1")
        .meaning("Name of a session, which may then run in addition to others of its events; of other actions the session that is meant, also by its number"),
    OptionRow("chunksize", Group::kSession, kByAgent | kByLine | kByMBean, Takes::kValue).flag("BYTES").accepting("bytes from 256k, 100m, 1g", "10m").usually("100m")
        .meaning("Size after which a JFR recording begins its next chunk"),
    OptionRow("chunktime", Group::kSession, kByAgent | kByLine | kByMBean, Takes::kValue).flag("TIME").accepting("seconds, 10m, 2h, hh:mm:ss", "10m").usually("1h")
        .meaning("Time after which a JFR recording begins its next chunk"),
    OptionRow("clock", Group::kSession, kByAgent | kByLine | kByMBean, Takes::kValue).flag("CLOCK").accepting("monotonic or tsc", "tsc").usually("monotonic")
        .meaning("Clock of a JFR recording's times: CLOCK_MONOTONIC, or the processor's counter; with jfrsync that of the JVM unless given"),
    OptionRow("jfrsync", Group::kSession, kByAgent | kByLine | kByMBean, Takes::kOptionalValue).flag("SETTINGS").accepting("default, profile, a .jfc file, or +EVENT+EVENT", "profile").usually("default")
        .meaning("Record the JVM's own events as well (JDK Flight Recorder), into the same JFR file"),
    OptionRow("jfropts", Group::kSession, kByAgent | kByLine | kByMBean, Takes::kValue).flag("N").accepting("a sum of 1, 2, 4, 8 and 16; or mem", "3").usually("0")
        .meaning("Parts that a JFR recording leaves out: 1 the system, 2 properties, 4 libraries, 8 CPU load; 16 and mem are accepted without an effect"),
    OptionRow("publish-context", Group::kSession, kByAgent | kByLine).flag("")
        .meaning("start: publish labels and spans of threads for profilers outside of the JVM, as OpenTelemetry's; until the JVM ends"),
    OptionRow("loglevel", Group::kLog, kByAgent | kByLine, Takes::kValue).flag("LEVEL", 'L').accepting("debug (or trace), info, warn, error, none", "debug").usually("warn")
        .meaning("The least severe messages to print: debug, info, warn, error, none"),
    OptionRow("log", Group::kLog, kByAgent, Takes::kValue).accepting("a path", "/tmp/hearth.log").of_path()
        .meaning("File of the messages"),
    OptionRow("quiet", Group::kLog, kByAgent)
        .meaning("No messages"),
    OptionRow("reply", Group::kLog, kByAgent, Takes::kValue).accepting("a path", "/tmp/reply").of_path()
        .meaning("Internal: file of the answer to the launcher"),
    OptionRow("file", Group::kFormat, kByAgent | kByLine, Takes::kValue).flag("FILE", 'f').accepting("a path; %p %t %n %{ENV} are expanded", "/tmp/profile-%p.html").of_path()
        .meaning("Write the profile to this file"),
    OptionRow("collapsed", Group::kFormat, kByAgent | kByMBean | kByClojure)
        .meaning("Collapsed stacks"),
    OptionRow("flamegraph", Group::kFormat, kByAgent | kByMBean | kByClojure)
        .meaning("A page with a flame graph"),
    OptionRow("tree", Group::kFormat, kByAgent | kByMBean)
        .meaning("The page, opened on its tree"),
    OptionRow("pprof", Group::kFormat, kByAgent | kByMBean | kByClojure)
        .meaning("A pprof file"),
    OptionRow("jfr", Group::kFormat, kByAgent | kByMBean)
        .meaning("A JFR recording, written while the session runs"),
    OptionRow("otlp", Group::kFormat, kByAgent | kByMBean | kByClojure)
        .meaning("A file of OpenTelemetry's protocol for profiles"),
    OptionRow("flat", Group::kFormat, kByAgent | kByMBean | kByClojure, Takes::kOptionalValue).accepting("how many methods", "20").usually("200")
        .meaning("Text: the hottest methods"),
    OptionRow("traces", Group::kFormat, kByAgent | kByMBean | kByClojure, Takes::kOptionalValue).accepting("how many stacks", "20").usually("200")
        .meaning("Text: the hottest stacks"),
    OptionRow("threads", Group::kOutput, kByAll).flag("", 't')
        .meaning("Each thread by itself"),
    OptionRow("simple", Group::kOutput, kByAll).flag("", 's')
        .meaning("Class names without their packages"),
    OptionRow("norm", Group::kOutput, kByAll).flag("", 'n')
        .meaning("Generated names without their numbers"),
    OptionRow("sig", Group::kOutput, kByAll).flag("", 'g')
        .meaning("Method signatures"),
    OptionRow("ann", Group::kOutput, kByAll).flag("", 'a')
        .meaning("How each Java frame ran: _[j] _[i] _[0] _[1]"),
    OptionRow("lib", Group::kOutput, kByAll).flag("", 'l')
        .meaning("Library names before native frames"),
    OptionRow("lines", Group::kOutput, kByAll)
        .meaning("Line numbers after Java frames; pprof always has them"),
    OptionRow("dot", Group::kOutput, kByAll)
        .meaning("Dots, not slashes, in class names"),
    OptionRow("include", Group::kOutput, kByAll, Takes::kValues).flag("PATTERN", 'I').accepting("a frame name, * at its start or end", "java/*").several(Commas::kKeptInJson)
        .meaning("Only stacks with such a frame (repeatable)"),
    OptionRow("exclude", Group::kOutput, kByAll, Takes::kValues).flag("PATTERN", 'X').accepting("a frame name, * at its start or end", "*.park").several(Commas::kKeptInJson)
        .meaning("No stacks with such a frame (repeatable)"),
    OptionRow("title", Group::kPage, kByAll, Takes::kValue).flag("TEXT").accepting("a text", "Before the change").several(Commas::kKept)
        .meaning("Title of the page"),
    OptionRow("minwidth", Group::kPage, kByAll, Takes::kValue).flag("PERCENT").accepting("percent, 0 to 100", "0.5").usually("0")
        .meaning("Leave out frames narrower than this"),
    OptionRow("transform", Group::kPage, kByAll, Takes::kValues).flag("T").accepting(profile::kTransformForms, "merge-similar").several(Commas::kKept)
        .meaning("Change of the stacks that the page opens with (repeatable): filter:P remove:P replace:/REGEX/TEXT/ hide:P fold:P keep-below:P keep-above:P collapse-recursion[:P] collapse-gaps[:P] merge-similar group:LABEL; P is a text or /REGEX/"),
    OptionRow("highlight", Group::kPage, kByAll, Takes::kValues).flag("P").accepting("a text, or /REGEX/", "/parse/").several(Commas::kKept)
        .meaning("Frames that the page colours at first (repeatable, up to six)"),
    OptionRow("sort", Group::kPage, kByAll, Takes::kValue).flag("name|width").accepting("name, width", "width").usually("name")
        .meaning("How the page orders siblings at first"),
    OptionRow("reverse", Group::kPage, kByAll)
        .meaning("Merge stacks from their leaves"),
    OptionRow("inverted", Group::kPage, kByAll)
        .meaning("Root at the top"),
    OptionRow("samples", Group::kOutput, kByAll)
        .meaning("Count samples, or allocated objects, or contentions"),
    OptionRow("total", Group::kOutput, kByAll)
        .meaning("Count the total value: nanoseconds, or bytes"),
    OptionRow("clojure", Group::kOutput, kByAll, Takes::kOptionalValue).flag("on|off").accepting("on, off", "off")
        .meaning("Clojure's own names; on where Clojure is loaded"),
    OptionRow("http", Group::kServer, kByAgent | kByLine, Takes::kValue).flag("[ADDR:]PORT").accepting(kHttpAddresses, "7070")
        .meaning("Listen for HTTP at this address"),
    OptionRow("token", Group::kServer, kByAgent | kByLine, Takes::kValue).flag("FILE").accepting("a path; a file that is there must be this user's alone", "/run/secret").of_path()
        .meaning("Take the secret from this file; a file that does not exist is created"),
    OptionRow("keep", Group::kServer, kByAgent | kByLine, Takes::kValue).flag("SIZE[/N]").accepting("bytes, 500m, 4g; 4g/1000: and no more than 1000 profiles", "4g/1000").usually("1g/10000")
        .meaning("How much stored profiles may take, and how many there may be"),
    OptionRow("store", Group::kStore, kByAgent | kByLine, Takes::kOptionalValue).flag("DIR").accepting("a directory; %p is expanded", "/tmp/store-%p").of_path()
        .meaning("start: keep windows of a low-rate profile in this directory, permanently (%p is the process id); stop: end that"),
    OptionRow("window", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("TIME").accepting(kWindowLengths, "30s").usually("1m")
        .meaning("Length of a window of the store"),
    OptionRow("budget", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("PERCENT").accepting("percent of a CPU: 1%, 0.5%", "0.5%").usually("1%")
        .meaning("Limit of the cost of the store, as a share of one CPU, or of the CPU time of the process where that is more"),
    OptionRow("on", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("WHEN").accepting(kFlightTriggers, "cpu>90%|oom")
        .meaning("Keep the last minutes apart when this is met: 'cpu>90%|oom|deadlock' and others"),
    OptionRow("freeze", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("TIME").accepting("a duration up to 1d: 5m; a bare number is minutes", "10m").usually("5m")
        .meaning("How much of the past --on keeps"),
    OptionRow("push", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("URL").accepting("http://HOST:PORT of Pyroscope, or http://HOST:4318/v1development/profiles; https:// as well", "http://localhost:4040").of_secret()
        .meaning("Push the store's windows to Pyroscope, http://HOST:4040, or to an OpenTelemetry collector, http://HOST:4318/v1development/profiles"),
    OptionRow("push-labels", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("LABELS").accepting("service:NAME;version:V;env:prod", "service:shop")
        .meaning(R"(Labels of the pushed windows: "service:NAME;version:V;env:prod")"),
    OptionRow("push-token", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("FILE").accepting("a path; the file holds a bearer token", "/run/token").of_path()
        .meaning("A bearer token for that server"),
    OptionRow("push-credentials", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("FILE").accepting("a path; the file holds USER:PASSWORD", "/run/credentials").of_path()
        .meaning("USER:PASSWORD for that server, which only this user may read"),
    OptionRow("push-ca", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("FILE").accepting("a path; the file holds certificates in PEM form", "/run/ca.pem").of_path()
        .meaning("Authorities that an https:// server is trusted by, in place of the system's"),
    OptionRow("push-tenant", Group::kStore, kByAgent | kByLine, Takes::kValue).flag("TENANT").accepting("the tenant of Pyroscope, as team-a", "team-a")
        .meaning("Tenant of Pyroscope that the windows belong to"),
    OptionRow("from", Group::kStore, kByAgent, Takes::kValue).accepting("a time: 10:02, 2026-11-23T10:02, -10m", "-10m")
        .meaning("Start of the range of a store that is asked for"),
    OptionRow("to", Group::kStore, kByAgent, Takes::kValue).accepting("a time, as from", "-5m")
        .meaning("End of that range"),
};
// clang-format on

}  // namespace

std::string_view name_of(Group group) {
  constexpr std::string_view kNames[] = {"action", "events", "stacks", "threads", "session", "format",
                                         "output", "page",   "server", "store",   "log"};
  return kNames[static_cast<size_t>(group)];
}

OptionRows option_rows() {
  return {std::begin(kRows), std::end(kRows)};
}

const OptionRow* option_named(std::string_view name) {
  const OptionRow* row =
      std::find_if(std::begin(kRows), std::end(kRows), [name](const OptionRow& one) { return one.name == name; });
  return row == std::end(kRows) ? nullptr : row;
}

bool comes_by(std::string_view name, Entry entry) {
  const OptionRow* row = option_named(name);
  return row != nullptr && row->comes_by(entry);
}

std::string exclusion_text(const Contradiction& both, std::string_view dashes) {
  return formatted("{0}{1} and {0}{2} exclude each other", dashes, both.one, both.other);
}

std::string repetition_text(const OptionRow& row, std::string_view dashes, std::string_view one,
                            std::string_view other) {
  std::string name = formatted("{}{}", dashes, row.name);
  if (row.is_secret) return formatted("{} was given twice; give it once", name);
  return formatted("{} was given twice, {} and {}; give it once", name, one, other);
}

}  // namespace hearth::options
