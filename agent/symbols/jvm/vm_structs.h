// HotSpot's description of itself: the tables that libjvm exports for the serviceability agent
// (share/runtime/vmStructs.cpp), read once outside signals.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "capture/unwind/java/java_frames.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::symbols {

class VmStructs {
 public:
  // `libjvm`: a dlopen handle. Without the tables (not HotSpot) everything below finds nothing.
  explicit VmStructs(void* libjvm);

  // What was not found is listed in `missing`, one name each, for the quality notes.
  capture::VmLayout layout(std::vector<std::string>* missing) const;

  // Switches a boolean flag of the VM on, unless somebody chose its value on the command line or before us.
  enum class FlagResult { kSwitchedOn, kWasChosen, kNotFound };
  FlagResult switch_flag_on(const char* name) const;
  bool boolean_flag(const char* name) const;  // false where there is none of that name

  // Bytes of an instance of the class whose java.lang.Class object is at `mirror`; 0 when it cannot be told.
  uintptr_t instance_size(uintptr_t mirror) const;
  // How references on the heap are read. Unknown where that is not known (ZGC that is not generational).
  capture::ReferenceLayout reference_layout() const;
  uintptr_t continuation_entry_size() const;
  int mounted_thread_offset() const;  // in JavaThread, of a pointer to the reference; -1 before JDK 19
  uintptr_t return_barrier() const;   // 0 before JDK 26: there only its stub's name tells

  // The text of a Symbol*; "" when it is none, or no longer.
  std::string symbol(uintptr_t address) const;
  // "java.util.ArrayList" for a Klass*; "" when it is none, or no longer.
  std::string class_name(uintptr_t klass) const;

  // Offsets within JavaThread and OSThread, or -1.
  int thread_id_offset_in_osthread() const;
  int state_offset_in_osthread() const;
  int osthread_offset() const;

 private:
  struct Field {
    std::string type;
    bool is_static;
    uint64_t offset;    // of a member
    uintptr_t address;  // of a static
  };
  const Field* field(const char* type, const char* name) const;
  const Field* either(const char* type, const char* other_type, const char* name) const;
  int offset(const char* type, const char* name) const;              // -1 when missing
  uintptr_t static_value(const char* type, const char* name) const;  // 0 when missing
  int either_offset(const char* type, const char* other_type, const char* name) const;
  capture::NmethodTable nmethod_table(const char* type, const char* base, const char* offset) const;

  bool find_code_heaps(capture::VmLayout* vm) const;
  bool find_code_bounds(int memory, capture::VmLayout* vm) const;
  bool find_blobs(capture::VmLayout* vm) const;
  bool find_threads(capture::VmLayout* vm) const;
  bool find_methods(capture::VmLayout* vm) const;
  bool find_scopes(capture::VmLayout* vm) const;
  bool find_interpreter(capture::VmLayout* vm) const;
  bool find_entries(capture::VmLayout* vm) const;
  bool find_compilations(capture::VmLayout* vm) const;
  capture::ClassLayout class_layout() const;
  capture::AllocationLayout allocation_layout() const;
  capture::ThreadListLayout thread_list_layout() const;
  capture::ClassNameLayout class_name_layout() const;
  uintptr_t flag(const char* name) const;  // address of its JVMFlag, 0 when there is none
  int jdk() const;                         // 8, 11, 17…

  std::map<std::string, Field> fields_;  // "Type::field"
  std::map<std::string, uint64_t> sizes_;
  std::map<std::string, int> constants_;
};

// Finds out how a thread tells its JavaThread, from the calling thread, which must be a Java thread. key stays -1 when
// it can't.
capture::ThreadAccess find_thread_access(JNIEnv* env, void* libjvm);

// The JavaThread* behind a java.lang.Thread, 0 when it has none (not started, ended, virtual).
uintptr_t java_thread_of(JNIEnv* env, jthread thread);

}  // namespace hearth::symbols
