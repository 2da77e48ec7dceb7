// Classes that got hooks before the JVM listed them: a definition ends some time after its bytes got hooks, or fails.
// By name and loader, as loaders may share a name. Calls come one at a time, on attached threads.
#pragma once

#include <jvmti.h>

#include <map>
#include <string>

namespace hearth::events {

class ClassesToCome {
 public:
  // `loader`: null for the bootstrap loader.
  void add(JNIEnv* env, const std::string& name, jobject loader);
  // The JVM lists the class. False: it was not to come.
  bool erase(jvmtiEnv* jvmti, JNIEnv* env, const std::string& name, jclass type);
  // Forgets those whose loader is gone.
  void erase_unloaded(JNIEnv* env);
  void clear(JNIEnv* env);
  size_t size() const { return loaders_.size(); }

 private:
  std::multimap<std::string, jweak> loaders_;  // by the class's name
  size_t crowded_ = 1024;
};

}  // namespace hearth::events
