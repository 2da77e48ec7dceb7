// Threads of hearth and threads that execute its commands: sessions do not sample them. Thread safe.
#pragma once

#include <functional>
#include <mutex>
#include <set>

#include "commands/sessions/session_table.h"

namespace hearth::commands {

class OwnThreads {
 public:
  // `table` outlives this.
  explicit OwnThreads(SessionTable* table) : table_(table) {}

  void add(int tid);
  void remove(int tid);
  // Runs a command on a thread of the JVM that does nothing else meanwhile. The thread is left out of profiles, and its
  // CPU time counts as the profiling's own cost.
  bool run_command(const std::function<bool()>& command);

  // The threads that a session is to leave out from its start.
  std::set<int> excluded() const;
  // Corrects the list of a session that has just started: threads and commands may have begun or ended since
  // excluded() returned `excluded_at_start`.
  void exclude_from(session::ProfileSession* session, const std::set<int>& excluded_at_start) const;

 private:
  std::vector<SessionTable::SessionPtr> leave_out_command(int tid);

  SessionTable* table_;
  mutable std::mutex mutex_;
  std::set<int> own_;
  std::set<int> of_commands_;
};

}  // namespace hearth::commands
