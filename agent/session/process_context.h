// Reads the context of this process that an OpenTelemetry SDK or agent publishes by OTEP 4719: a memory mapping named
// OTEL_CTX. Other code of the process writes it at any time. One thread at a time; outside signals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::session {

// The first bytes of a context, which are the name of its mapping, too, and the version that follows them.
inline constexpr char kProcessContextName[] = "OTEL_CTX";
inline constexpr uint32_t kProcessContextVersion = 2;

struct ProcessContextHeader {
  char signature[8];
  uint32_t version;
  uint32_t payload_size;
  uint64_t published_ns;  // CLOCK_BOOTTIME; 0: being written
  uint64_t payload;       // its address
};
static_assert(sizeof(ProcessContextHeader) == 32);

// The names in the attribute threadlocal.attribute_key_map of a ProcessContext message; {} if it has none. Throws
// profile::FormatError.
std::vector<std::string> thread_attribute_names(std::string_view message);

// The address of the context that others have published; 0: there is none. Any thread.
uintptr_t find_process_context();
// The context at this address is this agent's own.
void ignore_process_context(uintptr_t own);

class ProcessContextReader {
 public:
  // Whether there is another context than at the last call, or for the first time.
  bool has_changed();
  // Of the context as of has_changed(); {} if it is damaged or being changed, which then counts as a change again.
  std::vector<std::string> attribute_names();

 private:
  uintptr_t mapping_ = 0;      // of the header; 0: not found
  uint64_t published_ns_ = 0;  // of the context that was read; 0: none
  uint64_t next_search_ns_ = 0;
};

}  // namespace hearth::session
