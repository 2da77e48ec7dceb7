// The agent as a whole: one for the life of the process. Turns commands (options) into sessions and outputs, and passes
// on what the JVM tells. Thread safe.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "session/always_on.h"
#include "session/control.h"
#include "session/file_pattern.h"
#include "session/java_labels.h"
#include "session/log.h"
#include "session/metrics_text.h"
#include "session/options.h"
#include "session/profile_session.h"
#include "session/session_choice.h"
#include "session/vm.h"
#include "symbols/vm_structs.h"

namespace hearth::session {

class Agent {
 public:
  // Never destroyed: signals and JVM callbacks may come until the very end.
  static Agent& instance();

  // Learns to know the VM, once. `live`: the VM is past VMInit. Throws Error when this JVM cannot be profiled at all.
  void enter(JavaVM* java_vm, bool live);

  struct Answer {
    std::string text;  // a message, or what the command makes: a profile without a file for it, metrics
    bool is_product = false;
    uint64_t session = 0;  // the number of what was started
    std::string secret{};  // more lines of a message, for who asked alone: a log must not have them
  };
  // Runs one command on an attached thread. Throws Error; then nothing has changed,
  // except that a stop whose output cannot be written has stopped: a dump can write it elsewhere. `env` may be null
  // before VMInit: then only start can be given, and waits for VMInit.
  // `sets_log`: the options tell how the log speaks from then on, also where they say nothing of it.
  Answer execute(const std::string& text, JNIEnv* env, bool sets_log = true);

  // execute() for the doors that cannot answer: errors are logged, the answer goes to the reply= file when there is
  // one, else a product to standard output and a message to the log. Returns whether it went well.
  bool command(const std::string& text, JNIEnv* env);

  // Who serves http=; outlives the agent.
  void set_control(Control* control) { control_ = control; }
  // Those by which Java says what a thread works on; outlive the agent.
  void set_native_classes(const NativeClasses* classes) { native_classes_ = classes; }

  // Of the sessions that commands are about, first those that run; but for samples without symbols, which take longer
  // to find. Waits for a command that is being run.
  std::vector<SessionFigures> figures();
  // Of the one that a stop or dump of these options means; none where there is none. Throws Error where it could be
  // several.
  std::optional<SessionFigures> figures_of(const std::string& command);

  // For Prometheus. `figures` are what others know, the rest is added.
  std::string metrics(AgentFigures figures);

  // A window on what is sampled, for clients that know nothing of each other. Where a session runs and samples all that
  // is wanted, the window is on that. Else one is started beside it, which no command is about, and ends with the last
  // window on it. Throws Error where what runs leaves no room for it. A window must be closed; on an attached thread.
  struct Window {
    std::shared_ptr<ProfileSession> session;
    SessionMark since;
    bool is_shared = false;  // the session was started for windows
    bool is_new = false;     // for this one
  };
  // `started`: what is needed, and what clients usually ask for with it.
  Window open_window(const Options& needed, const Options& started, JNIEnv* env);
  profile::Profile profile_of(const Window& window, const SessionPart& part, const Options& output, JNIEnv* env);
  void close_window(Window* window, JNIEnv* env);

  // The events of the sessions that were started for windows, session by session. Any thread.
  std::vector<std::string> events_for_windows();
  // A range of the always-on store, or of the directory options.store. What has just been is in it. On an attached
  // thread. Throws Error.
  profile::Profile stored_range(const Options& options, JNIEnv* env);
  // The directory of the store that runs; "": none does.
  std::string store_directory();
  // The same, once what has just been is in there, as far as `range` has it. On an attached thread.
  std::string store_with(const store::TimeRange& range, JNIEnv* env);
  // Of the store that runs. Any thread.
  std::optional<AlwaysOnFigures> always_on();

  // Counts up when a session begins or ends. Any thread.
  uint64_t session_changes() const { return session_changes_; }

  // Threads of hearth outside the sessions: no session samples them.
  void own_thread_begins(int tid);
  void own_thread_ends(int tid);

  Log& log() { return log_; }

  // What the JVM tells.
  void vm_initialized(JNIEnv* env);
  void vm_dies(JNIEnv* env);
  void thread_started(JNIEnv* env, jthread thread);
  void thread_ended(JNIEnv* env, jthread thread);
  Vm& vm() { return vm_; }

