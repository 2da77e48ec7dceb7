#include "events/wall/lock_holders.h"

#include <algorithm>
#include <utility>

#include "events/handlers/lock_wait.h"
#include "events/wall/wall_requests.h"

namespace hearth::events {

using capture::Frame;
using capture::LockWait;
using capture::StackTree;
using capture::ThreadSlot;

namespace {

// Returns the stack of all frames of `outer`, then `between`, then all of `inner`; kFull: no memory.
uint32_t joined(StackTree* tree, uint32_t outer, Frame between, uint32_t inner) {
  std::vector<Frame> frames;
  for (uint32_t node = inner; node != StackTree::kRoot; node = tree->parent(node)) frames.push_back(tree->frame(node));
  frames.push_back(between);
  uint32_t stack = outer;
  for (auto frame = frames.rbegin(); frame != frames.rend() && stack != StackTree::kFull; ++frame)
    stack = tree->child(stack, *frame);
  return stack;
}

}  // namespace

void LockHolders::begin(const EventPlan& plan) {
  plan_ = plan;
  is_on_ = true;
}

LockWait LockHolders::lock_of(const WatchedThread& watched) const {
  return lock_wait_of(vm_, watched.java_thread);
}

void LockHolders::waited(const Threads& threads, const Wait& wait, const LockWait& lock) {
  if (!is_on_ || !lock.is_wait()) return;
  Chain chain;
  chain.wait = wait;
  chain.links.push_back({wait.slot, threads.slots[wait.slot].wall.recorded.stack, lock.lock_class});
  if (!follow(threads, &chain, lock)) asked_.push_back(std::move(chain));
}

void LockHolders::take_answers(const Threads& threads) {
  std::vector<Chain> asked = std::move(asked_);
  asked_.clear();
  for (Chain& chain : asked) {
    const ThreadSlot& slot = threads.slots[chain.holder];
    bool is_there = (*threads.watched)[chain.holder].serial == chain.serial;
    if (is_there && WallRequests::is_unanswered(slot.wall)) {
      asked_.push_back(std::move(chain));
    } else if (!is_there || slot.wall.recorded.stack == StackTree::kFull) {
      count_without_holder(chain, capture::Marker::kUnknownHolder);
    } else if (slot.wall.lock.is_wait()) {
      chain.links.push_back({chain.holder, slot.wall.recorded.stack, slot.wall.lock.lock_class});
      if (!follow(threads, &chain, slot.wall.lock)) asked_.push_back(std::move(chain));
    } else {
      count(chain, slot.wall.recorded.stack, &slot);
    }
  }
}

void LockHolders::finish() {
  for (const Chain& chain : asked_) count_without_holder(chain, capture::Marker::kUnknownHolder);
  asked_.clear();
}

bool LockHolders::follow(const Threads& threads, Chain* chain, LockWait lock) {
  for (;;) {
    uint32_t owner = owner_of(threads, lock, chain->links.back().slot);
    auto is_owner = [owner](const Chain::Link& link) { return link.slot == owner; };
    if (owner == kNobody) return count_without_holder(*chain, capture::Marker::kUnknownHolder), true;
    if (std::any_of(chain->links.begin(), chain->links.end(), is_owner))
      return count_without_holder(*chain, capture::Marker::kDeadlock), true;
    const WatchedThread& watched = (*threads.watched)[owner];
    chain->holder = owner;
    chain->serial = watched.serial;
    if (!threads.is_fresh(owner)) return false;
    const ThreadSlot& slot = threads.slots[owner];
    lock = watched.blocked ? lock_of(watched) : slot.wall.lock;
    if (!lock.is_wait()) return count(*chain, slot.wall.recorded.stack, &slot), true;
    chain->links.push_back({owner, slot.wall.recorded.stack, lock.lock_class});
  }
}

bool LockHolders::is_owner_there(const Threads& threads, uint32_t slot, const LockWait& lock) const {
  const WatchedThread& watched = (*threads.watched)[slot];
  return watched.serial != 0 && watched.java_thread != 0 && is_owner(vm_, lock, watched.java_thread);
}

uint32_t LockHolders::owner_of(const Threads& threads, const LockWait& lock, uint32_t waits) const {
  auto count = static_cast<uint32_t>(threads.watched->size());
  if (last_owner_.size() < count) last_owner_.resize(count, kNobody);
  uint32_t& last = last_owner_[waits];
  if (last < count && is_owner_there(threads, last, lock)) return last;
  last = kNobody;
  for (uint32_t slot = 0; slot < count && last == kNobody; slot++)
    if (is_owner_there(threads, slot, lock)) last = slot;
  return last;
}

void LockHolders::count_without_holder(const Chain& chain, capture::Marker why) const {
  count(chain, plan_.recorder->tree()->child(StackTree::kRoot, Frame::marker(why)), nullptr);
}

void LockHolders::count(const Chain& chain, uint32_t outer, const ThreadSlot* holder) const {
  uint32_t stack = outer;
  for (auto link = chain.links.rbegin(); link != chain.links.rend() && stack != StackTree::kFull; ++link)
    stack = joined(plan_.recorder->tree(), stack, Frame::of(capture::RawKind::kHolds, link->lock_class), link->stack);
  if (stack == StackTree::kFull) stack = StackTree::kRoot;
  capture::Sample sample{};
  sample.time_ns = chain.wait.until_ns;
  sample.weight = chain.wait.time_ns;
  sample.stack = stack;
  sample.event = plan_.event;
  if (holder != nullptr) {
    sample.thread = holder->serial;
    sample.labels = holder->wall.recorded.labels;
    sample.span = holder->wall.recorded.span;
  }
  plan_.count(sample, 1);
}

}  // namespace hearth::events
