// Frames of the signal path to locations of the profile model: where numbers get their names. On an attached thread,
// outside signals.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "capture/frame.h"
#include "capture/name_table.h"
#include "capture/unwind/virtual_thread.h"
#include "profile/profile.h"
#include "session/options.h"
#include "session/vm.h"
#include "symbols/java_methods.h"
#include "symbols/java_names.h"

namespace hearth::session {

// The word inside the brackets.
std::string marker_word(capture::Marker marker);

class FrameNamer {
 public:
  // What the session itself keeps the names of.
  struct KnownNames {
    const capture::VirtualThreadNames* virtual_threads;
    const capture::NameTable* classes;
  };

  // Writes into `profile`, which outlives it, as do the others.
  FrameNamer(Vm* vm, JNIEnv* env, const Options& options, const KnownNames& known_names, profile::Profile* profile);

  profile::LocationId location(capture::Frame frame);

  // Whether `inner`, called by `outer`, is only the other half of the same Clojure call: invoke hands on to
  // invokeStatic, applyTo to doInvoke. Such a pair is shown as one frame; where there is no Clojure no pair is.
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
  profile::LocationId name_object(uint64_t object);
  profile::LocationId name_linker(uintptr_t symbol);
  std::string name_of_virtual_thread(uint64_t id) const;
  profile::LocationId name_kernel(uint64_t address);
  profile::LocationId name_code(uintptr_t pc);
  profile::LocationId plain(const std::string& text, profile::FrameKind kind);
  bool clojure_is_loaded(JNIEnv* env) const;

  Vm* vm_;
  const Options& options_;
  KnownNames known_names_;
  profile::Profile* profile_;
  symbols::JavaMethods methods_;
  symbols::JavaNameStyle style_;
  std::unordered_map<capture::Frame, profile::LocationId, FrameHash> known_;
};

}  // namespace hearth::session
