// Entry for spans of traces: the native methods of the class hearth.ThreadSpan (java/hearth/ThreadSpan.java). Like
// label_natives.cpp.
#include "entry/span_natives.h"

#include <exception>

#include "capture/labels/thread_spans.h"
#include "commands/agent.h"
#include "entry/native_method.h"
#include "entry/virtual_cell.h"

namespace {

using hearth::capture::SpanCell;
using hearth::capture::virtual_spans;

}  // namespace

extern "C" {

// Returns the memory of the calling thread's span, which Java writes from then on; null if the JVM has no such buffers.
JNIEXPORT jobject JNICALL Java_hearth_ThreadSpan_cell0(JNIEnv* env, jclass) {
  SpanCell* cell = hearth::capture::span_cell();
  *cell = {};  // an earlier Java thread may have run on this thread
  return env->NewDirectByteBuffer(cell, sizeof *cell);
}

// Returns the memory of the span of the calling virtual thread, given by its number; valid until the thread returns
// it. Null: its samples could not be found, or there is no memory.
JNIEXPORT jobject JNICALL Java_hearth_ThreadSpan_virtualCell0(JNIEnv* env, jclass, jlong thread) {
  jobject buffer = hearth::entry::virtual_cell(env, &virtual_spans(), thread);
  if (buffer == nullptr) hearth::commands::Agent::instance().vm().unseen_spans.ignore_thread();
  return buffer;
}

JNIEXPORT void JNICALL Java_hearth_ThreadSpan_giveBack0(JNIEnv*, jclass, jlong thread) {
  virtual_spans().give_back(static_cast<uint64_t>(thread));
}

JNIEXPORT void JNICALL Java_hearth_ThreadSpan_fail0(JNIEnv*, jclass) {
  hearth::commands::Agent::instance().vm().unseen_spans.fail();
}

// Sets the reason why no span is seen; null: spans are seen.
JNIEXPORT void JNICALL Java_hearth_ThreadSpan_reportTrouble0(JNIEnv* env, jclass, jstring trouble) {
  const char* text = trouble == nullptr ? nullptr : env->GetStringUTFChars(trouble, nullptr);
  if (trouble != nullptr && text == nullptr) return;  // no memory, which Java throws
  try {
    hearth::commands::Agent::instance().vm().unseen_spans.set_trouble(text == nullptr ? "" : text);
  } catch (const std::exception&) {  // no memory: the earlier reason stays
  }
  if (text != nullptr) env->ReleaseStringUTFChars(trouble, text);
}
}

namespace hearth::entry {

hearth::commands::NativeClass span_class() {
  return {"Lhearth/ThreadSpan;",
          {method("cell0", "()Ljava/nio/ByteBuffer;", Java_hearth_ThreadSpan_cell0),
           method("virtualCell0", "(J)Ljava/nio/ByteBuffer;", Java_hearth_ThreadSpan_virtualCell0),
           method("giveBack0", "(J)V", Java_hearth_ThreadSpan_giveBack0),
           method("fail0", "()V", Java_hearth_ThreadSpan_fail0),
           method("reportTrouble0", "(Ljava/lang/String;)V", Java_hearth_ThreadSpan_reportTrouble0)}};
}

}  // namespace hearth::entry
