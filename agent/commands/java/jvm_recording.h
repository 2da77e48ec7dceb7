// A recording of the JVM itself (JDK Flight Recorder) that runs as long as a session, by jfrsync. At its end its chunks
// are added to the session's own. Calls come one at a time, on attached threads.
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>

#include "options/options.h"

namespace hearth::commands {

class JvmRecording {
 public:
  // Begins a recording by the settings of options.jfr_sync, without the JVM's own samples of the events that the
  // session has. `path`: of the session's recording. Throws Error with what the JVM refuses.
  JvmRecording(JNIEnv* env, const options::Options& options, const std::string& path);
  JvmRecording(const JvmRecording&) = delete;
  JvmRecording& operator=(const JvmRecording&) = delete;
  ~JvmRecording();

  // Of its time stamps.
  int64_t ticks_per_second() const { return ticks_per_second_; }
  // Ends it, and adds its chunks behind those of the file. Throws Error; then the file has the session's chunks alone.
  void end_into(JNIEnv* env, const std::string& path);
  // Ends it without a file.
  void drop(JNIEnv* env);

 private:
  const std::string file_;  // its own, until its end
  jobject recording_ = nullptr;
  int64_t ticks_per_second_ = 0;
};

}  // namespace hearth::commands
