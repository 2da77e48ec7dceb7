#include "commands/vm_events.h"

#include <cstdio>
#include <exception>

#include "base/jvm_refs.h"
#include "commands/agent.h"

namespace hearth::commands {
namespace {

// AsyncGetCallTrace gives null for methods without a jmethodID (share/prims/forte.cpp): asking for them
// makes them.
void make_method_ids(jvmtiEnv* jvmti, jclass of) {
  jint count = 0;
  jmethodID* methods = nullptr;
  if (jvmti->GetClassMethods(of, &count, &methods) == JVMTI_ERROR_NONE)
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
}

void JNICALL on_class_load(jvmtiEnv*, JNIEnv*, jthread, jclass) {}
void JNICALL on_class_prepare(jvmtiEnv* jvmti, JNIEnv*, jthread, jclass prepared) {
  make_method_ids(jvmti, prepared);
}
void JNICALL on_compiled_method_load(jvmtiEnv*, jmethodID, jint, const void*, jint, const jvmtiAddrLocationMap*,
                                     const void*) {}

// Nothing may be thrown into the JVM.
template <typename Call>
void without_throwing(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hearth: a JVM callback failed: %s\n", error.what());
  }
}

void JNICALL on_code_generated(jvmtiEnv*, const char* name, const void* address, jint length) {
  without_throwing([&] {
    Agent::instance().vm().code_names.add(reinterpret_cast<uintptr_t>(address), static_cast<uint32_t>(length), name);
  });
}
void JNICALL on_thread_start(jvmtiEnv*, JNIEnv* env, jthread thread) {
  without_throwing([&] { Agent::instance().thread_started(env, thread); });
}
void JNICALL on_thread_end(jvmtiEnv*, JNIEnv* env, jthread thread) {
  without_throwing([&] { Agent::instance().thread_ended(env, thread); });
}
void JNICALL on_vm_init(jvmtiEnv*, JNIEnv* env, jthread) {
  without_throwing([&] { Agent::instance().vm_initialized(env); });
}
void JNICALL on_vm_death(jvmtiEnv*, JNIEnv* env) {
  without_throwing([&] { Agent::instance().vm_dies(env); });
}

jvmtiEventCallbacks callbacks() {
  jvmtiEventCallbacks all{};
  all.VMInit = on_vm_init;
  all.VMDeath = on_vm_death;
  all.ClassLoad = on_class_load;
  all.ClassPrepare = on_class_prepare;
  all.CompiledMethodLoad = on_compiled_method_load;
  all.DynamicCodeGenerated = on_code_generated;
  all.ThreadStart = on_thread_start;
  all.ThreadEnd = on_thread_end;
  return all;
}

void listen(jvmtiEnv* jvmti, bool on, jvmtiEvent event) {
  jvmti->SetEventNotificationMode(on ? JVMTI_ENABLE : JVMTI_DISABLE, event, nullptr);
}

}  // namespace

void listen_for_life(jvmtiEnv* jvmti, bool live) {
  jvmtiEventCallbacks all = callbacks();
  jvmti->SetEventCallbacks(&all, sizeof all);
  listen(jvmti, true, JVMTI_EVENT_VM_DEATH);
  if (!live) listen(jvmti, true, JVMTI_EVENT_VM_INIT);
}

void listen_for_compilations(jvmtiEnv* jvmti) {
  listen(jvmti, true, JVMTI_EVENT_COMPILED_METHOD_LOAD);
}

void listen_for_code(jvmtiEnv* jvmti, bool on) {
  listen(jvmti, on, JVMTI_EVENT_CLASS_LOAD);
  listen(jvmti, on, JVMTI_EVENT_CLASS_PREPARE);
  listen(jvmti, on, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
  if (on) jvmti->GenerateEvents(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
}

void listen_for_threads(jvmtiEnv* jvmti, bool on) {
  listen(jvmti, on, JVMTI_EVENT_THREAD_START);
  listen(jvmti, on, JVMTI_EVENT_THREAD_END);
}

void make_method_ids(jvmtiEnv* jvmti, const LoadedClasses& classes) {
  for (jclass loaded : classes) make_method_ids(jvmti, loaded);
}

}  // namespace hearth::commands
