// One session's life: started with options, running, stopped. Its samples stay readable until it is destroyed. Calls
// come one at a time under both of the agent's locks, except those that name other threads below, and reads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/faults/fault_handler.h"
#include "session/breakpoint_watch.h"
#include "session/session_state.h"
#include "session/session_worker.h"

namespace hearth::session {

class ProfileSession : public SessionState, public std::enable_shared_from_this<ProfileSession> {
 public:
  // `vm` and `log` outlive the session.
  ProfileSession(vm::Vm* vm, Log* log, const options::Options& options, Hooks hooks);
  ~ProfileSession();

  // Throws Error with reason and remedy when no engine can run; then the JVM is as before.
  void start();
  void stop();  // idempotent

  // Takes no more samples of an event (as in options::event_names()) of a running session until resume(); other events
  // go on and recorded samples stay. False: it was paused already, or was not.
  bool pause(const std::string& event);
  // Throws Error where it cannot be sampled any more; then it stays paused.
  bool resume(const std::string& event);
  // Drops the live objects and does not look for them at stop(). On an attached thread.
  void forget_living(JNIEnv* env) { live_.forget(env); }

  uint64_t number() const { return hooks_.number; }       // among the sessions of commands, from 1; 0: not one of them
  SampleStream* stream() const { return stream_.get(); }  // null: its samples are only counted
  // Weight of the lost samples by event, in the event's unit.
  std::map<std::string, int64_t> lost_weights() const;

  // The JVM's threads, from before start() until after stop(). Called by these threads.
  void thread_started(int tid, std::string name);
  void thread_ended(int tid, std::string name);
  // The rest is for a running session; any thread may call it.
  //
  // Sets the name of a thread that lives already.
  void name_thread(int tid, std::string name) { sources_.follower()->thread_started(tid, std::move(name)); }
  // Leaves out a thread that does not belong to the program. include() when it ends: its number may be reused.
  void exclude(int tid) { sources_.follower()->exclude(tid); }
  void include(int tid) { sources_.follower()->include(tid); }
  // Adds the CPU time of a command, whose thread is not sampled meanwhile.
  void add_own_cpu(int64_t ns) { commands_cpu_ns_ += ns; }

 private:
  void start_sources();
  void follow_threads();
  void name_java_threads();
  std::vector<SessionWorker::Task> worker_tasks();
  void start_worker();
  void end_sampling();
  void end_stream(bool is_free);
  void retain();
  void retain_for_held_thread();

  capture::FaultHandler faults_;
  BreakpointWatch breakpoint_watch_;
};

}  // namespace hearth::session
