// Whether a session can start or resume while others run. Each check throws SessionConflict, or Error where only time
// helps; the message names the session in the way and how to stop it.
#pragma once

#include <string>

#include "commands/sessions/output_writer.h"
#include "commands/sessions/session_table.h"
#include "options/options.h"

namespace hearth::commands {

class SessionConflicts {
 public:
  // Both outlive this.
  SessionConflicts(const SessionTable* table, const OutputWriter* outputs) : table_(table), outputs_(outputs) {}

  void check_start(const options::Options& options) const;
  // As for a start of these events alone.
  void check_resume(const session::ProfileSession& session, const options::Options& events) const;
  // Of a session for clients of the pprof endpoints.
  void check_auxiliary(const options::Options& options) const;
  // Throws where a running session other than `itself` is to write that file: the second to end would replace it.
  void check_file(const std::string& pattern, const session::ProfileSession* itself) const;

 private:
  void check_user_sessions(const options::Options& options) const;
  void check_clients(const options::Options& options) const;
  std::string stop_command(const session::ProfileSession& running) const;
  [[noreturn]] void refuse(const session::ProfileSession& running, const options::Options& wanted) const;

  const SessionTable* table_;
  const OutputWriter* outputs_;
};

}  // namespace hearth::commands
