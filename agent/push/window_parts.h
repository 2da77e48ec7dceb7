// What one window is sent as. By Pyroscope's ingest that is a request for each of its events that has samples, as the
// server takes each body for one kind of profile, which it tells by the types of the values; by OTLP it is one request,
// or several where there is more than servers take at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "options/push_target.h"
#include "profile/model/profile.h"
#include "store/window_files.h"

namespace hearth::push {

struct PushPart {
  std::string query;  // what follows the target's path: "/ingest?name=…"
  std::string body;
  const char* content_type;
  bool is_gzip;  // whether HTTP is told that it is; pprof is by itself
  size_t next;   // where the part after it begins
};

class WindowParts {
 public:
  // Of the bytes of a window's file. Throws FormatError.
  WindowParts(std::string_view pprof, options::Protocol protocol);

  // Parts begin from 0 to below this, each where the one before it says; the same window's always at the same.
  size_t end() const { return protocol_ == options::Protocol::kOtlp ? profile_.sample_count() : events_.size(); }
  PushPart part(size_t begin, const options::PushTarget& target, const store::StoredWindow& window) const;

 private:
  PushPart event(size_t index, const options::PushTarget& target, const store::StoredWindow& window) const;
  PushPart samples(size_t first, const options::PushTarget& target, const store::StoredWindow& window) const;

  const options::Protocol protocol_;
  profile::Profile profile_;
  std::vector<std::string> events_;  // of Pyroscope's
};

}  // namespace hearth::push
