#include "session/store_push.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <string_view>

#include "base/jvm_refs.h"
#include "session/file_pattern.h"

namespace hearth::session {
namespace {

constexpr const char* kHostLabel = "hostname";
constexpr const char* kUnknownService = "java";

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = {};
  return ::gethostname(name, sizeof(name) - 1) == 0 ? push::service_name(name) : "";
}

std::string service_of_process(const std::string& main_name) {
  for (const char* variable : {"PYROSCOPE_APPLICATION_NAME", "OTEL_SERVICE_NAME"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return main_name.empty() ? kUnknownService : main_name;
}

}  // namespace

std::string main_name(jvmtiEnv* jvmti) {
  constexpr std::string_view kJar = ".jar";
  // What follows are arguments, which may hold passwords.
  std::string name = system_property(jvmti, "sun.java.command");
  name.erase(std::min(name.find(' '), name.size()));
  if (name.size() <= kJar.size() || name.substr(name.size() - kJar.size()) != kJar) return name;
  name.erase(name.size() - kJar.size());
  return name.substr(name.rfind('/') + 1);
}

push::PushTarget push_target(const Options& options, const std::string& main_name) {
  push::PushTarget target = push::parse_push_url(options.push);
  if (!options.push_token.empty()) target.token_file = expand_file_pattern(options.push_token, 1);
  target.service = service_of_process(main_name);
  bool says_host = false;
  for (auto& [key, value] : push::parse_push_labels(options.push_labels)) {
    says_host |= key == kHostLabel;
    if (key == push::kServiceLabel)
      target.service = value;
    else
      target.labels.emplace_back(key, value);
  }
  std::string host = host_name();
  if (!says_host && !host.empty()) target.labels.emplace_back(kHostLabel, host);
  target.service = push::service_name(target.service);
  return target;
}

}  // namespace hearth::session
