// A JVM's library with natives of tests/events/calls/Hooked.java: starts and stops hooks, and counts calls.
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

std::string text_of(JNIEnv* env, jstring text) {
  const char* chars = env->GetStringUTFChars(text, nullptr);
  std::string copy = chars;
  env->ReleaseStringUTFChars(text, chars);
  return copy;
}

}  // namespace

extern "C" {

// `shortest` < 0: counts beginnings.
JNIEXPORT jlong JNICALL Java_Hooked_start(JNIEnv* env, jclass, jstring pattern, jlong shortest) {
  try {
    JavaVM* vm = nullptr;
    env->GetJavaVM(&vm);
    std::vector<CallTarget> targets;
    targets.push_back({hearth::options::CallPattern(text_of(env, pattern)), shortest});
    g_calls = 0;
    g_hooks = std::make_unique<CallHooks>(vm, shortest >= 0 ? CallHook::kLeave : CallHook::kEnter, std::move(targets));
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
