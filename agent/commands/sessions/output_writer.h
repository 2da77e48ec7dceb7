// Writes profiles as a command asks for them: to a file, or as the answer. Thread safe.
#pragma once

#include <jni.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "commands/agent_locks.h"
#include "commands/answer.h"
#include "commands/sessions/output_files.h"
#include "commands/sessions/session_table.h"
#include "options/options.h"
#include "profile/model/profile.h"

namespace hearth::commands {

// A profile that its maker shares with its reader. Its end returns the memory of a large one to the system.
using ProfilePtr = std::shared_ptr<const profile::Profile>;

// The output of a stop or dump.
struct Output {
  std::shared_ptr<session::ProfileSession> session;
  options::Options options;
  bool is_of_stop = false;
};

class OutputWriter {
 public:
  // `table` outlives this.
  explicit OutputWriter(SessionTable* table) : table_(table) {}

  // The path that a file pattern names for the next output.
  std::string next_path(const std::string& pattern) const;
  // The file that a session with these options records into while it runs; "": it writes a profile at its end.
  std::string recording_of(const options::Options& options);
  // Its session has started: the next output has the next number.
  void count_recording(const options::Options& options);
  // Builds the session's profile and writes it. Releases `commands`, the commands' lock, before it writes. Call it
  // without the state lock, so that questions wait for neither. On an attached thread.
  Answer write(const Output& output, AgentLocks::Lock* commands, JNIEnv* env);
  // The same for a caller that takes the profile; writes it only to the output's file, if that has one.
  ProfilePtr profile(const Output& output, AgentLocks::Lock* commands, JNIEnv* env);
  Answer write_profile(const profile::Profile& profile, const options::Options& options);
  // Waits until no file is being written. False: that takes longer than `most`.
  bool wait_for_all(std::chrono::milliseconds most) { return files_.wait_for_all(most); }

 private:
  using File = std::optional<OutputFiles::Announced>;
  using Use = std::function<void(const File& file, const ProfilePtr& profile)>;
  void make(const Output& output, AgentLocks::Lock* commands, JNIEnv* env, const Use& use);
  File announce(const options::Options& options);
  static bool is_recorded(const Output& output);
  Answer finish_recording(const Output& output, AgentLocks::Lock* commands);
  static Answer write_to(const File& file, const profile::Profile& profile, const options::Options& options);

  SessionTable* table_;
  mutable std::mutex mutex_;
  uint64_t numbered_ = 0;  // outputs so far with %n in their pattern
  OutputFiles files_;
};

}  // namespace hearth::commands
