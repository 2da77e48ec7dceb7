// Publishes what profilers outside of the process need to know of it, by OpenTelemetry's OTEP 4719: a memory mapping
// named OTEL_CTX with its resource, and the names of the attributes in the records of its threads
// (vm/thread_records.h). Once begun, it stays until the process ends. Thread safe.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "profile/model/profile.h"
#include "session/process_context.h"
#include "vm/label_sets.h"

namespace hearth::session {

class PublishedContext {
 public:
  static PublishedContext& instance();

  // Throws Error if another library has published a context of this process.
  void require_no_other() const;
  // Again: with another resource. Throws Error if another library has published a context of this process, or there is
  // no memory.
  void begin(const std::vector<profile::Label>& resource);
  bool has_begun() const;

  // Labels as attributes of a record: index of the key, length, text. Those that do not fit are left out.
  std::string attributes_of(const vm::LabelSets::Set& labels);

 private:
  void map();
  void publish();
  std::string message() const;
  size_t index_of(const std::string& name, bool* is_new);

  mutable std::mutex mutex_;
  ProcessContextHeader* header_ = nullptr;
  std::vector<profile::Label> resource_;
  std::vector<std::string> names_;
  std::deque<std::string> payloads_;  // the last two: a reader may still read the one before
};

}  // namespace hearth::session
