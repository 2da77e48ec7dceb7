// Where a store's windows are pushed, and under which name.
#pragma once

#include <jvmti.h>

#include <string>

#include "push/push_target.h"
#include "session/options.h"

namespace hearth::session {

// "" of what the JVM does not tell.
struct JvmIdentity {
  std::string main_name;              // "com.acme.Main", or "checkout" of checkout.jar
  std::string vendor, name, version;  // "Eclipse Adoptium", "OpenJDK 64-Bit Server VM", "25+36"
};
JvmIdentity jvm_identity(jvmtiEnv* jvmti);

// Of options that have push. The service is what push-labels says, else PYROSCOPE_APPLICATION_NAME, OTEL_SERVICE_NAME,
// the main name. Throws Error.
push::PushTarget push_target(const Options& options, const JvmIdentity& jvm);

}  // namespace hearth::session
