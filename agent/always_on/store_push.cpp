#include "always_on/store_push.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <string_view>

#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "options/file_pattern.h"

namespace hearth::always_on {
namespace {

constexpr const char* kHostLabel = "hostname";
constexpr const char* kDeployment = "deployment.environment.name";
constexpr const char* kVersionLabel = "version";
constexpr const char* kUnknownService = "java";

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = {};
  return ::gethostname(name, sizeof(name) - 1) == 0 ? options::service_name(name) : "";
}

// The name of a label in OpenTelemetry's conventions.
std::string attribute_of(const std::string& label) {
  if (label == kHostLabel) return "host.name";
  if (label == "deployment") return kDeployment;
  return label == kVersionLabel ? "service.version" : label;
}

std::vector<profile::Label> resource_of(const options::PushTarget& target, const JvmIdentity& jvm) {
  std::vector<profile::Label> resource = {
      {"service.name", target.service, 0, ""},   {"telemetry.sdk.name", "hearth", 0, ""},
      {"telemetry.sdk.language", "java", 0, ""}, {"telemetry.sdk.version", HEARTH_VERSION, 0, ""},
      {"process.pid", "", ::getpid(), ""},
  };
  auto add = [&resource](const std::string& key, const std::string& value) {
    auto has_key = [&key](const profile::Label& label) { return label.key == key; };
    if (value.empty() || std::any_of(resource.begin(), resource.end(), has_key)) return;
    resource.push_back({key, value, 0, ""});
  };
  for (const auto& [key, value] : target.labels) add(attribute_of(key), value);
  for (const auto& [key, value] : target.labels)
    if (key == "env") add(kDeployment, value);
  add("process.runtime.name", jvm.name);
  add("process.runtime.version", jvm.version);
  if (!jvm.name.empty()) add("process.runtime.description", formatted("{} {} {}", jvm.vendor, jvm.name, jvm.version));
  return resource;
}

std::string service_of_process(const std::string& main_name) {
  for (const char* variable : {"PYROSCOPE_APPLICATION_NAME", "OTEL_SERVICE_NAME"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return main_name.empty() ? kUnknownService : main_name;
}

std::string main_name(jvmtiEnv* jvmti) {
  constexpr std::string_view kJar = ".jar";
  // Arguments follow, which may hold passwords.
  std::string name = system_property(jvmti, "sun.java.command");
  name.erase(std::min(name.find(' '), name.size()));
  if (name.size() <= kJar.size() || name.substr(name.size() - kJar.size()) != kJar) return name;
  name.erase(name.size() - kJar.size());
  return name.substr(name.rfind('/') + 1);
}

void identify(const options::Options& options, const JvmIdentity& jvm, options::PushTarget* target) {
  target->service = service_of_process(jvm.main_name);
  bool says_host = false;
  for (auto& [key, value] : options::parse_push_labels(options.push_labels)) {
    says_host |= key == kHostLabel;
    if (key == options::kServiceLabel)
      target->service = value;
    else
      target->labels.emplace_back(key, value);
  }
  std::string host = host_name();
  if (!says_host && !host.empty()) target->labels.emplace_back(kHostLabel, host);
  target->resource = resource_of(*target, jvm);
}

}  // namespace

JvmIdentity jvm_identity(jvmtiEnv* jvmti) {
  return {main_name(jvmti), system_property(jvmti, "java.vm.vendor"), system_property(jvmti, "java.vm.name"),
          system_property(jvmti, "java.vm.version")};
}

options::PushTarget push_target(const options::Options& options, const JvmIdentity& jvm) {
  options::PushTarget target = options::parse_push_url(options.push);
  if (!options.push_token.empty()) target.token_file = options::expand_file_pattern(options.push_token, 1);
  if (!options.push_credentials.empty())
    target.credentials_file = options::expand_file_pattern(options.push_credentials, 1);
  if (!options.push_ca.empty()) target.ca_file = options::expand_file_pattern(options.push_ca, 1);
  target.tenant = options.push_tenant;
  identify(options, jvm, &target);
  target.service = options::service_name(target.service);
  return target;
}

std::vector<profile::Label> process_resource(const options::Options& options, const JvmIdentity& jvm) {
  options::PushTarget target;
  identify(options, jvm, &target);
  return target.resource;
}

}  // namespace hearth::always_on
