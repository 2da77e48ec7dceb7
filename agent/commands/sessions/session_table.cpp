#include "commands/sessions/session_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "options/sampled_events.h"

namespace hearth::commands {
namespace {

using Lock = std::lock_guard<std::mutex>;

auto is_session(const session::ProfileSession& wanted) {
  return [&wanted](const auto& entry) { return entry.session.get() == &wanted; };
}

int rank_of(const UserSession& one) {
  const std::string& name = one.session->options().session;
  if (!one.session->running()) return 3;
  if (is_private(name)) return 2;
  return name.empty() ? 0 : 1;
}

// The client of a private session has the profile, and asks for nothing more.
bool is_over(const UserSession& one) {
  return one.is_fetched && !one.session->running() && is_private(one.session->options().session);
}

}  // namespace

SessionDescriptor descriptor_of(const session::ProfileSession& session) {
  return {session.number(), session.options().session, options::event_names(session.options()), session.running(),
          session.paused()};
}

void SessionTable::add_user(SessionPtr session) {
  Lock lock(mutex_);
  user_sessions_.push_back({std::move(session)});
  changes_++;
}

void SessionTable::drop_user(const Session& session) {
  Lock lock(mutex_);
  auto found = std::find_if(user_sessions_.begin(), user_sessions_.end(), is_session(session));
  if (found == user_sessions_.end()) return;
  user_sessions_.erase(found);
  changes_++;
}

bool SessionTable::has_user(const Session& session) const {
  Lock lock(mutex_);
  return std::any_of(user_sessions_.begin(), user_sessions_.end(), is_session(session));
}

void SessionTable::drop_replaced(const Session& by) {
  std::vector<UserSession> replaced;  // destroyed after the lock is released
  auto stays = [&](const UserSession& one) {
    return one.session->running() || options::common_events(one.session->options(), by.options()).empty();
  };
  Lock lock(mutex_);
  auto first = std::stable_partition(user_sessions_.begin(), user_sessions_.end(), stays);
  std::move(first, user_sessions_.end(), std::back_inserter(replaced));
  user_sessions_.erase(first, user_sessions_.end());
}

void SessionTable::mark_ended(const Session& session) {
  Lock lock(mutex_);
  auto ended = std::find_if(user_sessions_.begin(), user_sessions_.end(), is_session(session));
  if (ended != user_sessions_.end()) std::rotate(ended, ended + 1, user_sessions_.end());
  changes_++;
}

void SessionTable::mark_fetched(const Session& session) {
  Lock lock(mutex_);
  for (UserSession& one : user_sessions_)
    if (one.session.get() == &session) one.is_fetched = true;
}

void SessionTable::set_unwritten(const Session& session, const std::string& file) {
  Lock lock(mutex_);
  for (UserSession& one : user_sessions_)
    if (one.session.get() == &session) one.unwritten = file;
}

std::vector<UserSession> SessionTable::user_sessions() const {
  Lock lock(mutex_);
  return user_sessions_;
}

std::vector<UserSession> SessionTable::listed() const {
  std::vector<UserSession> listed = user_sessions();
  listed.erase(std::remove_if(listed.begin(), listed.end(), is_over), listed.end());
  // Ranks are read once: a session may end while they are compared.
  std::vector<std::pair<int, UserSession>> ranked;
  for (UserSession& one : listed) {
    int rank = rank_of(one);
    ranked.emplace_back(rank, std::move(one));
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  listed.clear();
  for (auto& [rank, one] : ranked) listed.push_back(std::move(one));
  return listed;
}

UserSession SessionTable::resolve(const options::Options& command) const {
  std::vector<UserSession> sessions = user_sessions();
  std::vector<SessionDescriptor> descriptors;
  descriptors.reserve(sessions.size());
  for (const UserSession& one : sessions) descriptors.push_back(descriptor_of(*one.session));
  return sessions[resolve_session(descriptors, command)];
}

SessionTable::SessionPtr SessionTable::running_user(uint64_t number) const {
  Lock lock(mutex_);
  for (const UserSession& one : user_sessions_)
    if (one.session->number() == number) return one.session->running() ? one.session : nullptr;
  return nullptr;
}

void SessionTable::add_auxiliary(SessionPtr session) {
  Lock lock(mutex_);
  auxiliary_sessions_.push_back(std::move(session));
  changes_++;
}

void SessionTable::drop_auxiliary(const Session& session) {
  SessionPtr dropped;  // destroyed after the lock is released
  Lock lock(mutex_);
  changes_++;
  auto found = std::find_if(auxiliary_sessions_.begin(), auxiliary_sessions_.end(),
                            [&](const SessionPtr& one) { return one.get() == &session; });
  if (found == auxiliary_sessions_.end()) return;
  dropped = std::move(*found);
  auxiliary_sessions_.erase(found);
}

std::vector<SessionTable::SessionPtr> SessionTable::auxiliary_sessions() const {
  Lock lock(mutex_);
  return auxiliary_sessions_;
}

void SessionTable::share(const SessionPtr& session) {
  Lock lock(mutex_);
  shared_.push_back({session, 0});
}

bool SessionTable::add_client(const Session& session) {
  Lock lock(mutex_);
  auto found = std::find_if(shared_.begin(), shared_.end(), is_session(session));
  if (found == shared_.end()) return false;
  found->clients++;
  return true;
}

bool SessionTable::remove_client(const Session& session) {
  SessionPtr last;  // destroyed after the lock is released
  Lock lock(mutex_);
  auto found = std::find_if(shared_.begin(), shared_.end(), is_session(session));
  if (found == shared_.end() || --found->clients > 0) return false;
  last = std::move(found->session);
  shared_.erase(found);
  return true;
}

size_t SessionTable::shared_count() const {
  Lock lock(mutex_);
  return shared_.size();
}

std::vector<SessionTable::SessionPtr> SessionTable::all() const {
  Lock lock(mutex_);
  std::vector<SessionPtr> all = auxiliary_sessions_;
  for (const UserSession& one : user_sessions_) all.push_back(one.session);
  return all;
}

std::vector<SessionTable::SessionPtr> SessionTable::running() const {
  std::vector<SessionPtr> running = all();
  running.erase(std::remove_if(running.begin(), running.end(), [](const SessionPtr& one) { return !one->running(); }),
                running.end());
  return running;
}

}  // namespace hearth::commands