 private:
  Agent() = default;
  void learn_live_vm(JNIEnv* env);
  Control& control() const;
  std::optional<Control::Serving> serve(const Options& options);
  Answer run(const Options& options, const std::string& text, JNIEnv* env, bool sets_log);
  void warn_of_lost_profiles();
  Answer start(const Options& options, JNIEnv* env);
  Answer stop(const Options& options, JNIEnv* env);
  Answer pause(const Options& options, JNIEnv* env);
  Answer resume(const Options& options, JNIEnv* env);
  void check_room_for(const ProfileSession& session, const Options& events) const;
  Answer dump(const Options& options, JNIEnv* env);
  Answer status(const Options& options) const;
  static SessionFigures figures_with(const ProfileSession& session, const profile::Quality& quality);
  Answer write(const std::shared_ptr<ProfileSession>& session, const Options& options, JNIEnv* env);
  Answer write_model(const profile::Profile& profile, const Options& options);
  void timed_out(uint64_t number);
  void end_session(uint64_t number, JNIEnv* env);
  void end_all_sessions(JNIEnv* env);
  void refuse(const std::string& reply, const std::string& why);
  void give(const Answer& answer, const std::string& reply);
  void stop_listening();
  void exclude_own_threads(ProfileSession* session);
  ProfileSession::Hooks hooks_of(uint64_t session_number);
  void name_living_threads(ProfileSession* session, JNIEnv* env);
  void prepare(JNIEnv* env);
  void begin(ProfileSession* session, JNIEnv* env);
  void check_room(const Options& options) const;
  void check_beside(const Options& options) const;
  void start_beside(const Options& options, JNIEnv* env);

  std::mutex mutex_;
  std::atomic<Control*> control_{nullptr};
  std::atomic<const NativeClasses*> native_classes_{nullptr};
  Vm vm_;
  Log log_;
  std::unique_ptr<symbols::VmStructs> structs_;
  // A session that commands are about, running or stopped: it stays to be dumped until another begins that samples one
  // of its events.
  struct Commanded {
    std::shared_ptr<ProfileSession> session;
    std::string unwritten{};  // the file that it was to write, had its stop not named another
  };
  static SessionTag tag_of(const ProfileSession& session);
  size_t chosen(const Options& command) const;
  std::string stop_command(const ProfileSession& running) const;
  [[noreturn]] void refuse_beside(const ProfileSession& running, const Options& wanted) const;
  void check_file(const Options& options) const;
  void check_nobody_writes(const std::string& path, const ProfileSession* itself) const;
  using Begin = std::function<std::shared_ptr<ProfileSession>()>;
  std::shared_ptr<ProfileSession> with_a_signal(JNIEnv* env, const Begin& begin);
  std::shared_ptr<ProfileSession> begun(const Options& options, JNIEnv* env);
  void add_commanded(std::shared_ptr<ProfileSession> session);
  void drop_commanded(const ProfileSession* session);
  void drop_replaced(const ProfileSession& by);
  void stop_session(size_t place, JNIEnv* env);
  // Those that run before those that have ended; of them first those without a name, as commands without one mean them.
  std::vector<const Commanded*> in_order() const;
  std::string status_of(const Commanded& one) const;
  std::vector<Commanded> commanded_;  // those that have ended in the order of their ends
  std::mutex session_pointer_mutex_;  // of it, for the callbacks, which must not wait for a dump
  // A session that was started for windows.
  struct Shared {
    std::shared_ptr<ProfileSession> session;
    int clients = 0;
  };
  std::vector<Shared>::iterator shared_of(const ProfileSession& session);
  void drop_beside(const ProfileSession* session);
  void close(Window* window, JNIEnv* env);
  std::vector<std::shared_ptr<ProfileSession>> all_sessions();
  std::vector<std::shared_ptr<ProfileSession>> sessions_that_run() const;
  std::string metrics_with(AgentFigures figures);
  std::shared_ptr<ProfileSession> session_with(const Options& needed);
  std::shared_ptr<ProfileSession> begin_beside(const Options& options, JNIEnv* env);
  // The always-on store.
  Answer start_store(const Options& options, JNIEnv* env);
  Answer stop_store(JNIEnv* env);
  void end_store(JNIEnv* env);
  Answer dump_store(const Options& options, JNIEnv* env);
  void work_for_store();
  uint64_t store_turn(JNIEnv* env);
  void end_store_thread();
  std::shared_ptr<AlwaysOn> always_on_;
  std::thread store_thread_;
  std::mutex store_mutex_;  // of these two
  std::condition_variable store_wakes_;
  bool store_ends_ = false;
  std::vector<Shared> shared_;
  std::vector<std::shared_ptr<ProfileSession>> beside_;  // what runs and no command is about; under the same
  std::set<int> own_threads_;                            // so are these
  std::vector<std::string> waiting_commands_;            // given before VMInit
  uint64_t sessions_ = 0;                                // started until now
  uint64_t outputs_ = 0;                                 // written to a file with %n
  bool entered_ = false;
  std::atomic<bool> vm_starts_{false};  // the command is that of the JVM's own options
  std::atomic<uint64_t> session_changes_{0};
};

}  // namespace hearth::session
