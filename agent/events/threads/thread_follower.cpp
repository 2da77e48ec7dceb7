#include "events/threads/thread_follower.h"
#include "base/formatted.h"
#include "events/threads/thread_clock.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

namespace hearth::events {
namespace {

using capture::ThreadSlot;

// Asks the kernel directly: its list can end early while threads come and go (fs/proc/base.c, next_tid), so absence
// from the list proves nothing.
bool has_ended(int tid) {
  return syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH;
}

}  // namespace

std::vector<int> tasks_of_process() {
  std::vector<int> tids;
  std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc/self/task"), closedir);
  if (!directory) return tids;
  while (const dirent* entry = readdir(directory.get())) {
    int tid = 0;
    auto [end, error] = std::from_chars(entry->d_name, entry->d_name + std::strlen(entry->d_name), tid);
    if (error == std::errc() && *end == '\0') tids.push_back(tid);
  }
  return tids;
}

std::string name_of_task(int tid) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(formatted("/proc/self/task/{}/comm", tid).c_str(), "re"), fclose);
  char name[32];
  if (!file || fgets(name, sizeof name, file.get()) == nullptr) return "";
  name[strcspn(name, "\n")] = '\0';
  return name;
}

void ThreadFollower::exclude(int tid) {
  std::lock_guard<std::mutex> lock(mutex_);
  excluded_.insert(tid);
  if (ThreadSlot* slot = registry_->find(tid)) detach(slot);
}

void ThreadFollower::include(int tid) {
  std::lock_guard<std::mutex> lock(mutex_);
  excluded_.erase(tid);
}

ThreadSlot* ThreadFollower::attach(int tid) {
  if (finished_ || !follows_threads() || excluded_.count(tid) != 0) return nullptr;
  ThreadSlot* slot = registry_->add(tid);
  if (slot == nullptr) return nullptr;
  bool followed = false;
  for (EventSource* source : sources_) followed |= source->follows_threads() && source->attach_thread(slot);
  if (!followed) {
    registry_->take_back(slot);
    return nullptr;
  }
  followed_any_ = true;
  return slot;
}

void ThreadFollower::detach(ThreadSlot* slot) {
  for (EventSource* source : sources_) ended_cpu_ns_ += source->detach_thread(slot);
  if (stopping_source_ != nullptr) ended_cpu_ns_ += stopping_source_->detach_thread(slot);
  registry_->remove(slot);
}

void ThreadFollower::thread_started(int tid, std::string name) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (has_ended(tid)) return;
  leaving_.erase(tid);
  just_found_.erase(tid);
  bool wanted = filter_->accepts(tid, name);
  unwanted_.erase(tid);
  if (!wanted) unwanted_.insert(tid);
  ThreadSlot* slot = registry_->find(tid);
  if (slot != nullptr) slot->left_out.store(!wanted, std::memory_order_relaxed);
  if (slot == nullptr && wanted) attach(tid);
  if (!name.empty()) registry_->set_name(tid, std::move(name));
}

void ThreadFollower::thread_ended(int tid, std::string name) {
  std::lock_guard<std::mutex> lock(mutex_);
  just_found_.erase(tid);
  leaving_[tid] = capture::now_ns();
  unwanted_.erase(tid);
  if (!name.empty()) registry_->set_name(tid, std::move(name));
  registry_->retire(tid);
  ThreadSlot* slot = registry_->find(tid);
  if (slot != nullptr) detach(slot);
}

// A thread that the JVM did not announce gets the kernel's name.
void ThreadFollower::find(int tid) {
  if (unwanted_.count(tid) != 0 || is_leaving(tid)) return;
  if (!filter_->accepts_all() && !filter_->accepts(tid, name_of_task(tid))) return;
  if (attach(tid) == nullptr) return;
  registry_->set_name(tid, name_of_task(tid));
  just_found_.insert(tid);
}

// A new thread has the name of its creator until it sets its own.
void ThreadFollower::reapply_names() {
  for (int tid : just_found_) {
    std::string name = name_of_task(tid);
    if (!name.empty()) registry_->set_name(tid, std::move(name));
  }
  just_found_.clear();
}

