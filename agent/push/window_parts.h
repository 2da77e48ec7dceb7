// Splits a window into requests. By Pyroscope's ingest it is one request for each event with samples, since the server
// takes each body for one kind of profile, which it recognises by the types of the values. By OTLP it is one request,
// or several if there is more than servers accept at once.
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
  std::string query;  // appended to the target's path: "/ingest?name=…"
  std::string body;
  const char* content_type;
  bool is_gzip;  // sets Content-Encoding; pprof is always compressed
  size_t next;   // index of the next part
};

class WindowParts {
 public:
  // From the bytes of a window's file. Throws FormatError.
  WindowParts(std::string_view pprof, options::Protocol protocol);

  // Indexes of parts run from 0 to below this; each part has the index of the next one. They are the same for the same
  // window.
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
