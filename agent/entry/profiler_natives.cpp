// Entry for Java code of the same process: the native methods of the class hearth.Agent (java/hearth/Agent.java).
#include <jni.h>

#include <exception>
#include <stdexcept>
#include <string>

#include "entry/enter_agent.h"
#include "entry/java_text.h"
#include "options/options.h"
#include "options/process_options.h"

namespace {

using hearth::entry::bytes_of;
using hearth::entry::text_of;
using hearth::entry::throw_java;

std::string execute(JNIEnv* env, const hearth::options::Options& command) {
  JavaVM* vm = nullptr;
  if (env->GetJavaVM(&vm) != JNI_OK) throw std::runtime_error("JNI's GetJavaVM failed: this JVM cannot be profiled");
  hearth::commands::Answer answer = hearth::entry::enter_agent(vm, true).execute(command, env);
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
