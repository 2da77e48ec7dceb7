// Entry for Java code of the same process: the native methods of the class hearth.Agent (java/hearth/Agent.java).
#include <jni.h>

#include <exception>
#include <stdexcept>
#include <string>

#include "base/jvm_refs.h"
#include "commands/agent.h"
#include "options/options.h"
#include "options/process_options.h"

namespace {

using hearth::commands::Agent;

std::string text_of(JNIEnv* env, jbyteArray bytes) {
  std::string text(static_cast<size_t>(env->GetArrayLength(bytes)), '\0');
  env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(text.data()));
  return text;
}

// Returns null with a pending exception if the heap is full.
jbyteArray bytes_of(JNIEnv* env, const std::string& text) {
  if (text.size() > INT32_MAX) throw std::length_error("the answer is too long for an array; give it a file=");
  auto size = static_cast<jsize>(text.size());
  jbyteArray bytes = env->NewByteArray(size);
  if (bytes != nullptr) env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(text.data()));
  return bytes;
}

void throw_java(JNIEnv* env, const char* exception, const char* why) {
  hearth::LocalRef type(env, env->FindClass(exception));
  if (type.get() != nullptr) env->ThrowNew(static_cast<jclass>(type.get()), why);
}

std::string execute(JNIEnv* env, const hearth::options::Options& command) {
  JavaVM* vm = nullptr;
  if (env->GetJavaVM(&vm) != JNI_OK) throw std::runtime_error("JNI's GetJavaVM failed: this JVM cannot be profiled");
  Agent::instance().enter(vm, true);  // throws the reason if it cannot be profiled
  hearth::commands::Answer answer = Agent::instance().execute(command, env);
  return answer.secret.empty() ? answer.text : answer.text + "\n" + answer.secret;
}

}  // namespace

// Throws IllegalArgumentException if a command has an option that clients must not set.
extern "C" JNIEXPORT void JNICALL Java_hearth_Agent_checkForClient0(JNIEnv* env, jclass, jbyteArray command) {
  try {
    hearth::options::check_for_client(text_of(env, command));
  } catch (const std::exception& error) {
    throw_java(env, "java/lang/IllegalArgumentException", error.what());
  }
}

// Bytes are UTF-8: JNI's own strings have another encoding (modified UTF-8). Throws IllegalArgumentException if the
// options are wrong, IllegalStateException if they cannot be followed now or in this JVM.
extern "C" JNIEXPORT jbyteArray JNICALL Java_hearth_Agent_execute0(JNIEnv* env, jclass, jbyteArray command) {
  const char* exception = "java/lang/IllegalArgumentException";
  try {
    hearth::options::Options options = hearth::options::parse_options(text_of(env, command));
    exception = "java/lang/IllegalStateException";
    return bytes_of(env, execute(env, options));
  } catch (const std::exception& error) {
    throw_java(env, exception, error.what());
    return nullptr;
  }
}
