// Roots of the collector that are no Java objects: references of JNI, locals of threads. The JVM lists them at one
// safepoint of bounded length, up to three times.
#pragma once

#include <jvmti.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "holders/heap_search.h"

namespace hearth::holders {

// "?" if it is not known.
std::string thread_name(jvmtiEnv* jvmti, JNIEnv* env, jthread thread);

struct Roots {
  struct Root {
    jobject reference;  // local, of the caller
    std::string name;   // "local of thread main in com.acme.Shop.serve"
  };
  std::vector<Root> roots;
  std::vector<std::pair<size_t, std::string>> targets;  // that a root holds itself, by their numbers, and its name
  bool is_cut = false;                                  // there are more
  std::chrono::nanoseconds pause{0};                    // the longest, between the first root and the last
};

// `jvmti` can tag objects, and has not yet. Without the roots of this thread. Throws std::bad_alloc.
Roots list_roots(jvmtiEnv* jvmti, JNIEnv* env, const std::vector<Target>& targets);

}  // namespace hearth::holders
