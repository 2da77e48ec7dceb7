// What one window is sent as. By Pyroscope's ingest that is a request for each of its events that has samples, as the
// server takes each body for one kind of profile, which it tells by the types of the values; by OTLP it is one request.
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
  std::string query;  // what follows the target's path: "/ingest?name=…"
  std::string body;
  const char* content_type;
  bool is_gzip = false;  // whether HTTP is told that it is; pprof is by itself
};

class WindowParts {
 public:
  // Of the bytes of a window's file. Throws FormatError.
  WindowParts(std::string_view pprof, Protocol protocol);

  size_t size() const { return protocol_ == Protocol::kOtlp && !events_.empty() ? 1 : events_.size(); }
  PushPart part(size_t index, const PushTarget& target, const store::StoredWindow& window) const;

 private:
  PushPart whole(const PushTarget& target, const store::StoredWindow& window) const;

  const Protocol protocol_;
  profile::Profile profile_;
  std::vector<std::string> events_;
};

}  // namespace hearth::push
