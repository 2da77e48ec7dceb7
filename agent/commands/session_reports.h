// Status, figures and metrics of all sessions. Calls come under the agent's state lock; metrics() on an attached
// thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/metrics_text.h"
#include "commands/sessions/session_table.h"
#include "commands/store_controller.h"
#include "options/options.h"

namespace hearth::commands {

class SessionReports {
 public:
  // Both outlive this.
  SessionReports(const SessionTable* table, const StoreController* store) : table_(table), store_(store) {}

  // Of one session where the options name it, else of all and of the store.
  std::string status(const options::Options& options) const;
  // Of the sessions that commands control, running ones first; without the count of samples without symbols, which
  // takes longer to find.
  std::vector<SessionFigures> figures() const;
  // Of the session that a stop or dump means. Empty: there is none. Throws Error where it could be several.
  std::optional<SessionFigures> figures_of(const options::Options& command) const;
  // For Prometheus. Adds the sessions' and the store's figures to `figures`.
  std::string metrics(AgentFigures figures) const;
  // A line for each running session that has no output for its profile.
  std::vector<std::string> unkept_profiles() const;

 private:
  std::string status_of(const UserSession& one, size_t sessions) const;

  const SessionTable* table_;
  const StoreController* store_;
};

}  // namespace hearth::commands
