// Entry for the contexts of threads: the native methods of the class hearth.ThreadRecord
// (java/hearth/ThreadRecord.java). Like label_natives.cpp.
#include "entry/record_natives.h"

#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "commands/java/thread_context.h"
#include "entry/label_text.h"
#include "entry/native_method.h"

extern "C" {

JNIEXPORT jboolean JNICALL Java_hearth_ThreadRecord_publishes0(JNIEnv*, jclass) {
  return hearth::commands::publishes_context() ? JNI_TRUE : JNI_FALSE;
}

// Returns the memory of the calling thread's record, which Java writes from then on; null if there is none.
JNIEXPORT jobject JNICALL Java_hearth_ThreadRecord_record0(JNIEnv* env, jclass) {
  hearth::commands::RecordMemory record = hearth::commands::take_record();
  return record.address == nullptr ? nullptr
                                   : env->NewDirectByteBuffer(record.address, static_cast<jlong>(record.size));
}

// Returns the size of the labels as attributes, and their bytes in words; null if there is no memory.
JNIEXPORT jlongArray JNICALL Java_hearth_ThreadRecord_attributes0(JNIEnv* env, jclass, jbyteArray labels) {
  try {
    std::string bytes = hearth::commands::published_attributes(hearth::entry::label_set(env, labels));
    std::vector<jlong> words(1 + (bytes.size() + sizeof(jlong) - 1) / sizeof(jlong));
    words[0] = static_cast<jlong>(bytes.size());
    std::memcpy(words.data() + 1, bytes.data(), bytes.size());
    jlongArray array = env->NewLongArray(static_cast<jsize>(words.size()));
    if (array != nullptr) env->SetLongArrayRegion(array, 0, static_cast<jsize>(words.size()), words.data());
    return array;
  } catch (const std::exception&) {
    return nullptr;
  }
}
}

namespace hearth::entry {

hearth::commands::NativeClass record_class() {
  return {"Lhearth/ThreadRecord;",
          {method("publishes0", "()Z", Java_hearth_ThreadRecord_publishes0),
           method("record0", "()Ljava/nio/ByteBuffer;", Java_hearth_ThreadRecord_record0),
           method("attributes0", "([B)[J", Java_hearth_ThreadRecord_attributes0)}};
}

}  // namespace hearth::entry
