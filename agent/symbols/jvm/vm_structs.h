// Where HotSpot keeps its structures, found in its own tables; and the few values that are read through them.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>
#include <vector>

#include "capture/unwind/java/java_frames.h"
#include "capture/unwind/java/vm_layout.h"
#include "symbols/jvm/vm_tables.h"

namespace hearth::symbols {

class VmStructs {
 public:
  // `libjvm`: a dlopen handle, or null. Without the tables (not HotSpot) no function below finds anything.
  explicit VmStructs(void* libjvm) : tables_(libjvm) {}

  // Appends the names of missing groups to `missing`, for the quality notes.
  capture::VmLayout layout(std::vector<std::string>* missing) const;

  // Enables a boolean flag of the VM, unless its value was set on the command line or by another agent.
  enum class FlagResult { kSwitchedOn, kWasChosen, kNotFound };
  FlagResult switch_flag_on(const char* name) const;
  bool boolean_flag(const char* name) const { return tables_.boolean_flag(name); }

  // Returns the Klass* of the class with its java.lang.Class object at `mirror`; 0 if unknown.
  uintptr_t class_behind(uintptr_t mirror) const;
  // Returns the instance size in bytes of the class with its java.lang.Class object at `mirror`; 0 if unknown.
  uintptr_t instance_size(uintptr_t mirror) const;
  // Returns the encoding of references on the heap; unknown for a non-generational ZGC.
  capture::ReferenceLayout reference_layout() const;
  uintptr_t continuation_entry_size() const;
  // The part about monitors; that about synchronizers stays unknown.
  capture::LockHolderLayout monitor_layout() const;
  // In JavaThread, of its java.lang.Thread: the reference, or its address; -1 if unknown.
  int thread_object_offset(bool* is_handle) const;
  int super_offset() const;           // in Klass; -1 if unknown
  int mounted_thread_offset() const;  // in JavaThread, of a pointer to the reference; -1 before JDK 19
  uintptr_t return_barrier() const;   // 0 before JDK 26: there only the name of its stub identifies it

  // Returns the text of a Symbol*; "" if it is invalid, or not any more valid.
  std::string symbol(uintptr_t address) const;
  // Returns "java.util.ArrayList" for a Klass*; "" if it is invalid, or not any more valid.
  std::string class_name(uintptr_t klass) const;

  // Return offsets within JavaThread and OSThread, or -1.
  int thread_id_offset_in_osthread() const;
  int state_offset_in_osthread() const;
  int osthread_offset() const;

 private:
  VmTables tables_;
};

// Finds how a thread locates its JavaThread, from the calling thread, which must be a Java thread. The key stays -1 if
// that fails.
capture::ThreadAccess find_thread_access(JNIEnv* env, void* libjvm);

// Returns the JavaThread* of a java.lang.Thread, 0 if it has none (not started, ended, virtual).
uintptr_t java_thread_of(JNIEnv* env, jthread thread);

}  // namespace hearth::symbols
