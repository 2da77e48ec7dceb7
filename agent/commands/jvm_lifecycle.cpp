#include "commands/jvm_lifecycle.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "commands/vm_events.h"
#include "events/vm/forced_collections.h"
#include "profile/codec/utf8.h"
#include "session/published_context.h"
#include "symbols/jvm/lock_holder_layout.h"
#include "symbols/jvm/virtual_thread_layout.h"

namespace hearth::commands {
namespace {

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = "";
  return gethostname(name, sizeof name - 1) == 0 ? profile::shown_text(name) : "";
}

}  // namespace

void JvmLifecycle::enter(JavaVM* java_vm, bool live, const OwnThread& own_thread) {
  if (entered_) return;
  vm_.notes.clear();  // that there is no JVM
  vm_.java_vm = java_vm;
  set_reader_patience(std::chrono::seconds(10));  // a command writes, and the JVM's end waits for commands
  events::ForcedCollections::instance().enter(java_vm, own_thread);
  if (java_vm->GetEnv(reinterpret_cast<void**>(&vm_.jvmti), JVMTI_VERSION_1_2) != JNI_OK)
    throw Error("this JVM offers no JVMTI", "use HotSpot, JDK 8 or newer");
  find_libjvm();
  jvmtiCapabilities wanted{};
  wanted.can_get_source_file_name = 1;
  wanted.can_get_line_numbers = 1;
  wanted.can_generate_compiled_method_load_events = 1;
  vm_.jvmti->AddCapabilities(&wanted);
  listen_for_life(vm_.jvmti, live);
  structs_ = std::make_unique<symbols::VmStructs>(vm_.libjvm);
  vm_.structs = structs_.get();
  record_debug_info(live);
  entered_ = true;
}

void JvmLifecycle::enter_without_jvm() {
  if (entered_ || is_native_) return;
  set_reader_patience(std::chrono::seconds(10));  // the process's end waits for commands
  structs_ = std::make_unique<symbols::VmStructs>(nullptr);
  vm_.structs = structs_.get();
  vm_.program = program_invocation_short_name;
  vm_.host = host_name();
  vm_.notes.emplace_back("the process had no JVM when the session began: stacks have no Java frames");
  is_native_ = true;
}

void JvmLifecycle::find_libjvm() {
  Dl_info info{};
  // The function tables of JNI are libjvm's own data.
  if (dladdr(reinterpret_cast<const void*>(vm_.java_vm->functions), &info) != 0)
    vm_.libjvm = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (vm_.libjvm == nullptr || dlsym(vm_.libjvm, "AsyncGetCallTrace") == nullptr)
    throw Error("this JVM has no AsyncGetCallTrace", "use HotSpot, JDK 8 or newer");
}

void JvmLifecycle::record_debug_info(bool live) {
  using Flag = symbols::VmStructs::FlagResult;
  Flag flag = structs_->switch_flag_on("DebugNonSafepoints");
  if (flag == Flag::kNotFound)  // listening to compilations has the same effect (JvmtiExport, JDK-8173361 on its cost)
    listen_for_compilations(vm_.jvmti);
  if (live && flag != Flag::kWasChosen)
    vm_.interruption_notes.emplace_back(
        "inlined methods may be missing: this JVM started without hearth; for full detail start it with "
        "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints, or with the agent");
}

void JvmLifecycle::complete(JNIEnv* env) {
  if (vm_.initialized || env == nullptr) return;
  vm_.runtime = system_property(vm_.jvmti, "java.vm.name") + " " + system_property(vm_.jvmti, "java.vm.version");
  vm_.program = program_of(vm_.jvmti);
  vm_.host = host_name();
  std::vector<std::string> missing;
  vm_.layout = structs_->layout(&missing);
  vm_.osthread_offset = structs_->osthread_offset();
  vm_.osthread_state_offset = structs_->state_offset_in_osthread();
  symbols::find_virtual_threads(env, *structs_, &vm_.layout);
  symbols::find_lock_holders(env, *structs_, &vm_.layout);
  vm_.access = symbols::find_thread_access(env, vm_.libjvm);
  // A virtual thread has no such access; the next command may come from another thread.
  vm_.initialized = vm_.access.key >= 0;
  if (!vm_.initialized) throw Error("a virtual thread cannot give the first command", "call from a platform thread");
  if (!missing.empty())
    vm_.notes.push_back(formatted("this VM does not export its {}: stacks are less complete", joined(missing, ", ")));
}

void JvmLifecycle::refuse_at_end() const {
  if (vm_.ends) throw Error("this JVM is ending", "profile it from its start: hearth launch");
}

void JvmLifecycle::connect_labels(JNIEnv* env) {
  LoadedClasses classes(vm_.jvmti, env);
  connect_java_labels(vm_.jvmti, env, classes, *native_classes_, vm_.slow_labels.limit(),
                      session::PublishedContext::instance().has_begun());
}

void JvmLifecycle::prepare_sampling(JNIEnv* env) {
  if (!has_jvm()) return;
  listen_for_code(vm_.jvmti, true);
  LoadedClasses classes(vm_.jvmti, env);
  make_method_ids(vm_.jvmti, classes);
  connect_java_labels(vm_.jvmti, env, classes, *native_classes_, vm_.slow_labels.limit(),
                      session::PublishedContext::instance().has_begun());
  recordings_.connect(vm_.jvmti, env, classes, *native_classes_);
  // "Cont thaw return barrier" in JDK 21, "cont_returnBarrier" in 25
  if (vm_.layout.continuations.return_barrier == 0)
    vm_.layout.continuations.return_barrier = vm_.code_names.start_of("returnbarrier");
}

void JvmLifecycle::listen_for_threads() {
  if (has_jvm()) commands::listen_for_threads(vm_.jvmti, true);
}

void JvmLifecycle::stop_listening() {
  if (!has_jvm()) return;
  commands::listen_for_threads(vm_.jvmti, false);
  listen_for_code(vm_.jvmti, false);
}

}  // namespace hearth::commands
