// Entry for labels: the native methods of the class hearth.ThreadLabels (java/hearth/ThreadLabels.java). Called once
// for each thread and each label set; a change of labels makes no call.
#include "entry/label_natives.h"

#include <exception>
#include <string>

#include "capture/labels/thread_labels.h"
#include "commands/agent.h"
#include "entry/label_text.h"
#include "entry/native_method.h"
#include "entry/virtual_cell.h"

namespace {

using hearth::capture::virtual_labels;
using hearth::vm::LabelSets;

LabelSets& label_sets() {
  return hearth::commands::Agent::instance().vm().labels;
}

}  // namespace

extern "C" {

// Returns the memory of the calling thread's label number, which Java writes from then on; null if the JVM has no such
// buffers.
JNIEXPORT jobject JNICALL Java_hearth_ThreadLabels_cell0(JNIEnv* env, jclass) {
  uint32_t* cell = hearth::capture::label_cell();
  *cell = hearth::capture::kNoLabels;  // an earlier Java thread may have run on this thread
  return env->NewDirectByteBuffer(cell, sizeof *cell);
}

// Returns 0 if there is no memory: the program continues without these labels.
JNIEXPORT jint JNICALL Java_hearth_ThreadLabels_number0(JNIEnv* env, jclass, jbyteArray labels) {
  try {
    return static_cast<jint>(label_sets().number_of(hearth::entry::label_set(env, labels)));
  } catch (const std::exception&) {
    return hearth::capture::kNoLabels;
  }
}

// Returns the memory of the label number of the calling virtual thread, given by its number; valid until the thread
// returns it. Null: its samples could not be found, or there is no memory.
JNIEXPORT jobject JNICALL Java_hearth_ThreadLabels_virtualCell0(JNIEnv* env, jclass, jlong thread) {
  jobject buffer = hearth::entry::virtual_cell(env, &virtual_labels(), thread);
  if (buffer == nullptr) label_sets().ignore_thread();
  return buffer;
}

// Returns the duration from which labels are reported as slow; 0: none are.
JNIEXPORT jlong JNICALL Java_hearth_ThreadLabels_slowNs0(JNIEnv*, jclass) {
  return hearth::commands::Agent::instance().vm().slow_labels.limit();
}

JNIEXPORT void JNICALL Java_hearth_ThreadLabels_slow0(JNIEnv*, jclass, jint labels, jlong took) {
  try {
    hearth::commands::Agent::instance().vm().slow_labels.add(static_cast<uint32_t>(labels), took);
  } catch (const std::exception&) {  // no memory: a later one may be reported
  }
}

JNIEXPORT void JNICALL Java_hearth_ThreadLabels_giveBack0(JNIEnv*, jclass, jlong thread) {
  virtual_labels().give_back(static_cast<uint64_t>(thread));
}
}

namespace hearth::entry {

hearth::commands::NativeClass label_class() {
  return {"Lhearth/ThreadLabels;",
          {method("cell0", "()Ljava/nio/ByteBuffer;", Java_hearth_ThreadLabels_cell0),
           method("number0", "([B)I", Java_hearth_ThreadLabels_number0),
           method("virtualCell0", "(J)Ljava/nio/ByteBuffer;", Java_hearth_ThreadLabels_virtualCell0),
           method("giveBack0", "(J)V", Java_hearth_ThreadLabels_giveBack0),
           method("slowNs0", "()J", Java_hearth_ThreadLabels_slowNs0),
           method("slow0", "(IJ)V", Java_hearth_ThreadLabels_slow0)}};
}

}  // namespace hearth::entry
