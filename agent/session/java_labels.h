// The Java classes that came before the agent and set labels: hearth.ThreadLabels, one of each class loader that has
// it.
#pragma once

#include <jvmti.h>

namespace hearth::session {

// Tells them that the agent is here; those to come find it themselves. On an attached thread.
void tell_java_labels(jvmtiEnv* jvmti, JNIEnv* env);

}  // namespace hearth::session
