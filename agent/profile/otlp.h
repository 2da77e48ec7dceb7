// A profile as OpenTelemetry's collectors take it: the ExportProfilesServiceRequest of opentelemetry-proto 1.11.0
// (package opentelemetry.proto.collector.profiles.v1development). 1.10.0 is the same on the wire; 1.9.0 and older
// number a sample's fields otherwise: collectors speak this from 0.148.0 on. Each event is a profile, and where its
// samples are counts of something, objects or waits, these are one, too; what they refer to stands in one dictionary.
// Samples have no times of their own there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace hearth::profile {

struct OtlpSource {
  std::vector<Label> resource;  // whose profile it is; keys differ
  std::string scope_version;
  int64_t begin_ns = 0;  // since 1970
  int64_t duration_ns = 0;
};

// Not compressed. `thread` and `tid` are thread.name and thread.id; the latter is the operating system's, as
// OpenTelemetry's own profiler has it.
std::string write_otlp(const Profile& profile, const OtlpSource& source);

// What a server says of a request that it took.
struct OtlpReply {
  int64_t rejected = 0;  // profiles
  std::string message;
};
// Throws FormatError.
OtlpReply read_otlp_reply(std::string_view bytes);
// The message of a google.rpc.Status, which a server sends with an error. Throws FormatError.
std::string read_otlp_error(std::string_view bytes);

}  // namespace hearth::profile
