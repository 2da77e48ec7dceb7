// The JVM we are in: its doors and what was learned of it once. Filled when the agent is loaded, complete after VMInit.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capture/unwind/java/java_frames.h"
#include "capture/unwind/java/vm_layout.h"
#include "symbols/elf/kernel_symbols.h"
#include "symbols/elf/native_modules.h"
#include "symbols/jvm/code_blobs.h"
#include "symbols/jvm/vm_structs.h"
#include "vm/label_sets.h"
#include "vm/slow_labels.h"
#include "vm/unseen_spans.h"

namespace hearth::vm {

struct Vm {
  JavaVM* java_vm = nullptr;
  jvmtiEnv* jvmti = nullptr;
  void* libjvm = nullptr;         // dlopen handle
  bool initialized = false;       // VMInit was seen: threads and JNI can be used
  std::atomic<bool> ends{false};  // VMDeath was posted: whoever needs a collection waits endlessly
  std::string runtime;            // "OpenJDK 64-Bit Server VM 17.0.15+6"
  std::string program;            // main class or jar
  const symbols::VmStructs* structs = nullptr;
  capture::VmLayout layout;
  capture::ThreadAccess access;
  int osthread_offset = -1;                     // in JavaThread
  int osthread_state_offset = -1;               // in OSThread
  std::vector<std::string> notes;               // what of the VM could not be found or switched on
  std::vector<std::string> interruption_notes;  // the same, of what only interrupted code needs

  LabelSets labels;
  SlowLabels slow_labels;
  UnseenSpans unseen_spans;

  symbols::CodeBlobNames code_names;
  std::mutex modules_mutex;  // a session's worker looks for new libraries while a dump asks for names
  symbols::NativeModules modules;
  // Read when the first kernel frame asks, and kept: /proc/kallsyms is large and changes only when the kernel loads a
  // module, whose functions then stay without a name or wear that of their neighbour.
  std::unique_ptr<symbols::KernelSymbols> kernel;
};

}  // namespace hearth::vm
