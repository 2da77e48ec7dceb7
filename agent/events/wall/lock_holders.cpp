#include "events/wall/lock_holders.h"

#include <algorithm>
#include <utility>

#include "capture/store/joined_stacks.h"
#include "capture/unwind/stack_walk.h"
#include "events/handlers/lock_wait.h"

namespace hearth::events {

using capture::Frame;
using capture::LockWait;
using capture::Marker;
using capture::StackTree;

void LockHolders::begin(const EventPlan& plan) {
  std::lock_guard<std::mutex> lock(mutex_);
  plan_ = plan;
  joined_.clear();
  is_on_ = true;
}

void LockHolders::end() {
  std::lock_guard<std::mutex> lock(mutex_);
  is_on_ = false;
}

void LockHolders::look(const Threads& threads, uint32_t slot) {
  if (!is_on_) return;
  LockWait lock = lock_wait_of(vm_, (*threads.watched)[slot].java_thread);
  Chain chain = lock.is_wait() ? chain_of(threads, slot, lock) : Chain();
  if (seen_.size() <= slot) seen_.resize(slot + 1);
  seen_[slot] = std::move(chain);
}

void LockHolders::waited(const Threads& threads, const Wait& wait) {
  if (!is_on_ || !wait.lock.is_wait()) return;
  Chain seen;
  if (wait.slot < seen_.size()) std::swap(seen, seen_[wait.slot]);
  bool is_same = !seen.members.empty() && seen.lock.lock_class == wait.lock.lock_class &&
                 seen.lock.owner == wait.lock.owner && seen.lock.object == wait.lock.object;
  if (!is_same) seen = chain_of(threads, wait.slot, wait.lock);
  seen.members.front().recorded = wait.recorded;
  add(threads, {wait, std::move(seen)});
}

void LockHolders::still_waits(const Threads& threads, Wait wait) {
  if (!is_on_) return;
  wait.lock = lock_wait_of(vm_, (*threads.watched)[wait.slot].java_thread);
  if (!wait.lock.is_wait()) return;
  Chain chain = chain_of(threads, wait.slot, wait.lock);
  chain.members.front().recorded = wait.recorded;
  add(threads, {wait, std::move(chain)});
}

// A holder that blocks the signal never answers, and each visit of a waiter would wait for it.
void LockHolders::take_answers(const Threads& threads, uint64_t now_ns) {
  constexpr uint64_t kLongest = 2'000'000'000;
  failed_.clear();
  for (Chain& chain : seen_) is_answered(threads, &chain);
  for (Pending& pending : std::exchange(pending_, {})) {
    if (now_ns - pending.wait.until_ns < kLongest || now_ns < pending.wait.until_ns)
      add(threads, std::move(pending));
    else
      count_without_holder(&pending);
  }
}

void LockHolders::finish() {
  for (Pending& pending : std::exchange(pending_, {})) count_without_holder(&pending);
  seen_.clear();
  last_owner_.clear();
}

void LockHolders::count_without_holder(Pending* pending) {
  pending->chain.end = Marker::kUnknownHolder;
  pending->chain.members.resize(1);
  count(*pending);
}

LockHolders::Chain LockHolders::chain_of(const Threads& threads, uint32_t slot, const LockWait& first) {
  constexpr size_t kMostMembers = 32;
  const std::vector<WatchedThread>& watched = *threads.watched;
  Chain chain;
  chain.lock = first;
  chain.members.push_back({slot, watched[slot].serial, first.lock_class});
  for (LockWait lock = first; lock.is_wait() && chain.end == Marker::kCount;) {
    slot = owner_of(threads, lock, slot);
    auto is_owner = [slot](const Member& one) { return one.slot == slot; };
    if (slot == kNobody) {
      chain.end = Marker::kUnknownHolder;
    } else if (std::any_of(chain.members.begin(), chain.members.end(), is_owner)) {
      chain.end = is_deadlock(threads, chain, slot) ? Marker::kDeadlock : Marker::kUnknownHolder;
    } else if (chain.members.size() == kMostMembers) {
      chain.end = Marker::kTruncated;
    } else {
      lock = lock_wait_of(vm_, watched[slot].java_thread);
      chain.members.push_back({slot, watched[slot].serial, lock.lock_class});
    }
  }
  ask_all(threads, &chain);
  return chain;
}

// Reads again who waits for whom: the chain was not read at one moment. A thread that has just become the owner of the
// lock that it waited for is none.
bool LockHolders::is_deadlock(const Threads& threads, const Chain& chain, uint32_t slot) const {
  if (chain.members.back().slot == slot) return false;
  for (size_t i = 0; i < chain.members.size(); i++) {
    LockWait lock = lock_wait_of(vm_, (*threads.watched)[chain.members[i].slot].java_thread);
    uint32_t next = i + 1 < chain.members.size() ? chain.members[i + 1].slot : slot;
    if (!lock.is_wait() || !is_owner_there(threads, next, lock)) return false;
  }
  return true;
}

// All but the first. Those that wait themselves see the rest of the chain.
void LockHolders::ask_all(const Threads& threads, Chain* chain) {
  for (size_t i = chain->members.size(); i-- > 1;) {
    Member& one = chain->members[i];
    if (threads.ask(one.slot)) {
      one.recorded = threads.slots[one.slot].wall.recorded;
      continue;
    }
    bool is_holder = i + 1 == chain->members.size() && chain->end == Marker::kCount;
    if (is_holder) continue;
    Chain rest = {{chain->members.begin() + static_cast<ptrdiff_t>(i), chain->members.end()}, chain->end};
    rest.lock = lock_wait_of(vm_, (*threads.watched)[one.slot].java_thread);
    if (seen_.size() <= one.slot) seen_.resize(one.slot + 1);
    seen_[one.slot] = std::move(rest);
  }
}

bool LockHolders::is_owner_there(const Threads& threads, uint32_t slot, const LockWait& lock) const {
  const WatchedThread& watched = (*threads.watched)[slot];
  return watched.serial != 0 && watched.java_thread != 0 && is_owner(vm_, lock, watched.java_thread);
}

uint32_t LockHolders::owner_of(const Threads& threads, const LockWait& lock, uint32_t waits) {
  if (lock.owner == 0) return kNobody;
  if (last_owner_.size() < threads.watched->size()) last_owner_.resize(threads.watched->size(), kNobody);
  uint32_t& last = last_owner_[waits];
  if (last >= threads.watched->size() || !is_owner_there(threads, last, lock)) last = search_owner(threads, lock);
  return last;
}

uint32_t LockHolders::search_owner(const Threads& threads, const LockWait& lock) {
  std::pair<uintptr_t, uintptr_t> key(lock.owner, lock.object);
  if (failed_.count(key) != 0) return kNobody;
  auto count = static_cast<uint32_t>(threads.watched->size());
  for (uint32_t slot = 0; slot < count; slot++)
    if (is_owner_there(threads, slot, lock)) return slot;
  failed_.insert(key);
  return kNobody;
}

void LockHolders::add(const Threads& threads, Pending pending) {
  constexpr size_t kMostPending = 10'000;
  if (is_answered(threads, &pending.chain)) return count(pending);
  if (pending_.size() == kMostPending) return count_without_holder(&pending);
  pending_.push_back(std::move(pending));
}

// A thread that has ended meanwhile, or has no stack, ends the chain in front of it.
bool LockHolders::is_answered(const Threads& threads, Chain* chain) const {
  bool are_all = true;
  for (size_t i = 0; i < chain->members.size(); i++) {
    Member& one = chain->members[i];
    if (one.recorded.stack != StackTree::kFull) continue;
    bool is_there = one.slot < threads.watched->size() && (*threads.watched)[one.slot].serial == one.serial;
    if (is_there && (*threads.watched)[one.slot].is_asked) {
      are_all = false;
      continue;
    }
    if (is_there) one.recorded = threads.slots[one.slot].wall.recorded;
    if (one.recorded.stack != StackTree::kFull) continue;
    chain->members.resize(std::max<size_t>(i, 1));
    chain->end = Marker::kUnknownHolder;
  }
  return are_all;
}

// Returns the stack of all frames of `outer`, then that of the lock, then all of `inner`; kFull: no memory.
uint32_t LockHolders::joined(uint32_t outer, uintptr_t lock_class, uint32_t inner) {
  constexpr size_t kMostKept = 1 << 16;
  if (joined_.size() >= kMostKept) joined_.clear();
  uint32_t& known = joined_[{uint64_t{outer} << 32 | inner, lock_class}];
  if (known != StackTree::kRoot) return known;
  if (space_.empty()) space_.resize(capture::kMaxFrames);
  uint32_t stack = capture::joined_stacks(plan_.tree, outer, Frame::of_another(capture::Relation::kHolds, lock_class),
                                          inner, space_.data(), capture::kMaxFrames);
  known = stack == StackTree::kFull ? StackTree::kRoot : stack;
  return stack;
}

void LockHolders::count(const Pending& pending) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!is_on_) return;
  StackTree* tree = plan_.tree;
  const Chain& chain = pending.chain;
  capture::Sample sample{};
  uint32_t stack =
      chain.end == Marker::kCount ? StackTree::kRoot : tree->child(StackTree::kRoot, Frame::marker(chain.end));
  for (auto one = chain.members.rbegin(); one != chain.members.rend(); ++one) {
    const capture::Recorded& recorded = one->recorded;
    if (stack == StackTree::kRoot) {
      stack = recorded.stack;
      sample.thread = one->serial;
      sample.labels = recorded.labels;
      sample.span = recorded.span;
    } else if (stack != StackTree::kFull && recorded.stack != StackTree::kFull) {
      stack = joined(stack, one->lock_class, recorded.stack);
    }
  }
  sample.time_ns = pending.wait.until_ns;
  sample.weight = pending.wait.time_ns;
  sample.stack = stack == StackTree::kFull ? StackTree::kRoot : stack;
  sample.event = plan_.event;
  plan_.count(sample, 1);
}

}  // namespace hearth::events
