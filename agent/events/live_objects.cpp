#include "events/live_objects.h"

#include <algorithm>
#include <exception>

namespace hearth::events {

template <typename Wanted>
void LiveObjects::keep_if(JNIEnv* env, Wanted wanted) {
  auto goes = [&](const Followed& one) {
    if (wanted(one)) return false;
    env->DeleteWeakGlobalRef(one.reference);
    return true;
  };
  followed_.erase(std::remove_if(followed_.begin(), followed_.end(), goes), followed_.end());
}

bool LiveObjects::draw() {
  return std::uniform_int_distribution<uint32_t>(0, one_of_ - 1)(random_) == 0;
}

void LiveObjects::add(JNIEnv* env, jobject object, const Object& what) {
  constexpr size_t kFirstLook = 1024;
  std::lock_guard<std::mutex> lock(mutex_);
  if (followed_.size() >= std::max(look_at_, std::min(kFirstLook, most_))) {
    keep_if(env, [env](const Followed& one) { return env->IsSameObject(one.reference, nullptr) == JNI_FALSE; });
    if (followed_.size() > most_ / 2) {
      std::bernoulli_distribution even;
      keep_if(env, [&](const Followed&) { return even(random_); });
      one_of_ *= 2;
      for (Followed& one : followed_) {
        one.object.bytes *= 2;
        one.object.objects *= 2;
      }
    }
    look_at_ = std::min(most_, 2 * followed_.size());
  }
  if (!draw()) return;
  jweak reference = env->NewWeakGlobalRef(object);
  if (reference == nullptr) {  // out of memory, which is not the program's to hear of from us
    env->ExceptionClear();
    return;
  }
  Followed one = {reference, what};
  one.object.bytes *= one_of_;
  one.object.objects *= one_of_;
  try {
    followed_.push_back(one);
  } catch (const std::exception&) {
    env->DeleteWeakGlobalRef(reference);
  }
}

std::vector<LiveObjects::Object> LiveObjects::living(JNIEnv* env) {
  std::lock_guard<std::mutex> lock(mutex_);
  keep_if(env, [env](const Followed& one) { return env->IsSameObject(one.reference, nullptr) == JNI_FALSE; });
  std::vector<Object> objects;
  for (const Followed& one : followed_) objects.push_back(one.object);
  return objects;
}

void LiveObjects::clear(JNIEnv* env) {
  std::lock_guard<std::mutex> lock(mutex_);
  keep_if(env, [](const Followed&) { return false; });
}

uint32_t LiveObjects::one_of() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return one_of_;
}

}  // namespace hearth::events
