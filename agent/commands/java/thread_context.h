// What the program's threads publish for profilers outside of the process (session/published_context.h). Any thread.
#pragma once

#include <jvmti.h>

#include <map>
#include <string>

#include "options/options.h"

namespace hearth::commands {

// Throws Error where another agent publishes, or the kernel refuses the mapping; then nothing has changed.
void publish_context(const options::Options& options, jvmtiEnv* jvmti);
bool publishes_context();

// As in records of OTEP 4947.
std::string published_attributes(const std::map<std::string, std::string>& labels);

struct RecordMemory {
  void* address = nullptr;  // null: there is no memory
  size_t size = 0;
};
// Of the calling thread.
RecordMemory take_record();

}  // namespace hearth::commands
