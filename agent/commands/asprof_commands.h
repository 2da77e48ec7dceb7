// Executes commands of async-profiler as that profiler does: one session, named kAsprofSession, which a second start is
// refused to, which can be dumped after its stop, and which resume goes on with. Answers are async-profiler's, word for
// word where clients compare them. Thread safe.
#pragma once

#include <jni.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "base/log.h"
#include "commands/answer.h"
#include "commands/command_runner.h"
#include "commands/sessions/output_writer.h"
#include "commands/sessions/session_table.h"
#include "options/asprof/asprof_command.h"

namespace hearth::commands {

class AsprofCommands {
 public:
  // All outlive this.
  AsprofCommands(JvmLifecycle* jvm, Log* log, SessionTable* table, CommandRunner* runner, OutputWriter* outputs)
      : jvm_(jvm), log_(log), table_(table), runner_(runner), outputs_(outputs) {}

  // As CommandRunner::execute() and execute_and_reply().
  Answer execute(const options::AsprofCommand& command, JNIEnv* env);
  bool execute_and_reply(const std::string& text, JNIEnv* env);

  // The samples so far of the session that runs, or of the last one.
  int64_t samples() const;
  // Adds or removes a thread of a session whose filter takes added threads; null: the calling one. On an attached
  // thread.
  void choose_thread(JNIEnv* env, jthread thread, bool is_wanted);

  // As JavaRecordings::add().
  jint add_recording_class(JNIEnv* env, jclass recording) { return jvm_->recordings().add(env, recording); }
  // Puts a span of the calling thread into all recordings. Times are nanoseconds of CLOCK_MONOTONIC; "": no tag.
  void record_span(int64_t start_ns, int64_t end_ns, const std::string& tag);
  // The same for an event of the program's own, now.
  void record_event(const std::string& type, const std::string& content);

 private:
  using SessionPtr = SessionTable::SessionPtr;
  SessionPtr session() const;
  bool is_running() const;
  void require_session() const;
  ProfilePtr whole_profile(options::Options output, JNIEnv* env);
  Answer dispatch(const options::AsprofCommand& command, JNIEnv* env);
  Answer start(const options::AsprofCommand& command, JNIEnv* env);
  Answer stop(const options::AsprofCommand& command, JNIEnv* env);
  Answer dump(const options::AsprofCommand& command, JNIEnv* env);
  void log_ignored(const options::AsprofCommand& command);

  JvmLifecycle* jvm_;
  Log* log_;
  SessionTable* table_;
  CommandRunner* runner_;
  OutputWriter* outputs_;
  std::mutex mutex_;
  ProfilePtr earlier_;  // of the sessions that resume went on with; null: none
};

}  // namespace hearth::commands
