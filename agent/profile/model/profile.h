// The profile model: the content of pprof's profile.proto, with stacks as one tree. Independent of the JVM. Not thread
// safe; a Profile is built by one thread and then only read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/id_index.h"
#include "profile/model/stack_indexes.h"
#include "profile/model/string_arena.h"

namespace hearth::profile {

// Kind of a frame; determines its suffix in text (`ann`) and its colour in the page. The numbers are stored in files:
// never reuse one.
enum class FrameKind : uint8_t {
  kInterpreted = 0,  // Java, _[0]
  kC1 = 1,           // Java, _[1]
  kJit = 2,          // Java compiled by C2, or compiled by an unknown compiler, _[j]
  kInlined = 3,      // Java, _[i]
  kNative = 4,       // C symbol, or [library] without one
  kCpp = 5,          // C++ symbol
  kKernel = 6,       // _[k] in every text output
  kStub = 7,         // JIT stub, adapter, or the interpreter itself
  kThread = 8,       // the outermost frame with `threads`: [name tid=123]
  kMarker = 9,       // one of the closed list of bracketed words: [unknown_Java], [truncated], [lost], …
  kClass = 10,       // class of the allocated object or of the lock, at the inner end of its stack
};
inline constexpr int kFrameKinds = 11;

using StringId = uint32_t;                           // index into Profile::strings(), 0 is ""
using FunctionId = uint32_t;                         // index into Profile::functions()
inline constexpr TimeStep kMostTimeSteps = 1 << 16;  // limit of readers
inline constexpr size_t kMostValueTypes = 256;       // likewise

struct Function {
  StringId name;         // as shown, without suffix: java/lang/String.indexOf, clojure.core/map, vfs_read
  StringId system_name;  // the JVM's or the linker's spelling; may equal name
  StringId file;         // source file, 0 if unknown
  FrameKind kind;
};

struct Location {
  FunctionId function;
  uint32_t line;  // 0 if unknown
};

struct ValueType {
  std::string type;      // "samples", "cpu", "alloc_space", …
  std::string unit;      // "count", "nanoseconds", "bytes"
  int64_t interval = 0;  // between two samples of this event, in `unit`; 0: not known here (see interval_of)
  // Samples below this weight were kept with probability weight / threshold and re-weighted to the threshold; 0: no
  // thinning.
  int64_t threshold = 0;
  // Of live memory: when its allocations began to be followed, and when it was looked at; 0: the value is a sum over
  // time. Profiles with one `followed_since_ns` are of one run of a program.
  int64_t followed_since_ns = 0;
  int64_t looked_at_ns = 0;  // both since 1970
};

// One label: text, or a number with its unit when `text` is empty.
struct Label {
  std::string key;
  std::string text;
  int64_t number = 0;
  std::string unit;
  bool operator<(const Label& other) const;
  bool operator==(const Label& other) const;
};
using LabelSet = std::vector<Label>;  // sorted by key

// The profile's account of its quality, part of every output; see quality.h for the names in comments and JSON.
struct Quality {
  uint64_t samples = 0;       // delivered and recorded
  uint64_t lost = 0;          // delivered and not recorded (ring or tree full); their weight is under [lost]
  int64_t lost_weight = 0;    // in the unit of the last value type
  uint64_t java_samples = 0;  // samples on threads that had Java frames
  uint64_t whole = 0;         // among java_samples, stacks that reach the thread's root and have Java frames
  std::map<std::string, uint64_t> failures;  // walk failures by bracketed word, without the brackets
  // Samples with their innermost frame outside the kernel in code without a symbol, by library; [unknown]: in none.
  std::map<std::string, uint64_t> without_symbols;
  uint64_t truncated = 0;  // stacks deeper than jstackdepth
  uint64_t recovered = 0;  // the first walk failed, a second one succeeded
  int64_t walk_ns_mean = 0;
  int64_t walk_ns_p50 = 0;  // half of the walks took this long or less
  int64_t walk_ns_p99 = 0;
  int64_t handler_ns_mean = 0;  // the whole signal handler, per sample
  int64_t handler_ns_p50 = 0;
  int64_t handler_ns_p99 = 0;
  int64_t own_cpu_ns = 0;      // CPU the profiling itself took: handlers and the agent's own threads; -1: not known
  int64_t threads_cpu_ns = 0;  // CPU of the sampled threads by their own clocks, 0 if not measured
  // Allocation profiles: exact counts by the JVM, which the samples estimate. Bytes of the profiled threads, 0 if
  // unknown.
  uint64_t allocated_bytes = 0;
  uint64_t sampled_bytes = 0;
  std::map<std::string, uint64_t> allocated_by_thread;  // by "NAME tid=TID"
  uint64_t gc_pauses = 0;
  int64_t gc_pause_ns = 0;         // all pauses together
  int64_t gc_cpu_ns = 0;           // CPU of the collector's threads
  int64_t process_cpu_ns = 0;      // of all threads
  std::string engine;              // perf_events, ctimer, itimer
  std::vector<std::string> notes;  // unavailable features, with reason and remedy; one line each
};

struct Metadata {
  std::string event;        // cpu, alloc, wall, …; several as "cpu, alloc"
  std::string shown_event;  // shown by default, if there are several; "": see default_event()
  std::string title;
  int64_t interval = 0;  // of the last value type, in its unit
  int64_t start_unix_ns = 0;
  int64_t duration_ns = 0;
  int64_t time_step_ns = 0;           // resolution of the samples' times; 0: no times
  std::string producer;               // "hearth 0.1.0"
  std::string runtime;                // "OpenJDK 64-Bit Server VM 17.0.15+6"
  std::string program;                // its main class or jar, without arguments
  std::string pid;                    // of the process, as seen by the JVM
  std::string host;                   // name of the machine or container; "" if unknown, or with redact
  std::vector<std::string> comments;  // of a profile written by another program
};

// Saturates at the ends of int64_t: a wrong sign would be worse than a full scale.
int64_t saturating_sum(int64_t a, int64_t b);

// Movable, not copyable; views of its texts stay valid after a move.
class Profile {
 public:
  Profile();

