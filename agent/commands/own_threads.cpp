#include "commands/own_threads.h"

#include "always_on/store_sources.h"
#include "events/handlers/current_tid.h"
#include "events/threads/thread_clock.h"

namespace hearth::commands {
namespace {

// Declared before a lock, they are released after it: the last owner of a session destroys it.
using Sessions = std::vector<SessionTable::SessionPtr>;
using Lock = std::lock_guard<std::mutex>;

}  // namespace

void OwnThreads::add(int tid) {
  if (tid == events::current_tid()) events::mark_own_thread(true);
  Sessions sessions;
  Lock lock(mutex_);
  own_.insert(tid);
  sessions = table_->all();
  for (const auto& session : sessions)
    if (session->running()) session->exclude(tid);
}

void OwnThreads::remove(int tid) {
  if (tid == events::current_tid()) events::mark_own_thread(false);
  Sessions sessions;
  Lock lock(mutex_);
  own_.erase(tid);
  sessions = table_->all();
  for (const auto& session : sessions)
    if (session->running()) session->include(tid);
}

std::set<int> OwnThreads::excluded() const {
  Lock lock(mutex_);
  std::set<int> excluded = own_;
  excluded.insert(of_commands_.begin(), of_commands_.end());
  return excluded;
}

void OwnThreads::exclude_from(session::ProfileSession* session, const std::set<int>& excluded_at_start) const {
  Lock lock(mutex_);
  for (int tid : excluded_at_start)
    if (own_.count(tid) == 0 && of_commands_.count(tid) == 0) session->include(tid);
  for (int tid : own_) session->exclude(tid);
  for (int tid : of_commands_) {
    if (session->options().show_profiler)
      session->include(tid);
    else
      session->exclude(tid);
  }
}

// Returns the sessions that pay for the command: a store's budget covers its sampling only.
Sessions OwnThreads::leave_out_command(int tid) {
  Sessions sessions, paying;
  Lock lock(mutex_);
  of_commands_.insert(tid);
  sessions = table_->all();
  for (const auto& session : sessions) {
    if (!session->running() || session->options().show_profiler) continue;
    session->exclude(tid);
    if (!always_on::is_always_on(*session)) paying.push_back(session);
  }
  return paying;
}

bool OwnThreads::run_command(const std::function<bool()>& command) {
  int tid = events::current_tid();
  uint64_t began_ns = capture::thread_cpu_ns();
  Sessions paying = leave_out_command(tid);
  bool is_done = command();
  auto took_ns = static_cast<int64_t>(capture::thread_cpu_ns() - began_ns);
  for (const auto& session : paying)
    if (session->running()) session->add_own_cpu(took_ns);
  Sessions sessions;
  Lock lock(mutex_);
  of_commands_.erase(tid);
  sessions = table_->all();
  for (const auto& session : sessions)
    if (session->running()) session->include(tid);
  return is_done;
}

}  // namespace hearth::commands
