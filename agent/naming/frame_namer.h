// Resolves frames of the signal path to named locations of the profile model. On an attached thread, outside signals.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "capture/frame.h"
#include "capture/store/name_table.h"
#include "capture/unwind/java/virtual_thread.h"
#include "options/options.h"
#include "profile/model/profile.h"
#include "profile/names/java_names.h"
#include "symbols/jvm/java_methods.h"
#include "vm/vm.h"

namespace hearth::naming {

// Returns the word inside the brackets of a marker frame.
std::string marker_word(capture::Marker marker);

// The frame of the CPU that a sample's state has: "[CPU-1]".
std::string cpu_frame(uint16_t state);

// Whether a stack without native roots lacks the frame if it is outside of all Java frames.
inline bool is_native(const capture::Frame& frame) {
  return frame.kind() == capture::RawKind::kNative || frame.kind() == capture::RawKind::kCode;
}

// Whether it is the mark of a stack that was cut, and not shown: async-profiler has it only where it keeps fewer frames
// than the depth.
bool is_hidden_end(const capture::Frame& frame, const options::Options& options);

class FrameNamer {
 public:
  // Names that the session keeps itself.
  struct KnownNames {
    const capture::VirtualThreadNames* virtual_threads;
    const capture::NameTable* classes;
    bool hooks_as_asprof = false;  // malloc_hook for malloc
  };

  // Writes into `profile`. All arguments outlive the namer. `env`: null for stacks of a process without a JVM.
  FrameNamer(vm::Vm* vm, JNIEnv* env, const options::Options& options, const KnownNames& known_names,
             profile::Profile* profile);

  profile::LocationId location(capture::Frame frame);

  // A place in a Java method, with its line if that is known: "com/acme/Shop.serve:42"; "" if the method is unknown.
  std::string java_text(jmethodID id, int bci);

  // The operation of the JVM's own thread with these virtual functions, as symbols::operation_name().
  std::string operation_text(uintptr_t functions);

  // True if `inner`, called by `outer`, is the other half of the same Clojure call: invoke calls invokeStatic, applyTo
  // calls doInvoke. Such a pair is shown as one frame. Always false in a JVM without Clojure.
  bool same_clojure_call(capture::Frame outer, capture::Frame inner);
  bool joins_clojure_calls() const { return style_.clojure; }

 private:
  struct FrameHash {
    size_t operator()(const capture::Frame& frame) const { return frame.value * 0x9e3779b97f4a7c15ULL ^ frame.detail; }
  };

  profile::LocationId name(capture::Frame frame);
  profile::LocationId name_java(capture::Frame frame);
  profile::LocationId name_native(uintptr_t pc);
  profile::LocationId name_class(uintptr_t klass);
  profile::LocationId name_relation(capture::Frame frame);
  std::string numbered_class(uint32_t number) const;
  profile::LocationId name_object(uint64_t object);
  profile::LocationId name_linker(uintptr_t symbol);
  std::string name_of_virtual_thread(uint64_t id) const;
  profile::LocationId name_kernel(uint64_t address);
  profile::LocationId name_code(uintptr_t pc);
  profile::LocationId plain(const std::string& text, profile::FrameKind kind);
  bool clojure_is_loaded(JNIEnv* env) const;

  vm::Vm* vm_;
  const options::Options& options_;
  KnownNames known_names_;
  profile::Profile* profile_;
  symbols::JavaMethods methods_;
  profile::JavaNameStyle style_;
  std::unordered_map<capture::Frame, profile::LocationId, FrameHash> known_;
};

}  // namespace hearth::naming
