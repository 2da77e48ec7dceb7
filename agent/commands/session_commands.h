// Commands about a session: start, stop, dump, pause, resume. Calls come under both of the agent's locks, on attached
// threads, and throw Error, with nothing changed; except end_on_timeout() and end_all(), which take the locks and log.
#pragma once

#include <jni.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "commands/agent_locks.h"
#include "commands/answer.h"
#include "commands/java/jvm_recording.h"
#include "commands/jvm_lifecycle.h"
#include "commands/sessions/output_writer.h"
#include "commands/sessions/session_conflicts.h"
#include "commands/sessions/session_starter.h"
#include "commands/sessions/session_table.h"
#include "commands/store_controller.h"
#include "options/options.h"

namespace hearth::commands {

class SessionCommands {
 public:
  // All outlive this.
  SessionCommands(AgentLocks* locks, JvmLifecycle* jvm, Log* log, SessionTable* table, SessionStarter* starter,
                  StoreController* store, OutputWriter* outputs);

  Answer start(const options::Options& options, JNIEnv* env);
  // Stops the session. Its profile is written afterwards, without the state lock.
  Output stop(const options::Options& options, JNIEnv* env);
  Output dump(const options::Options& options, JNIEnv* env);
  Answer pause(const options::Options& options, JNIEnv* env);
  Answer resume(const options::Options& options, JNIEnv* env);

  // Stops a session at its timeout, writes the output of its start, and starts the next round of a loop.
  void end_on_timeout(uint64_t number);
  // At the JVM's end: does the same with all that run, one after the other.
  void end_all(JNIEnv* env);
  // Pauses all that run and writes the output of their starts. Returns what resumes them.
  std::function<void()> leave_for_exec(JNIEnv* env);

 private:
  SessionTable::SessionPtr begin(const options::Options& options, const std::string& recording, JNIEnv* env);
  void end_jvm_recording(const session::ProfileSession& session, JNIEnv* env);
  JavaRecordings::State state_of_recordings() const;
  void stop_session(session::ProfileSession* session, JNIEnv* env);
  void write_as_started(const SessionTable::SessionPtr& session, JNIEnv* env);
  bool end(uint64_t number, JNIEnv* env);  // false: it did not run any more
  void start_next_round(options::Options options, JNIEnv* env);
  void resume_events(session::ProfileSession* session, const std::vector<std::string>& events,
                     std::vector<std::string>* resumed, JNIEnv* env);

  AgentLocks* locks_;
  JvmLifecycle* jvm_;
  Log* log_;
  SessionTable* table_;
  SessionStarter* starter_;
  StoreController* store_;
  OutputWriter* outputs_;
  SessionConflicts conflicts_;
  std::map<uint64_t, std::unique_ptr<JvmRecording>> jvm_recordings_;  // of running sessions, by their numbers
};

}  // namespace hearth::commands
