// Keeps the sources' events on the threads that live: told by the JVM of Java threads as they start and end, finding
// the others in /proc/self/task. Thread safe.
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

  // A thread of our own, never to be sampled.
  void exclude(int tid);
  // It ends: another may get its number.
  void include(int tid);

  // Also tells of a thread that was there before, and of a new name: a thread that the filter did not want is then
  // followed, one that it wants no longer is left out.
  void thread_started(int tid, std::string name);
  void thread_ended(int tid, std::string name);

  // Follows threads that nobody announced and lets go of those that ended.
  void scan();

  // Lets go of all; follows none from now on.
  void finish();

  // Silences a source, if it is one of these, and lets go of its threads; others go on. It is none of the follower's
  // from now on. One call at a time.
  void let_go(EventSource* source);
  // One that has been started follows those that are followed by others, and from the next scan on all.
  void take_up(EventSource* source);

  // ThreadRegistry::forget_allocations().
  void forget_allocations();

  // All threads of the session by serial number, ended ones too.
  std::vector<ThreadRegistry::Thread> threads() const;

  // What went wrong in following, and that no thread was wanted; one line each.
  std::vector<std::string> troubles() const;

  // CPU of all followed threads since each was followed, by their own clocks: ended ones and living ones.
  int64_t threads_cpu_ns() const;

 private:
  capture::ThreadSlot* follow(int tid);
  void find(int tid);
  void name_again();
  void unfollow(capture::ThreadSlot* slot);
  bool is_leaving(int tid) const;
  bool follows_threads() const;

  std::vector<EventSource*> sources_;
  EventSource* going_ = nullptr;  // is being silenced: it follows none that are new
  ThreadRegistry* registry_;
  const options::ThreadFilter* filter_;
  mutable std::mutex mutex_;
  std::set<int> excluded_;
  std::set<int> just_found_;  // since the last scan; the JVM has not said what they are called
  std::set<int> unwanted_;    // by the name that the JVM knows; the kernel's is another
  // When each thread said goodbye (CLOCK_MONOTONIC, ns): the kernel lists it a moment longer. One that is still there
  // after that has only left the JVM.
  std::unordered_map<int, uint64_t> leaving_;
  int64_t ended_cpu_ns_ = 0;
  bool followed_any_ = false;
  bool finished_ = false;
};

// The threads of this process that the kernel lists now.
std::vector<int> tasks_of_process();

// The kernel's name of a thread of this process, "" when it is gone.
std::string name_of_task(int tid);

}  // namespace hearth::events
