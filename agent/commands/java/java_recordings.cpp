#include "commands/java/java_recordings.h"

#include <algorithm>
#include <string_view>

namespace hearth::commands {
namespace {

constexpr std::string_view kSignature = "Lone/profiler/Recording;";

bool is_recording(jvmtiEnv* jvmti, jclass loaded) {
  char* signature = nullptr;
  if (jvmti->GetClassSignature(loaded, &signature, nullptr) != JVMTI_ERROR_NONE) return false;
  JvmtiMemory owned(jvmti, signature);
  return signature == kSignature;
}

void clear_exception(JNIEnv* env) {
  if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
}

}  // namespace

bool JavaRecordings::has(JNIEnv* env, jclass recording) const {
  return std::any_of(classes_.begin(), classes_.end(),
                     [&](const Recording& one) { return env->IsSameObject(one.type, recording) != JNI_FALSE; });
}

void JavaRecordings::connect(jvmtiEnv* jvmti, JNIEnv* env, const LoadedClasses& loaded, const NativeClasses& classes) {
  auto row = std::find_if(classes.begin(), classes.end(), [](const auto& one) { return one.signature == kSignature; });
  if (row == classes.end()) return;
  for (jclass one : loaded) {
    if (!is_recording(jvmti, one)) continue;
    // Waits for its initializer, which may look for the agent just now.
    jfieldID state = env->GetStaticFieldID(one, "state", "I");
    bool is_ready = state != nullptr;
    if (is_ready && env->RegisterNatives(one, row->methods.data(), static_cast<jint>(row->methods.size())) == JNI_OK)
      env->SetStaticIntField(one, state, add(env, one));
    clear_exception(env);  // it is another version's of that name
  }
}

jint JavaRecordings::add(JNIEnv* env, jclass recording) {
  jfieldID state = env->GetStaticFieldID(recording, "state", "I");
  clear_exception(env);
  std::lock_guard<std::mutex> lock(mutex_);
  if (state == nullptr) return state_;
  // Under the lock, so that no change of the state comes in between.
  env->SetStaticIntField(recording, state, state_);
  if (has(env, recording)) return state_;
  jweak type = env->NewWeakGlobalRef(recording);
  clear_exception(env);
  if (type != nullptr) classes_.push_back({type, state});
  return state_;
}

void JavaRecordings::set_state(JNIEnv* env, State state) {
  std::lock_guard<std::mutex> lock(mutex_);
  state_ = state;
  auto is_unloaded = [&](const Recording& one) {
    LocalRef recording(env, env->NewLocalRef(one.type));
    if (recording.get() == nullptr) env->DeleteWeakGlobalRef(one.type);
    if (recording.get() != nullptr) env->SetStaticIntField(static_cast<jclass>(recording.get()), one.state, state);
    return recording.get() == nullptr;
  };
  classes_.erase(std::remove_if(classes_.begin(), classes_.end(), is_unloaded), classes_.end());
}

}  // namespace hearth::commands
