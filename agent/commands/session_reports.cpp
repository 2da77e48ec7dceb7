#include "commands/session_reports.h"

#include <utility>

#include "base/formatted.h"
#include "commands/command_replies.h"
#include "naming/session_quality.h"
#include "profile/model/quality.h"

namespace hearth::commands {
namespace {

// The name of a private session is of use to its client only.
std::string shown_text(SessionDescriptor descriptor) {
  bool is_of_client = is_private(descriptor.name);
  if (is_of_client) descriptor.name.clear();
  return describe_session(descriptor) + (is_of_client ? ", private" : "");
}

SessionFigures figures_with(const session::ProfileSession& session, const profile::Quality& quality) {
  SessionFigures figures = {session.number(), session.running(), session.duration_ns(),
                            session.events(), quality,           session.lost_weights()};
  figures.name = session.options().session;
  figures.paused = session.paused();
  return figures;
}

}  // namespace

std::string SessionReports::status_of(const UserSession& one, size_t sessions) const {
  session::ProfileSession& session = *one.session;
  std::string state = session.running() ? "Profiling is running for" : "Profiling is stopped after";
  profile::Quality quality = naming::full_quality_of(&session);
  for (std::string& note : naming::pause_notes(session, {})) quality.notes.push_back(std::move(note));
  std::string text = formatted("{} {:.1f} s: {}", state, static_cast<double>(session.duration_ns()) / 1e9,
                               profile::quality_text(quality, session.duration_ns()));
  if (sessions > 1 || !session.options().session.empty())
    text += formatted("\n  {:<21}: {}, {}", "Session", session.number(), shown_text(descriptor_of(session)));
  for (const profile::QualityRow& row : profile::quality_rows(quality, session.duration_ns()))
    text += formatted("\n  {:<21}: {}", row.label, row.value);
  if (!session.running() && !one.unwritten.empty())
    text += formatted("\n  {:<21}: {} is not written: the session began with it, and its stop named another output",
                      "Note", one.unwritten);
  return text;
}

std::string SessionReports::status(const options::Options& options) const {
  size_t sessions = table_->user_sessions().size();
  bool means_one = !options.session.empty() || !options.raw.event.empty();
  if (means_one) return status_of(table_->resolve(options), sessions);
  std::vector<std::string> texts;
  if (const always_on::AlwaysOn* store = store_->running()) texts.push_back(store->status());
  for (const UserSession& one : table_->listed()) texts.push_back(status_of(one, sessions));
  if (!texts.empty()) return joined(texts, "\n");
  return sessions == 0 ? "Nothing was profiled yet" : "No session is running";
}

std::vector<SessionFigures> SessionReports::figures() const {
  std::vector<SessionFigures> all;
  for (const UserSession& one : table_->listed())
    all.push_back(figures_with(*one.session, naming::quality_of(*one.session)));
  return all;
}

std::optional<SessionFigures> SessionReports::figures_of(const options::Options& command) const {
  if (table_->user_sessions().empty()) return std::nullopt;
  UserSession one = table_->resolve(command);
  return figures_with(*one.session, naming::quality_of(*one.session));
}

std::string SessionReports::metrics(AgentFigures figures) const {
  for (const auto& session : table_->all()) {
    for (const auto& [part, bytes] : session->memory()) figures.memory_bytes[part] += bytes;
  }
  figures.shared_sessions = static_cast<int64_t>(table_->shared_count());
  if (const always_on::AlwaysOn* store = store_->running()) figures.always_on = store->figures();
  std::vector<SessionFigures> sessions;
  for (const UserSession& one : table_->listed())
    sessions.push_back(figures_with(*one.session, naming::full_quality_of(one.session.get())));
  return metrics_text(sessions, figures);
}

std::vector<std::string> SessionReports::unkept_profiles() const {
  std::vector<std::string> lines;
  if (store_->running() != nullptr) return lines;
  for (const UserSession& one : table_->user_sessions()) {
    const options::Options& options = one.session->options();
    if (!one.session->running() || has_output(options) || options.speaks_asprof) continue;
    lines.push_back(
        formatted("the session of {} has no file= and no output format: unless somebody stops it before the JVM ends, "
                  "its profile is lost",
                  one.session->events()));
  }
  return lines;
}

}  // namespace hearth::commands