void ThreadFollower::scan() {
  std::lock_guard<std::mutex> lock(mutex_);
  // Threads may be known from an earlier source that followed them.
  if (finished_ || (!follows_threads() && registry_->live().empty())) return;
  reapply_names();
  std::set<int> alive;
  for (int tid : tasks_of_process()) {
    alive.insert(tid);
    if (registry_->find(tid) == nullptr) find(tid);
  }
  for (ThreadSlot* slot : registry_->live()) {
    if (alive.count(slot->tid) == 0 && has_ended(slot->tid)) detach(slot);
  }
  for (int tid : registry_->adopted_tids()) {
    if (alive.count(tid) == 0 && has_ended(tid)) registry_->retire(tid);
  }
  for (auto entry = leaving_.begin(); entry != leaving_.end();)
    entry = alive.count(entry->first) != 0 ? std::next(entry) : leaving_.erase(entry);
  for (auto entry = unwanted_.begin(); entry != unwanted_.end();)
    entry = alive.count(*entry) != 0 ? std::next(entry) : unwanted_.erase(entry);
}

void ThreadFollower::finish() {
  std::lock_guard<std::mutex> lock(mutex_);
  finished_ = true;
  for (ThreadSlot* slot : registry_->live()) detach(slot);
}

void ThreadFollower::remove_source(EventSource* source) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = std::find(sources_.begin(), sources_.end(), source);
    if (found != sources_.end()) sources_.erase(found);
    stopping_source_ = source;
  }
  source->disable();  // may take a while: threads that begin and end must not wait for it
  std::lock_guard<std::mutex> lock(mutex_);
  stopping_source_ = nullptr;
  for (ThreadSlot* slot : registry_->live()) ended_cpu_ns_ += source->detach_thread(slot);
}

void ThreadFollower::add_source(EventSource* source) {
  std::lock_guard<std::mutex> lock(mutex_);
  sources_.push_back(source);
  if (!source->follows_threads()) return;
  for (ThreadSlot* slot : registry_->live()) followed_any_ |= source->attach_thread(slot);
}

void ThreadFollower::forget_allocations() {
  std::lock_guard<std::mutex> lock(mutex_);
  registry_->forget_allocations();
}

bool ThreadFollower::is_leaving(int tid) const {
  constexpr uint64_t kLongestGoodbyeNs = 200'000'000;
  auto found = leaving_.find(tid);
  return found != leaving_.end() && capture::now_ns() - found->second < kLongestGoodbyeNs;
}

bool ThreadFollower::follows_threads() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const EventSource* one) { return one->follows_threads(); });
}

std::vector<std::string> ThreadFollower::troubles() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> found;
  for (const EventSource* source : sources_) {
    std::string trouble = source->trouble();
    if (!trouble.empty()) found.push_back(std::move(trouble));
  }
  if (!filter_->accepts_all() && !followed_any_ && filter_->text().empty())
    found.emplace_back("no thread was added to the filter");
  else if (!filter_->accepts_all() && !followed_any_)
    found.push_back(formatted("no thread fits filter={}; names are matched whole, .* is any text", filter_->text()));
  return found;
}

std::vector<ThreadRegistry::Thread> ThreadFollower::threads() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<ThreadRegistry::Thread> all = registry_->threads();
  for (ThreadRegistry::Thread& thread : all) {
    if (thread.name.empty() && thread.tid != 0) thread.name = name_of_task(thread.tid);
  }
  return all;
}

int64_t ThreadFollower::threads_cpu_ns() const {
  std::lock_guard<std::mutex> lock(mutex_);
  int64_t sum = ended_cpu_ns_;
  for (const ThreadSlot* slot : registry_->live()) {
    for (const EventSource* source : sources_) sum += source->cpu_ns(*slot);
    if (stopping_source_ != nullptr) sum += stopping_source_->cpu_ns(*slot);
  }
  return sum;
}

}  // namespace hearth::events