  // Each of these interns: equal arguments give the same id. Ids passed in must exist.
  StringId string(std::string_view text);
  FunctionId function(const Function& function);
  FunctionId function(std::string_view name, FrameKind kind);  // system_name as name, no file
  LocationId location(FunctionId function, uint32_t line);
  NodeId child(NodeId parent, LocationId location);
  // Saves time and memory if the numbers are known in advance; value_types must be set.
  void reserve(size_t nodes, size_t samples);
  // Frees the lookup indexes (about a third of the memory of a large profile). The next insert rebuilds them.
  void pack();
  LabelSetId label_set(LabelSet labels);

  // Adds `values` (one per value type) to the sample of this stack, label set and time, which is created if missing.
  // Sums saturate at 2^63-1. A stack without frames (the root) is counted under [unknown].
  void add(NodeId stack, LabelSetId labels, const int64_t* values, TimeStep time = kNoTime);

  std::string_view text(StringId id) const { return strings_[id]; }
  std::string_view function_name(FunctionId id) const { return strings_[functions_[id].name]; }
  FunctionId function_of(NodeId node) const { return locations_[nodes_[node].location].function; }

  using Sample = StackSample;
  size_t sample_count() const { return samples_.size(); }
  const Sample& sample(size_t index) const { return samples_[index]; }
  const int64_t* values(size_t index) const { return &values_[index * value_types.size()]; }

  const std::vector<std::string_view>& strings() const { return strings_; }
  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<Location>& locations() const { return locations_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<LabelSet>& label_sets() const { return label_sets_; }

  std::vector<ValueType> value_types;  // set before the first add(); the last one is the default lens
  Metadata metadata;
  Quality quality;

 private:
  friend class PreorderBuilder;

  // Appends a node that is known to be new, without an index.
  NodeId append_node(const Node& node);
  void append_sample(const Sample& sample, const int64_t* values);
  void add_values(size_t index, const int64_t* values);

  StringArena texts_;
  std::vector<std::string_view> strings_;
  std::vector<Function> functions_;
  std::vector<Location> locations_;
  std::vector<Node> nodes_;
  std::vector<LabelSet> label_sets_;
  std::vector<Sample> samples_;
  std::vector<int64_t> values_;  // value_types.size() per sample

  IdIndex string_index_;
  IdIndex function_index_;
  IdIndex location_index_;
  IdIndex label_set_index_;
  ChildIndex child_index_;
  SampleIndex sample_index_;
};

// Sampling interval of value type `type`, in its unit; 0: unknown.
int64_t interval_of(const Profile& profile, size_t type);

}  // namespace hearth::profile
