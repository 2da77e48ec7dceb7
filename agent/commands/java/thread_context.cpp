#include "commands/java/thread_context.h"

#include "always_on/store_push.h"
#include "session/published_context.h"
#include "vm/thread_records.h"

namespace hearth::commands {

using session::PublishedContext;

void publish_context(const options::Options& options, jvmtiEnv* jvmti) {
  PublishedContext::instance().begin(always_on::process_resource(options, always_on::jvm_identity(jvmti)));
}

bool publishes_context() {
  return PublishedContext::instance().has_begun();
}

std::string published_attributes(const std::map<std::string, std::string>& labels) {
  return PublishedContext::instance().attributes_of(labels);
}

RecordMemory take_record() {
  return {vm::take_thread_record(), sizeof(vm::ThreadRecord)};
}

}  // namespace hearth::commands
