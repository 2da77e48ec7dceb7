#include "profile/jfr/read_stacks.h"

#include <algorithm>

#include "profile/codec/utf8.h"
#include "profile/formats/frame_text.h"
#include "profile/names/java_names.h"

namespace hearth::profile::jfr::recorded {
namespace {

enum FrameField : size_t { kMethod, kLine, kType };

uint64_t frame_type_of(const Types& types, uint64_t stack_trace) {
  const Type* type = types.of(stack_trace);
  if (type == nullptr) return 0;
  for (const Field& field : type->fields)
    if (field.name == "frames") return field.type;
  return 0;
}

struct KindWord {
  std::string_view description;
  FrameKind kind;
};
// The last line has OpenJ9's words. Another word, as "AOT compiled" of a native image, is of compiled code.
constexpr KindWord kKinds[] = {
    {"Interpreted", FrameKind::kInterpreted},
    {"JIT compiled", FrameKind::kJit},
    {"Inlined", FrameKind::kInlined},
    {"Native", FrameKind::kNative},
    {"C++", FrameKind::kCpp},
    {"Kernel", FrameKind::kKernel},
    {"C1 compiled", FrameKind::kC1},
    {"INTERPRETED", FrameKind::kInterpreted},
    {"JIT_INLINED", FrameKind::kInlined},
    {"NATIVE", FrameKind::kNative},
};

// "Foo$$Lambda+0x00007f…" inside of HotSpot is "Foo$$Lambda.0x00007f…" to JVMTI, and so in sessions.
std::string as_in_sessions(std::string_view class_name) {
  std::string name(class_name);
  size_t hidden = name.find("+0x");
  if (hidden != std::string::npos) name[hidden] = '.';
  return name;
}

// A Java method that is native is one of Java, as in sessions.
FrameKind kind_of(FrameKind described, bool is_java_method, std::string_view name) {
  if (is_java_method) return is_java(described) ? described : FrameKind::kJit;
  if (described == FrameKind::kKernel || described == FrameKind::kCpp) return described;
  return is_java(kind_of_name(name)) ? FrameKind::kNative : kind_of_name(name);
}

}  // namespace

Stacks::Stacks(const Input& chunk, const Types& types, Constants* constants, ExpansionLimit* names, Profile* profile)
    : chunk_(chunk), constants_(constants), names_(names), profile_(profile) {
  uint64_t type = frame_type_of(types, constants->stack_traces.type());
  if (type != 0) frame_reader_ = RecordReader(types, type, {"method", "lineNumber", "type"});
  stacks_.resize(type == 0 ? 0 : constants->stack_traces.size(), {kUnresolved, false, false});
  methods_.resize(constants->methods.size());
  for (uint32_t one = 0; one < constants->frame_types.size(); ++one)
    has_native_code_ |= constants->string_at(constants->frame_types.field(one, field::kWord)) == "Kernel";
}

Stack Stacks::of(uint64_t stack_trace) {
  std::optional<uint32_t> known = constants_->stack_traces.find(stack_trace);
  if (!known || *known >= stacks_.size()) return {};
  Stack& stack = stacks_[*known];
  if (stack.node == kUnresolved) stack = resolve(*known);
  return stack;
}

Stack Stacks::resolve(uint32_t stack_trace) {
  const Pool& pool = constants_->stack_traces;
  Stack stack;
  stack.is_truncated = pool.field(stack_trace, field::kIsTruncated) != 0;
  put_path(pool.field(stack_trace, field::kFrames));
  if (stack.is_truncated && !path_.empty()) path_.insert(path_.begin(), kUnresolved);
  size_t depth = 0, comparable = std::min(path_.size(), path_before_.size());
  while (depth < comparable && path_[depth] == path_before_[depth]) ++depth;
  nodes_before_.resize(depth);
  stack.node = depth == 0 ? 0 : nodes_before_.back();
  for (; depth < path_.size(); ++depth) {
    stack.node =
        profile_->child(stack.node, path_[depth] == kUnresolved ? truncated() : places_[path_[depth]].location);
    nodes_before_.push_back(stack.node);
  }
  auto is_java = [this](uint32_t place) { return place != kUnresolved && places_[place].is_java; };
  stack.has_java = std::any_of(path_.begin(), path_.end(), is_java);
  path_before_.swap(path_);
  return stack;
}

LocationId Stacks::truncated() {
  return profile_->location(profile_->function("[truncated]", FrameKind::kMarker), 0);
}

// Reads the frames at this offset of the chunk, which are innermost first.
void Stacks::put_path(uint64_t frames) {
  path_.clear();
  if (frames == 0) return;
  Input input = chunk_.from(frames);
  RecordReader::read_array(frame_reader_, &input, [this](const Record& record) {
    path_.push_back(place_of({record[kMethod], record[kType], static_cast<uint32_t>(record[kLine])}));
  });
  std::reverse(path_.begin(), path_.end());
  // The inner half of a Clojure call, which has the line, replaces the outer half.
  auto kept = path_.begin();
  for (uint32_t place : path_) {
    if (kept != path_.begin() && are_one_call(kept[-1], place)) --kept;
    *kept++ = place;
  }
  path_.erase(kept, path_.end());
}

bool Stacks::are_one_call(uint32_t outer, uint32_t inner) {
  uint32_t outer_method = places_[outer].method, inner_method = places_[inner].method;
  if (outer_method == kUnresolved || inner_method == kUnresolved) return false;
  const Method &caller = methods_[outer_method], &callee = methods_[inner_method];
  return !caller.clojure_method.empty() && caller.java_class == callee.java_class &&
         are_one_clojure_call(caller.clojure_method, callee.clojure_method);
}

uint32_t Stacks::place_of(const Frame& frame) {
  uint64_t hash = mix(mix(frame.method, frame.type), frame.line);
  auto is_equal = [&](uint32_t other) { return frames_[other] == frame; };
  if (std::optional<uint32_t> known = frame_index_.find(hash, is_equal)) return *known;
  places_.push_back(resolve(frame));
  frames_.push_back(frame);
  return frame_index_.find_or_claim(hash, is_equal);
}

Stacks::Place Stacks::resolve(const Frame& frame) {
  std::optional<uint32_t> constant = constants_->methods.find(frame.method);
  if (!constant)
    return {profile_->location(profile_->function("[unknown]", FrameKind::kMarker), 0), kUnresolved, false};
  FrameKind described = described_kind(frame.type);
  const Method& known = method(*constant, described);
  FrameKind kind = kind_of(described, known.is_java, profile_->text(known.name));
  uint32_t line = frame.line > INT32_MAX ? 0 : frame.line;  // -1: unknown
  return {profile_->location(profile_->function({known.name, known.system_name, 0, kind}), line), *constant,
          is_java(kind)};
}

const Stacks::Method& Stacks::method(uint32_t constant, FrameKind described) {
  Method& known = methods_[constant];
  if (known.name == kUnresolved) known = named(constant, described);
  return known;
}

Stacks::Method Stacks::named(uint32_t constant, FrameKind described) {
  const Pool& pool = constants_->methods;
  Method method;
  method.java_class = pool.field(constant, field::kClass);
  std::string class_name = as_in_sessions(constants_->class_name(method.java_class));
  std::string name(constants_->symbol(pool.field(constant, field::kMethodName)));
  // The JDK's "Native" is a Java method, async-profiler's a function.
  bool is_native = described == FrameKind::kCpp || described == FrameKind::kKernel ||
                   (described == FrameKind::kNative && has_native_code_);
  method.is_java = !class_name.empty() && !is_native;
  if (!method.is_java) {
    method.name = method.system_name = interned(name.empty() ? "[unknown]" : name);
    return method;
  }
  std::string descriptor(constants_->symbol(pool.field(constant, field::kDescriptor)));
  JavaNameStyle raw;
  raw.clojure = false;
  raw.signature = true;
  method.name = interned(java_frame_name(class_name, name, descriptor, {}));
  method.system_name = interned(java_frame_name(class_name, name, descriptor, raw));
  if (!clojure_name(class_name, name).empty()) method.clojure_method = name;
  return method;
}

StringId Stacks::interned(const std::string& name) {
  names_->spend(name.size(), {{}, "the recording"});
  return profile_->string(valid_utf8(name));
}

FrameKind Stacks::described_kind(uint64_t type) {
  for (const auto& [known, kind] : frame_kinds_)
    if (known == type) return kind;
  std::string_view description = constants_->word(constants_->frame_types, type);
  FrameKind kind = FrameKind::kJit;
  for (const KindWord& one : kKinds)
    if (one.description == description) kind = one.kind;
  constexpr size_t kMostKinds = 64;  // a damaged recording may have very many
  if (frame_kinds_.size() < kMostKinds) frame_kinds_.emplace_back(type, kind);
  return kind;
}

NodeId Stacks::with_class(NodeId stack, uint64_t java_class, std::string_view suffix) {
  if (java_class == 0) return stack;
  auto is_it = [&](uint32_t other) {
    return classes_[other].java_class == java_class && classes_[other].suffix == suffix;
  };
  uint32_t number = class_index_.find_or_claim(mix(java_class, suffix.size()), is_it);
  if (number == classes_.size()) {
    classes_.push_back({java_class, suffix, kUnresolved});
    JavaNameStyle style;
    style.dots = true;
    std::string name = java_frame_name(as_in_sessions(constants_->class_name(java_class)), "", "", style);
    StringId id = interned(name.empty() ? name : name.append(suffix));
    if (!name.empty())
      classes_[number].location = profile_->location(profile_->function({id, id, 0, FrameKind::kClass}), 0);
  }
  LocationId location = classes_[number].location;
  return location == kUnresolved ? stack : profile_->child(stack, location);
}

}  // namespace hearth::profile::jfr::recorded
