// Attaches the sources' events to living threads. The JVM announces Java threads as they start and end; others are
// found in /proc/self/task. Thread safe.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "events/event_source.h"
#include "options/thread_filter.h"

namespace hearth::events {

class ThreadFollower {
 public:
  // `registry` and `filter` outlive the follower.
  ThreadFollower(std::vector<EventSource*> sources, ThreadRegistry* registry, const options::ThreadFilter* filter)
      : sources_(std::move(sources)), registry_(registry), filter_(filter) {}

  // Excludes a thread of the agent from sampling.
  void exclude(int tid);
  // The excluded thread ends: another may get its number.
  void include(int tid);

  // Also called for threads that exist already, and for a new name: a thread that the filter matches now is followed
  // then, one that it matches no longer is left out.
  void thread_started(int tid, std::string name);
  void thread_ended(int tid, std::string name);

  // Follows threads that the JVM did not announce and detaches those that ended.
  void scan();

  // Detaches all threads and follows none from now on.
  void finish();

  // Silences a source, if it is one of these, and detaches its threads; others continue. The follower drops it. One
  // call at a time.
  void remove_source(EventSource* source);
  // Adds a started source: it follows the threads that others follow, and all from the next scan on.
  void add_source(EventSource* source);

  // ThreadRegistry::forget_allocations().
  void forget_allocations();

  // Returns all threads of the session by serial number, ended ones included.
  std::vector<ThreadRegistry::Thread> threads() const;

  // Returns one line for each problem in following, and one if no thread matched.
  std::vector<std::string> troubles() const;

  // Returns the CPU time of all followed threads, living and ended, since each was followed, by their own clocks.
  int64_t threads_cpu_ns() const;

 private:
  capture::ThreadSlot* attach(int tid);
  void find(int tid);
  void reapply_names();
  void detach(capture::ThreadSlot* slot);
  bool is_leaving(int tid) const;
  bool follows_threads() const;

  std::vector<EventSource*> sources_;
  EventSource* stopping_source_ = nullptr;  // being disabled: it gets no new threads
  ThreadRegistry* registry_;
  const options::ThreadFilter* filter_;
  mutable std::mutex mutex_;
  std::set<int> excluded_;
  std::set<int> just_found_;  // since the last scan; the JVM has not given their names yet
  std::set<int> unwanted_;    // by the JVM's name, which differs from the kernel's
  // When each thread announced its end (CLOCK_MONOTONIC, ns): the kernel lists it a moment longer. A thread that is
  // still listed after that has only detached from the JVM.
  std::unordered_map<int, uint64_t> leaving_;
  int64_t ended_cpu_ns_ = 0;
  bool followed_any_ = false;
  bool finished_ = false;
};

// The threads of this process that the kernel lists now.
std::vector<int> tasks_of_process();

// Returns the kernel's name of a thread of this process, "" if it has ended.
std::string name_of_task(int tid);

}  // namespace hearth::events
