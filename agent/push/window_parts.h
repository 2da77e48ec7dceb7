// What one window is sent as: a request for each of its events that has samples. A server takes each body for one kind
// of profile, which it tells by the types of the values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "push/push_target.h"
#include "store/window_files.h"

namespace hearth::push {

struct PushPart {
  std::string query;  // "/ingest?name=…"
  std::string body;   // pprof
};

class WindowParts {
 public:
  // Of the bytes of a window's file. Throws FormatError.
  explicit WindowParts(std::string_view pprof);

  size_t size() const { return events_.size(); }
  PushPart part(size_t index, const PushTarget& target, const store::StoredWindow& window) const;

 private:
  profile::Profile profile_;
  std::vector<std::string> events_;
};

}  // namespace hearth::push
