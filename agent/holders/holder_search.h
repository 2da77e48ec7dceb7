// Finds which references keep objects on the heap: a path to each from a root of the collector. The program goes on
// meanwhile, except at one safepoint of some milliseconds. On an attached thread, which it occupies for up to `time`.
#pragma once

#include <jni.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "holders/heap_search.h"
#include "holders/holder_path.h"

namespace hearth::holders {

struct Bounds {
  size_t objects = 4'000'000;  // memory: 16 to 24 bytes each
  std::chrono::seconds time{30};
};

struct SearchResult {
  std::vector<HolderPath> paths;  // by target, with the object's class at the end; empty: not found
  size_t objects = 0;             // that the search has met
  std::chrono::nanoseconds time{0}, pause{0};
  std::vector<std::string> notes;  // limits that were met
};

// `stops`: whether to give up. Throws Error where this JVM has no environment that tags objects.
SearchResult find_holders(JavaVM* java_vm, JNIEnv* env, const std::vector<Target>& targets, const Bounds& bounds,
                          const std::function<bool()>& stops);

}  // namespace hearth::holders
