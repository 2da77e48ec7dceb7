// A profile as OpenTelemetry's collectors take it: the ExportProfilesServiceRequest of opentelemetry-proto 1.11.0
// (package opentelemetry.proto.collector.profiles.v1development). 1.10.0 is the same on the wire; 1.9.0 and older
// number a sample's fields otherwise: collectors speak this from 0.148.0 on. Each event is a profile, and where its
// samples are counts of something, objects or waits, these are one, too; what they refer to stands in one dictionary.
// Samples have no times of their own there; the span of one is its link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

struct OtlpSource {
  std::vector<Label> resource;  // whose profile it is; keys differ
  std::string scope_version;
  int64_t begin_ns = 0;  // since 1970
  int64_t duration_ns = 0;
};

// The samples of a profile that are told there: those that only their time, or how a frame was compiled, tells apart
// are one.
Profile otlp_samples(const Profile& profile);

// A profile of a request has no more samples than Pyroscope takes by default, and a request goes over so many bytes by
// one sample at most: gRPC, by which collectors send them on, takes 4 MiB of a message, their HTTP 20 MiB.
inline constexpr size_t kMostOtlpSamples = 16'000;
inline constexpr size_t kMostOtlpBytes = 3 << 20;

struct OtlpRequest {
  std::string bytes;  // not compressed
  size_t next;        // the first sample that is left for the request after it
};

// What otlp_samples() gives, of the sample `first` on. `thread` and `tid` are thread.name and thread.id; the latter is
// the operating system's, as OpenTelemetry's own profiler has it.
OtlpRequest write_otlp(const Profile& samples, size_t first, const OtlpSource& source);

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
