#include "commands/sessions/session_conflicts.h"

#include <algorithm>
#include <string_view>

#include "always_on/store_sources.h"
#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "options/file_pattern.h"
#include "options/sampled_events.h"
#include "profile/formats/amount_text.h"
#include "profile/model/event_view.h"

namespace hearth::commands {
namespace {

std::string text_of(const session::ProfileSession& session) {
  return describe_session(descriptor_of(session));
}

// Whether the pattern expands to another path each time.
bool is_new_each_time(const std::string& file_pattern) {
  return file_pattern.find("%n") != std::string::npos || file_pattern.find("%t") != std::string::npos;
}

// Whether the breakpoints of one leave no place for the other.
bool is_alone(const options::Options& one, const options::Options& other) {
  return options::samples_windows_only(one) || options::samples_windows_only(other) ||
         (options::has_breakpoints(one) && options::has_breakpoints(other));
}

void check_fits_alongside(const options::Options& wanted, const session::ProfileSession& session) {
  options::Options there = session.sampled();
  std::string runs = formatted("a session is running ({})", session.events());
  if (options::samples_windows_only(there))
    throw SessionConflict(session.number(), formatted("{}, and outside its begin and end nothing is sampled", runs),
                          "stop it first");
  const char* common = options::contended_event(there, wanted);
  if (common == nullptr) return;
  if (!options::samples_all(there))
    throw SessionConflict(session.number(), formatted("{}, and it samples only some threads", runs), "stop it first");
  const char* missing = options::missing_event(there, wanted);
  if (missing == nullptr || std::string_view(missing) != profile::kLiveEvent)
    throw SessionConflict(session.number(), formatted("{}; {}", runs, options::no_room_beside(common)),
                          "stop it first");
  throw SessionConflict(session.number(), formatted("{}, and it does not sample {}", runs, missing),
                        "stop it and start it with live, too; allocs returns the allocations");
}

}  // namespace

// Without options a stop means the only session without a name.
std::string SessionConflicts::stop_command(const session::ProfileSession& running) const {
  const options::Options& there = running.options();
  if (!there.session.empty()) return formatted("hearth stop --session {} PID", there.session);
  std::vector<UserSession> sessions = table_->user_sessions();
  auto unnamed = std::count_if(sessions.begin(), sessions.end(), [](const UserSession& one) {
    return one.session->running() && one.session->options().session.empty();
  });
  return unnamed == 1 ? "hearth stop PID" : formatted("hearth stop -e {} PID", options::event_names(there).front());
}

void SessionConflicts::refuse(const session::ProfileSession& running, const options::Options& wanted) const {
  const options::Options& there = running.options();
  std::string runs = formatted("a session is running, for {} so far: {}", profile::duration_text(running.duration_ns()),
                               text_of(running));
  std::string stop = "stop it first: " + stop_command(running);
  if (is_alone(there, wanted))
    throw SessionConflict(running.number(), runs + "; begin and end need the JVM to themselves", stop);
  if (const char* contended = options::contended_event(running.sampled(), wanted))
    throw SessionConflict(running.number(), formatted("{}; {}", runs, options::no_room_beside(contended)), stop);
  if (!wanted.session.empty()) throw SessionConflict(running.number(), runs, "give this one another name, or " + stop);
  throw SessionConflict(running.number(), runs, "give this one a name to run both (session=NAME), or " + stop);
}

// Without names a start of an event that is sampled already is a mistake more often than not.
void SessionConflicts::check_user_sessions(const options::Options& options) const {
  for (const UserSession& one : table_->user_sessions()) {
    if (!one.session->running()) continue;
    const options::Options& there = one.session->options();
    bool is_same = there.session == options.session &&
                   (!options.session.empty() || options::common_event(there, options) != nullptr);
    bool needs_all = is_alone(there, options);
    bool is_contended = options::contended_event(one.session->sampled(), options) != nullptr;
    if (is_same || needs_all || is_contended) refuse(*one.session, options);
  }
}

void SessionConflicts::check_clients(const options::Options& options) const {
  for (const auto& session : table_->auxiliary_sessions()) {
    if (always_on::is_always_on(*session)) continue;  // it releases its resources for others
    const char* contended = options::contended_event(session->options(), options);
    if (contended == nullptr && !options::samples_windows_only(options)) continue;
    throw Error(formatted("clients of the pprof endpoints wait for profiles ({})", session->events()),
                contended == nullptr ? "begin and end need a JVM to themselves; try again when they have their profiles"
                                     : "try again when they have their profiles");
  }
}

void SessionConflicts::check_start(const options::Options& options) const {
  check_user_sessions(options);
  check_clients(options);
  if (options.file.empty()) return;
  check_replaceable(outputs_->next_path(options.file));
  check_file(options.file, nullptr);
}

void SessionConflicts::check_resume(const session::ProfileSession& session, const options::Options& events) const {
  for (const UserSession& one : table_->user_sessions()) {
    if (one.session.get() == &session || !one.session->running()) continue;
    if (options::contended_event(one.session->sampled(), events) != nullptr) refuse(*one.session, events);
  }
  check_clients(events);
}

void SessionConflicts::check_auxiliary(const options::Options& options) const {
  for (const auto& session : table_->running())
    if (!always_on::is_always_on(*session)) check_fits_alongside(options, *session);
}

void SessionConflicts::check_file(const std::string& pattern, const session::ProfileSession* itself) const {
  if (pattern.empty()) return;
  std::string path = outputs_->next_path(pattern);
  for (const UserSession& one : table_->user_sessions()) {
    const std::string& there = one.session->options().file;
    if (one.session.get() == itself || !one.session->running() || there.empty() || is_new_each_time(there)) continue;
    if (outputs_->next_path(there) != path) continue;
    throw SessionConflict(one.session->number(),
                          formatted("{} is the file of a session that is running: {}", path, text_of(*one.session)),
                          "name another file, or stop it first: " + stop_command(*one.session));
  }
}

}  // namespace hearth::commands
