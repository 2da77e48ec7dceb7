// Where a store's windows are pushed, and under which name.
#pragma once

#include <jvmti.h>

#include <string>

#include "push/push_target.h"
#include "session/options.h"

namespace hearth::session {

// "com.acme.Main" or "checkout" of checkout.jar; "" where the JVM does not tell.
std::string main_name(jvmtiEnv* jvmti);

// Of options that have push. The service is what push-labels says, else PYROSCOPE_APPLICATION_NAME, OTEL_SERVICE_NAME,
// `main_name`. Throws Error.
push::PushTarget push_target(const Options& options, const std::string& main_name);

}  // namespace hearth::session
