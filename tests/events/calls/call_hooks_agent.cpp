// A JVM's library with natives of tests/events/calls/Hooked.java: starts and stops hooks, and counts calls and
// classes that change.
#include <atomic>
#include <memory>
#include <numeric>

#include "base/error.h"
#include "events/calls/call_hooks.h"

namespace {

using hearth::events::Call;
using hearth::events::CallHook;
using hearth::events::CallHooks;
using hearth::events::CallTarget;

std::unique_ptr<CallHooks> g_hooks;
std::atomic<jlong> g_calls{0};
std::atomic<bool> g_vm_ends{false};

std::atomic<jlong> g_changes{0};
jvmtiEnv* g_jvmti = nullptr;

void JNICALL on_class_file(jvmtiEnv*, JNIEnv*, jclass redefined, jobject, const char*, jobject, jint,
                           const unsigned char*, jint*, unsigned char**) {
  if (redefined != nullptr) g_changes++;
}

std::string text_of(JNIEnv* env, jstring text) {
  const char* chars = env->GetStringUTFChars(text, nullptr);
  std::string copy = chars;
  env->ReleaseStringUTFChars(text, chars);
  return copy;
}

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  if (vm->GetEnv(reinterpret_cast<void**>(&g_jvmti), JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  jvmtiCapabilities wanted{};
  wanted.can_retransform_classes = 1;
  wanted.can_get_bytecodes = 1;
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassFileLoadHook = on_class_file;
  bool is_set =
      g_jvmti->AddCapabilities(&wanted) == JVMTI_ERROR_NONE &&
      g_jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
      g_jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr) == JVMTI_ERROR_NONE;
  return is_set ? JNI_VERSION_1_8 : JNI_ERR;
}

// Changes of loaded classes so far.
JNIEXPORT jlong JNICALL Java_Hooked_changes(JNIEnv*, jclass) {
  return g_changes;
}

// Bytes of the code of the class's method call().
JNIEXPORT jint JNICALL Java_Hooked_codeSize(JNIEnv* env, jclass, jclass type) {
  jint size = 0;
  unsigned char* code = nullptr;
  jmethodID method = env->GetStaticMethodID(type, "call", "()V");
  if (method == nullptr || g_jvmti->GetBytecodes(method, &size, &code) != JVMTI_ERROR_NONE) return -1;
  g_jvmti->Deallocate(code);
  return size;
}

// From now on hooks stop as at the end of the JVM.
JNIEXPORT void JNICALL Java_Hooked_end(JNIEnv*, jclass) {
  g_vm_ends = true;
}

// `shortest` < 0: counts beginnings.
JNIEXPORT jlong JNICALL Java_Hooked_start(JNIEnv* env, jclass, jstring pattern, jlong shortest) {
  try {
    JavaVM* vm = nullptr;
    env->GetJavaVM(&vm);
    std::vector<CallTarget> targets;
    targets.push_back({hearth::options::CallPattern(text_of(env, pattern)), shortest});
    g_calls = 0;
    g_hooks = std::make_unique<CallHooks>(vm, &g_vm_ends, shortest >= 0 ? CallHook::kLeave : CallHook::kEnter,
                                          std::move(targets));
    g_hooks->start([](const Call&) { g_calls++; });
    return static_cast<jlong>(g_hooks->hooked_methods());
  } catch (const hearth::Error& error) {
    env->ThrowNew(env->FindClass("java/lang/IllegalStateException"), error.what());
    return 0;
  }
}

// Returns the trouble.
JNIEXPORT jstring JNICALL Java_Hooked_stop(JNIEnv* env, jclass) {
  g_hooks->stop();
  return env->NewStringUTF(g_hooks->trouble().c_str());
}

JNIEXPORT jlong JNICALL Java_Hooked_counted(JNIEnv*, jclass) {
  hearth::events::CallCells cells = g_hooks->calls().at(0);
  return std::accumulate(cells.begin(), cells.end(), jlong{0});
}

JNIEXPORT jlong JNICALL Java_Hooked_calls(JNIEnv*, jclass) {
  return g_calls;
}
}
