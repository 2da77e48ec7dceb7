#include "entry/recording_natives.h"

#include <exception>
#include <string>

#include "capture/labels/last_sample.h"
#include "commands/agent.h"
#include "entry/java_text.h"
#include "entry/native_method.h"

namespace {

using hearth::commands::Agent;

}  // namespace

extern "C" {

// Called by the class's initializer. Returns its state. The JVM has found this method by its name, and finds the
// others. Whatever has loaded the library has entered the agent, whose lock an initializer must not wait for.
JNIEXPORT jint JNICALL Java_one_profiler_Recording_registerNatives(JNIEnv* env, jclass recording) {
  return Agent::instance().asprof().add_recording_class(env, recording);
}

// Eight bytes: the time of the calling thread's last sample. Null if the JVM has no such buffers.
JNIEXPORT jobject JNICALL Java_one_profiler_Recording_getThreadLocalBuffer(JNIEnv* env, jclass) {
  volatile uint64_t* cell = hearth::capture::last_sample_cell();
  return env->NewDirectByteBuffer(const_cast<uint64_t*>(cell), sizeof *cell);
}

// Times by System.nanoTime(), which is CLOCK_MONOTONIC.
JNIEXPORT void JNICALL Java_one_profiler_Recording_emitSpan(JNIEnv* env, jclass, jlong start, jlong end, jstring tag) {
  try {
    std::string text = tag == nullptr ? "" : hearth::entry::text_of(env, tag);
    if (env->ExceptionCheck() == JNI_FALSE) Agent::instance().asprof().record_span(start, end, text);
  } catch (const std::exception&) {  // no memory: the span is lost
  }
}
}

namespace hearth::entry {

hearth::commands::NativeClass recording_class() {
  return {"Lone/profiler/Recording;",
          {method("getThreadLocalBuffer", "()Ljava/nio/ByteBuffer;", Java_one_profiler_Recording_getThreadLocalBuffer),
           method("emitSpan", "(JJLjava/lang/String;)V", Java_one_profiler_Recording_emitSpan)}};
}

}  // namespace hearth::entry
