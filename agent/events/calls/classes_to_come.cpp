#include "events/calls/classes_to_come.h"

#include <algorithm>

#include "base/jvm_refs.h"

namespace hearth::events {

// Programs that make a loader for each class would fill the list without an end.
void ClassesToCome::add(JNIEnv* env, const std::string& name, jobject loader) {
  if (loaders_.size() >= crowded_) {
    erase_unloaded(env);
    crowded_ = std::max(crowded_, 2 * loaders_.size());
  }
  auto added = loaders_.emplace(name, nullptr);
  if (loader != nullptr) added->second = env->NewWeakGlobalRef(loader);
}

bool ClassesToCome::erase(jvmtiEnv* jvmti, JNIEnv* env, const std::string& name, jclass type) {
  auto [one, end] = loaders_.equal_range(name);
  if (one == end) return false;
  jobject found = nullptr;
  if (jvmti->GetClassLoader(type, &found) != JVMTI_ERROR_NONE) return false;
  LocalRef loader(env, found);
  bool has_come = false;
  while (one != end) {
    if (env->IsSameObject(one->second, loader.get()) == JNI_FALSE) {
      ++one;
      continue;
    }
    if (one->second != nullptr) env->DeleteWeakGlobalRef(one->second);
    one = loaders_.erase(one);
    has_come = true;
  }
  return has_come;
}

void ClassesToCome::erase_unloaded(JNIEnv* env) {
  for (auto one = loaders_.begin(); one != loaders_.end();) {
    if (one->second == nullptr || env->IsSameObject(one->second, nullptr) == JNI_FALSE) {
      ++one;
      continue;
    }
    env->DeleteWeakGlobalRef(one->second);
    one = loaders_.erase(one);
  }
}

void ClassesToCome::clear(JNIEnv* env) {
  for (const auto& [name, loader] : loaders_)
    if (loader != nullptr) env->DeleteWeakGlobalRef(loader);
  loaders_.clear();
}

}  // namespace hearth::events
