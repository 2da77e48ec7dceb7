#include "naming/frame_namer.h"

#include <algorithm>
#include <cstring>

#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "events/native/hook_names.h"
#include "events/wall/thread_state.h"
#include "profile/formats/frame_text.h"
#include "symbols/jvm/vm_operations.h"

namespace hearth::naming {
namespace {

using capture::Frame;
using capture::Marker;
using capture::RawKind;
using profile::FrameKind;

// Frames from AsyncGetCallTrace have no kind; most are compiled.
FrameKind java_kind(RawKind kind) {
  if (kind == RawKind::kInterpreted) return FrameKind::kInterpreted;
  if (kind == RawKind::kCompiledC1) return FrameKind::kC1;
  return kind == RawKind::kInlined ? FrameKind::kInlined : FrameKind::kJit;
}

}  // namespace

bool is_hidden_end(const Frame& frame, const options::Options& options) {
  return options.speaks_asprof && options.java_kept >= options.java_depth && frame == Frame::marker(Marker::kTruncated);
}

std::string cpu_frame(uint16_t state) {
  return formatted("[CPU-{}]", state - events::kOnCpu);
}

std::string marker_word(Marker marker) {
  switch (marker) {
    case Marker::kUnknownJava:
      return "unknown_Java";
    case Marker::kNotWalkableJava:
      return "not_walkable_Java";
    case Marker::kUnknownNotJava:
      return "unknown_not_Java";
    case Marker::kNotWalkableNotJava:
      return "not_walkable_not_Java";
    case Marker::kDeoptimization:
      return "deoptimization";
    case Marker::kGcActive:
      return "GC_active";
    case Marker::kThreadExit:
      return "thread_exit";
    case Marker::kNoClassLoad:
      return "no_class_load";
    case Marker::kNoJavaFrame:
      return "no_Java_frame";
    case Marker::kFault:
      return "fault";
    case Marker::kTruncated:
      return "truncated";
    case Marker::kLost:
      return "lost";
    case Marker::kVirtualThread:
      return "virtual_thread";
    case Marker::kParkedFrames:
      return "parked_frames";
    case Marker::kUnknownHolder:
      return "unknown_holder";
    case Marker::kDeadlock:
      return "deadlock";
    case Marker::kUnknownWaker:
      return "unknown_waker";
    case Marker::kUnknown:
    case Marker::kCount:
      break;
  }
  return "unknown";
}

FrameNamer::FrameNamer(vm::Vm* vm, JNIEnv* env, const options::Options& options, const KnownNames& known_names,
                       profile::Profile* profile)
    : vm_(vm), options_(options), known_names_(known_names), profile_(profile), methods_(vm->jvmti, env) {
  style_.clojure = options.clojure.value_or(false) || (!options.clojure && env != nullptr && clojure_is_loaded(env));
  style_.simple = options.simple_names;
  style_.signature = options.signatures;
  style_.dots = options.dots;
  style_.normalize = options.normalize;
}

bool FrameNamer::clojure_is_loaded(JNIEnv* env) const {
  for (jclass loaded : LoadedClasses(vm_->jvmti, env)) {
    char* signature = nullptr;
    if (vm_->jvmti->GetClassSignature(loaded, &signature, nullptr) != JVMTI_ERROR_NONE) continue;
    JvmtiMemory owned_signature(vm_->jvmti, signature);
    if (std::strcmp(signature, "Lclojure/lang/RT;") == 0) return true;
  }
  return false;
}

profile::LocationId FrameNamer::location(Frame frame) {
  auto found = known_.find(frame);
  if (found == known_.end()) found = known_.emplace(frame, name(frame)).first;
  return found->second;
}

bool FrameNamer::same_clojure_call(Frame outer, Frame inner) {
  if (!style_.clojure || !outer.is_java() || !inner.is_java()) return false;
  const auto& caller = methods_.resolve(reinterpret_cast<jmethodID>(outer.value));
  const auto& callee = methods_.resolve(reinterpret_cast<jmethodID>(inner.value));
  return profile::are_one_clojure_call(caller.name, callee.name) && caller.class_signature == callee.class_signature;
}

profile::LocationId FrameNamer::plain(const std::string& text, FrameKind kind) {
  return profile_->location(profile_->function(text, kind), 0);
}

profile::LocationId FrameNamer::name(Frame frame) {
  switch (frame.kind()) {
    case RawKind::kJava:
    case RawKind::kInterpreted:
    case RawKind::kCompiledC1:
    case RawKind::kCompiledC2:
    case RawKind::kInlined:
      return name_java(frame);
    case RawKind::kNative:
      return name_native(frame.value);
    case RawKind::kKernel:
      return name_kernel(frame.value);
    case RawKind::kCode:
      return name_code(frame.value);
    case RawKind::kVirtualThread:
      return plain(formatted("[{} vtid={}]", name_of_virtual_thread(frame.value), frame.value), FrameKind::kThread);
    case RawKind::kClass:
      return name_class(frame.value);
    case RawKind::kAllocated:
    case RawKind::kLock:
      return name_object(frame.value);
    case RawKind::kOfAnother:
      return name_relation(frame);
    case RawKind::kLinker:
      return name_linker(frame.value);
    case RawKind::kAddress:
      return plain(formatted("{:#x}", frame.value), FrameKind::kNative);
    case RawKind::kMarker:
      break;
  }
  return plain(formatted("[{}]", marker_word(static_cast<Marker>(frame.value))), FrameKind::kMarker);
}

profile::LocationId FrameNamer::name_java(Frame frame) {
  const symbols::JavaMethod& method = methods_.resolve(reinterpret_cast<jmethodID>(frame.value));
  if (!method.known) return plain("[unknown]", FrameKind::kMarker);
  std::string shown = profile::java_frame_name(method.class_signature, method.name, method.signature, style_);
  profile::JavaNameStyle raw;
  raw.clojure = false;
  raw.signature = true;
  std::string system = profile::java_frame_name(method.class_signature, method.name, method.signature, raw);
  profile::Function function = {profile_->string(shown), profile_->string(system), profile_->string(method.source_file),
                                java_kind(frame.kind())};
  return profile_->location(profile_->function(function), method.line_of(frame.bci()));
}

std::string FrameNamer::java_text(jmethodID id, int bci) {
  const symbols::JavaMethod& method = methods_.resolve(id);
  if (!method.known) return "";
  std::string shown = profile::java_frame_name(method.class_signature, method.name, method.signature, style_);
  uint32_t line = method.line_of(bci);
  return line == 0 ? shown : formatted("{}:{}", shown, line);
}

std::string FrameNamer::name_of_virtual_thread(uint64_t id) const {
  std::string name = known_names_.virtual_threads->name_of(id);
  return name.empty() ? "virtual" : name;
}

profile::LocationId FrameNamer::name_class(uintptr_t klass) {
  std::string shown = vm_->structs->class_name(klass);
  if (options_.speaks_asprof && !shown.empty()) {
    std::replace(shown.begin(), shown.end(), '/', '.');
    shown += "_[i]";  // as of an allocated object's class
  }
  return shown.empty() ? plain("[unknown]", FrameKind::kMarker) : plain(shown, FrameKind::kClass);
}

profile::LocationId FrameNamer::name_relation(Frame frame) {
  bool wakes = frame.relation() == capture::Relation::kWakes;
  std::string_view word = wakes ? profile::kWakesWord : profile::kHoldsWord;
  std::string lock = wakes ? numbered_class(static_cast<uint32_t>(frame.value)) : vm_->structs->class_name(frame.value);
  return plain(lock.empty() ? formatted("[{}]", word) : formatted("[{} {}]", word, lock), FrameKind::kMarker);
}

// "" if it is not known.
std::string FrameNamer::numbered_class(uint32_t number) const {
  profile::JavaNameStyle style = style_;
  style.dots = true;
  std::string name = known_names_.classes->name(number);
  return name.empty() ? "" : profile::java_frame_name(name, "", "", style);
}

// Names an object by its class, with async-profiler's suffixes for the place of an allocation.
profile::LocationId FrameNamer::name_object(uint64_t object) {
  std::string name = numbered_class(static_cast<uint32_t>(object));
  if (name.empty()) return plain("[unknown]", FrameKind::kMarker);
  auto place = static_cast<capture::AllocationPlace>(object >> 32);
  if (place == capture::AllocationPlace::kInTlab) name += "_[i]";
  if (place == capture::AllocationPlace::kOutside) name += "_[k]";
  return plain(name, FrameKind::kClass);
}

profile::LocationId FrameNamer::name_linker(uintptr_t symbol) {
  std::string method = vm_->structs->symbol(symbol);
  if (method.empty()) return plain("[unknown]", FrameKind::kMarker);
  return plain(profile::java_frame_name("Ljava/lang/invoke/MethodHandle;", method, "", style_), FrameKind::kJit);
}

profile::LocationId FrameNamer::name_native(uintptr_t pc) {
  if (const char* function = events::hooked_function(pc))
    return plain(formatted("{}{}", function, known_names_.hooks_as_asprof ? "_hook" : ""), FrameKind::kNative);
  std::unique_lock<std::mutex> lock(vm_->modules_mutex);
  symbols::NativeSymbol symbol = vm_->modules.resolve(pc);
  lock.unlock();
  FrameKind kind = symbol.cpp ? FrameKind::kCpp : FrameKind::kNative;
  if (symbol.library.empty()) return plain("[unknown]", FrameKind::kMarker);
  if (symbol.name.empty()) return plain(symbol.library, FrameKind::kNative);
  return plain(options_.library_names ? formatted("{}`{}", symbol.library, symbol.name) : symbol.name, kind);
}

std::string FrameNamer::operation_text(uintptr_t functions) {
  if (vm_->java_vm == nullptr) return "";
  std::lock_guard<std::mutex> lock(vm_->modules_mutex);
  return symbols::operation_name(&vm_->modules, functions, reinterpret_cast<uintptr_t>(vm_->java_vm->functions));
}

profile::LocationId FrameNamer::name_kernel(uint64_t address) {
  std::unique_lock<std::mutex> lock(vm_->modules_mutex);
  if (!vm_->kernel) vm_->kernel = std::make_unique<symbols::KernelSymbols>();
  std::string symbol = vm_->kernel->resolve(address);
  lock.unlock();
  return plain(symbol.empty() ? "[kernel]" : symbol, FrameKind::kKernel);
}

profile::LocationId FrameNamer::name_code(uintptr_t pc) {
  std::string stub = vm_->code_names.name_of(pc);
  return stub.empty() ? plain("[unknown]", FrameKind::kMarker) : plain(stub, FrameKind::kStub);
}

}  // namespace hearth::naming
