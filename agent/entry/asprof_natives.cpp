#include "entry/asprof_natives.h"

#include <exception>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "base/jvm_refs.h"
#include "commands/agent.h"
#include "entry/enter_agent.h"
#include "entry/java_text.h"
#include "entry/native_method.h"
#include "options/asprof/asprof_command.h"

namespace {

using hearth::commands::Agent;
using hearth::options::AsprofCommand;

constexpr const char* kBadArgument = "java/lang/IllegalArgumentException";
constexpr const char* kBadState = "java/lang/IllegalStateException";

Agent& entered_agent(JNIEnv* env) {
  JavaVM* vm = nullptr;
  if (env->GetJavaVM(&vm) != JNI_OK) throw hearth::Error("JNI's GetJavaVM failed: this JVM cannot be profiled");
  return hearth::entry::enter_agent(vm, true);
}

hearth::commands::Answer run(JNIEnv* env, const AsprofCommand& command) {
  return entered_agent(env).asprof().execute(command, env);
}

// The answer's text; a file was written where it is a message, which async-profiler answers by OK.
std::string text_of_answer(const AsprofCommand& command, const hearth::commands::Answer& answer) {
  return answer.is_product || command.options.file.empty() ? answer.text : "OK";
}

// Calls `work`, and turns its exceptions into Java's of the same meaning.
template <typename Work>
auto with_java_exceptions(JNIEnv* env, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const hearth::FileError& error) {
    hearth::entry::throw_java(env, "java/io/IOException", error.what());
  } catch (const std::exception& error) {
    hearth::entry::throw_java(env, kBadState, error.what());
  }
  return decltype(work())();
}

// False with a pending exception: it cannot be read.
bool parse(JNIEnv* env, jstring text, AsprofCommand* command) {
  try {
    *command = hearth::options::parse_asprof_command(hearth::entry::text_of(env, text));
    return env->ExceptionCheck() == JNI_FALSE;
  } catch (const std::exception& error) {
    hearth::entry::throw_java(env, kBadArgument, error.what());
    return false;
  }
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_one_profiler_AsyncProfiler_start0(JNIEnv* env, jobject, jstring event, jlong interval,
                                                              jboolean reset) {
  with_java_exceptions(env, [&] {
    std::string name = hearth::entry::text_of(env, event);
    if (env->ExceptionCheck() == JNI_TRUE) return;
    run(env, hearth::options::asprof_start_command(name, interval, reset == JNI_FALSE));
  });
}

JNIEXPORT void JNICALL Java_one_profiler_AsyncProfiler_stop0(JNIEnv* env, jobject) {
  with_java_exceptions(env, [&] { run(env, hearth::options::parse_asprof_command("stop")); });
}

JNIEXPORT jstring JNICALL Java_one_profiler_AsyncProfiler_execute0(JNIEnv* env, jobject, jstring text) {
  AsprofCommand command;
  if (!parse(env, text, &command)) return nullptr;
  return with_java_exceptions(
      env, [&] { return hearth::entry::string_of(env, text_of_answer(command, run(env, command))); });
}

// The answer as bytes, for formats that are not text.
JNIEXPORT jbyteArray JNICALL Java_one_profiler_AsyncProfiler_execute1(JNIEnv* env, jobject, jstring text) {
  AsprofCommand command;
  if (!parse(env, text, &command)) return nullptr;
  if (!command.options.file.empty()) {
    hearth::entry::throw_java(env, kBadArgument, "option file: the answer is returned as bytes; leave it out");
    return nullptr;
  }
  return with_java_exceptions(env, [&] { return hearth::entry::bytes_of(env, run(env, command).text); });
}

JNIEXPORT jlong JNICALL Java_one_profiler_AsyncProfiler_getSamples(JNIEnv*, jobject) {
  return Agent::instance().asprof().samples();
}

JNIEXPORT void JNICALL Java_one_profiler_AsyncProfiler_filterThread0(JNIEnv* env, jobject, jthread thread,
                                                                     jboolean enable) {
  with_java_exceptions(env, [&] { entered_agent(env).asprof().choose_thread(env, thread, enable == JNI_TRUE); });
}
}

namespace hearth::entry {
namespace {

// The class of the frame outside of System.load or System.loadLibrary; null: there is no such call.
jclass loading_class(jvmtiEnv* jvmti, JNIEnv* env) {
  constexpr jint kMost = 16;
  jvmtiFrameInfo frames[kMost];
  jint count = 0;
  if (jvmti->GetStackTrace(nullptr, 0, kMost, frames, &count) != JVMTI_ERROR_NONE) return nullptr;
  LocalRef system(env, env->FindClass("java/lang/System"));
  if (system.get() == nullptr) return nullptr;
  auto* type = static_cast<jclass>(system.get());
  jmethodID load = env->GetStaticMethodID(type, "load", "(Ljava/lang/String;)V");
  jmethodID load_library = env->GetStaticMethodID(type, "loadLibrary", "(Ljava/lang/String;)V");
  for (jint i = 0; i + 1 < count; i++) {
    if (frames[i].method != load && frames[i].method != load_library) continue;
    jclass caller = nullptr;
    return jvmti->GetMethodDeclaringClass(frames[i + 1].method, &caller) == JVMTI_ERROR_NONE ? caller : nullptr;
  }
  return nullptr;
}

}  // namespace

void register_asprof_natives(jvmtiEnv* jvmti, JNIEnv* env) {
  const JNINativeMethod methods[] = {
      method("start0", "(Ljava/lang/String;JZ)V", Java_one_profiler_AsyncProfiler_start0),
      method("stop0", "()V", Java_one_profiler_AsyncProfiler_stop0),
      method("execute0", "(Ljava/lang/String;)Ljava/lang/String;", Java_one_profiler_AsyncProfiler_execute0),
      method("execute1", "(Ljava/lang/String;)[B", Java_one_profiler_AsyncProfiler_execute1),
      method("getSamples", "()J", Java_one_profiler_AsyncProfiler_getSamples),
      method("filterThread0", "(Ljava/lang/Thread;Z)V", Java_one_profiler_AsyncProfiler_filterThread0)};
  LocalRef caller(env, loading_class(jvmti, env));
  auto* type = static_cast<jclass>(caller.get());
  // One by one: a class of an older version lacks some, as JMH's has execute0 alone.
  for (const JNINativeMethod& one : methods) {
    if (type != nullptr) env->RegisterNatives(type, &one, 1);
    if (env->ExceptionCheck() == JNI_TRUE) env->ExceptionClear();
  }
}

}  // namespace hearth::entry
