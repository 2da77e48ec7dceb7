#include "events/alloc/live_objects.h"

#include <algorithm>
#include <new>
#include <utility>

namespace hearth::events {

// True if the object is followed. Drawing again after the threshold has risen gives it the same weight as one draw by
// the new threshold.
bool LiveObjects::draw(Object* object) {
  if (object->bytes >= threshold_) return true;
  double chance = static_cast<double>(object->bytes) / static_cast<double>(threshold_);
  if (!std::bernoulli_distribution(chance)(random_)) return false;
  object->objects /= chance;
  object->bytes = threshold_;
  return true;
}

void LiveObjects::add(JNIEnv* env, jobject object, const Object& what) {
  std::unique_lock<std::mutex> lock(mutex_);
  bool sweeps = wants_sweep();
  lock.unlock();
  if (sweeps) sweep(env);
  lock.lock();
  Object drawn = what;
  bool is_drawn = draw(&drawn);
  lock.unlock();
  if (!is_drawn) return;
  jweak reference = env->NewWeakGlobalRef(object);
  if (reference == nullptr) env->ExceptionClear();  // out of memory: the program must not see it
  if (keep({reference, drawn}) || reference == nullptr) return;
  env->DeleteWeakGlobalRef(reference);
}

// True if the object stays.
bool LiveObjects::keep(Followed one) {
  std::lock_guard<std::mutex> lock(mutex_);
  // Threads may add while one sweeps, which takes a while, but not without bound: that one may be suspended.
  bool has_room = followed_.size() < (is_swept_ ? 2 * most_ : most_);
  if (is_closed_ || !draw(&one.object)) return false;
  if (one.reference != nullptr && has_room && push(one)) return true;
  missed_++;
  return false;
}

bool LiveObjects::push(const Followed& one) {
  try {
    followed_.push_back(one);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool LiveObjects::wants_sweep() const {
  constexpr size_t kFirstLook = 1024;
  return !is_swept_ && dead_.size() < most_ && followed_.size() >= std::max(look_at_, std::min(kFirstLook, most_));
}

void LiveObjects::sweep(JNIEnv* env) {
  Look look;
  try {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!wants_sweep()) return;  // another thread was faster
    look = begin_look(true);
    look.makes_room = true;
  } catch (const std::bad_alloc&) {
    return;  // add() counts the object as missed
  }
  test(env, &look);
  end_look(env, look);
}

LiveObjects::Look LiveObjects::begin_look(bool sweeps) {
  Look look;
  look.seen = followed_;
  look.died.resize(look.seen.size());
  look.sweeps = sweeps;
  is_swept_ = is_swept_ || sweeps;
  looking_++;
  return look;
}

void LiveObjects::test(JNIEnv* env, Look* look) {
  for (size_t i = 0; i < look->seen.size(); i++)
    look->died[i] = env->IsSameObject(look->seen[i].reference, nullptr) == JNI_TRUE;
}

void LiveObjects::end_look(JNIEnv* env, const Look& look) {
  std::vector<jweak> dead;
  std::vector<Followed> all;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (look.sweeps) take_out(look);
    if (--looking_ == 0) {
      dead.swap(dead_);
      if (is_closed_) all.swap(followed_);
    }
  }
  for (jweak reference : dead) env->DeleteWeakGlobalRef(reference);
  for (const Followed& one : all) env->DeleteWeakGlobalRef(one.reference);
}

// Others have only appended since the look began.
void LiveObjects::take_out(const Look& look) {
  is_swept_ = false;
  try {
    dead_.reserve(dead_.size() + followed_.size());
  } catch (const std::bad_alloc&) {
    return;  // the next sweep finds them
  }
  size_t kept = 0;
  for (size_t i = 0; i < followed_.size(); i++) {
    if (i < look.died.size() && look.died[i]) {
      dead_.push_back(followed_[i].reference);
    } else {
      followed_[kept++] = followed_[i];
    }
  }
  followed_.resize(kept);
  if (look.makes_room) make_room();
}

void LiveObjects::make_room() {
  for (bool many = followed_.size() > most_ / 2; many; many = followed_.size() > most_ / 4 * 3) thin();
  look_at_ = std::min(most_, 2 * followed_.size());
}

// dead_ has capacity for all.
void LiveObjects::thin() {
  int64_t least = INT64_MAX;
  for (const Followed& one : followed_) least = std::min(least, one.object.bytes);
  threshold_ = 2 * std::max(threshold_, least);
  auto goes = [&](Followed& one) {
    if (draw(&one.object)) return false;
    dead_.push_back(one.reference);
    return true;
  };
  followed_.erase(std::remove_if(followed_.begin(), followed_.end(), goes), followed_.end());
}

std::vector<LiveObjects::Object> LiveObjects::living(JNIEnv* env) {
  std::vector<Object> objects;
  std::unique_lock<std::mutex> lock(mutex_);
  objects.reserve(followed_.size());
  Look look = begin_look(!is_swept_);
  lock.unlock();
  test(env, &look);
  for (size_t i = 0; i < look.seen.size(); i++) {
    if (!look.died[i]) objects.push_back(look.seen[i].object);
  }
  end_look(env, look);
  return objects;
}

std::vector<LiveObjects::Held> LiveObjects::hold(JNIEnv* env, const std::function<bool(const Object&)>& wants) {
  std::vector<Held> held;
  std::unique_lock<std::mutex> lock(mutex_);
  if (is_closed_) return held;
  Look look = begin_look(false);
  lock.unlock();
  for (const Followed& one : look.seen) {
    if (!wants(one.object)) continue;
    // A local reference of a weak one whose object is dead is null.
    jobject reference = env->NewLocalRef(one.reference);
    if (reference != nullptr) held.push_back({one.object, reference});
  }
  end_look(env, look);
  return held;
}

void LiveObjects::clear(JNIEnv* env) {
  std::unique_lock<std::mutex> lock(mutex_);
  is_closed_ = true;
  looking_++;
  lock.unlock();
  end_look(env, {});
}

size_t LiveObjects::bytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return followed_.capacity() * sizeof(Followed) + dead_.capacity() * sizeof(void*);
}

int64_t LiveObjects::threshold() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return threshold_;
}

uint64_t LiveObjects::missed() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return missed_;
}

}  // namespace hearth::events
