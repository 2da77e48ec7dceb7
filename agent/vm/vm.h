// The JVM of this process: its interfaces, and facts that are read once. Filled when the agent is loaded, complete
// after VMInit.
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
  bool initialized = false;       // after VMInit: threads and JNI can be used
  std::atomic<bool> ends{false};  // after VMDeath: a wait for a collection would not end
  std::string runtime;            // "OpenJDK 64-Bit Server VM 17.0.15+6"
  std::string program;            // main class or jar
  std::string host;               // name of the machine or container; "": unknown
  const symbols::VmStructs* structs = nullptr;
  capture::VmLayout layout;
  capture::ThreadAccess access;
  int osthread_offset = -1;                     // in JavaThread
  int osthread_state_offset = -1;               // in OSThread
  std::vector<std::string> notes;               // parts of the VM that were not found or could not be enabled
  std::vector<std::string> interruption_notes;  // the same for parts that only interrupted code needs

  LabelSets labels;
  SlowLabels slow_labels;
  UnseenSpans unseen_spans;

  symbols::CodeBlobNames code_names;
  std::mutex modules_mutex;  // of both below: sessions' workers look for libraries and names while dumps do
  symbols::NativeModules modules;
  // Read for the first kernel frame, and kept: /proc/kallsyms is large, and changes only when the kernel loads a
  // module. Functions of such a module stay without a name or get that of a neighbour.
  std::unique_ptr<symbols::KernelSymbols> kernel;
};

}  // namespace hearth::vm
