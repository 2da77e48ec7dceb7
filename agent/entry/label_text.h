// Labels as Java hands them over: key, value, key, value, each followed by a zero.
#pragma once

#include <jni.h>

#include <map>
#include <string>

namespace hearth::entry {

inline std::map<std::string, std::string> label_set(JNIEnv* env, jbyteArray labels) {
  std::string text(static_cast<size_t>(env->GetArrayLength(labels)), '\0');
  env->GetByteArrayRegion(labels, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(text.data()));
  std::map<std::string, std::string> set;
  for (size_t at = 0; at < text.size();) {
    std::string key = text.c_str() + at;
    at += key.size() + 1;
    if (at >= text.size()) break;
    std::string value = text.c_str() + at;
    at += value.size() + 1;
    set[key] = value;
  }
  return set;
}

}  // namespace hearth::entry
