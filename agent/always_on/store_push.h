// Where a store's windows are pushed, and under which name.
#pragma once

#include <jvmti.h>

#include <string>
#include <vector>

#include "options/options.h"
#include "options/push_target.h"

namespace hearth::always_on {

// "" where the JVM does not report it.
struct JvmIdentity {
  std::string main_name;              // "com.acme.Main", or "checkout" of checkout.jar
  std::string vendor, name, version;  // "Eclipse Adoptium", "OpenJDK 64-Bit Server VM", "25+36"
};
JvmIdentity jvm_identity(jvmtiEnv* jvmti);

// The target of options with push. The service is that of push-labels, else PYROSCOPE_APPLICATION_NAME,
// OTEL_SERVICE_NAME, the main name. Throws Error.
options::PushTarget push_target(const options::Options& options, const JvmIdentity& jvm);

// What OpenTelemetry's conventions call this process, with the labels of push-labels.
std::vector<profile::Label> process_resource(const options::Options& options, const JvmIdentity& jvm);

}  // namespace hearth::always_on
