// What memory a session takes.
#include "base/resident.h"
#include "session/profile_session.h"

namespace hearth::session {
namespace {

template <typename Part>
int64_t resident_of(const Part& part) {
  int64_t bytes = 0;
  part.visit_memory([&](const Mapping& mapping) { bytes += resident_bytes(mapping); });
  return bytes;
}

}  // namespace

std::map<std::string, int64_t> ProfileSession::memory() const {
  std::map<std::string, int64_t> parts;
  parts["tree"] = resident_of(tree_);
  parts["ring"] = resident_of(ring_);
  parts["walks"] = resident_of(recorder_) + resident_of(plan_.pcs);
  parts["spans"] = resident_of(recorder_.spans());
  parts["threads"] = resident_of(registry_);
  parts["names"] = resident_of(classes_);
  parts["live"] = static_cast<int64_t>(live_.bytes());
  std::lock_guard<std::mutex> lock(counts_mutex_);
  parts["counts"] = static_cast<int64_t>(counts_.bytes());
  return parts;
}

}  // namespace hearth::session
