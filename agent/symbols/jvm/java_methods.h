// Names and lines of jmethodIDs, by JVMTI. On an attached thread, outside signals.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace hearth::symbols {

struct JavaMethod {
  bool known = false;           // false: the class was unloaded, or the id is invalid
  std::string class_signature;  // "Ljava/lang/String;"
  std::string name;
  std::string signature;
  std::string source_file;  // "" if the class has none

  struct Line {
    int32_t start_bci;
    int32_t line;
  };
  std::vector<Line> lines;          // sorted by bci
  uint32_t line_of(int bci) const;  // 0 if unknown
};

// Resolves and caches methods for one dump.
class JavaMethods {
 public:
  explicit JavaMethods(jvmtiEnv* jvmti, JNIEnv* env) : jvmti_(jvmti), env_(env) {}
  const JavaMethod& resolve(jmethodID method);

 private:
  JavaMethod ask(jmethodID method) const;
  void ask_lines(jmethodID method, JavaMethod* result) const;

  jvmtiEnv* jvmti_;
  JNIEnv* env_;
  std::unordered_map<jmethodID, JavaMethod> known_;
};

}  // namespace hearth::symbols
