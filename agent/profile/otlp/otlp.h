// A profile in OpenTelemetry's protocol: the ExportProfilesServiceRequest of opentelemetry-proto 1.11.0 (package
// opentelemetry.proto.collector.profiles.v1development). 1.10.0 is the same on the wire; 1.9.0 and older have other
// field numbers in a sample: collectors support this from 0.148.0 on. Each event is a profile, and if its samples count
// objects or waits, the counts are one, too; they share one dictionary. Samples have no times of their own in requests;
// the link of a sample is its span.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

struct OtlpSource {
  std::vector<Label> resource;  // origin of the profile; keys differ
  std::string scope_version;
  int64_t begin_ns = 0;  // since 1970
  int64_t duration_ns = 0;
  bool is_file = false;       // one message of any size, also with the number of samples
  int64_t time_step_ns = 0;   // of the samples' times; 0: they are not written
  std::string shown_event{};  // written first
  std::vector<std::string> comments{};
};

// The samples of a profile as OTLP represents them: those that differ only in how a frame was compiled are merged, and
// for a server those that differ only in their time. For a file those whose stack is shown; their order is by stack,
// labels and time.
Profile otlp_samples(const Profile& profile);
Profile otlp_samples(const Profile& profile, const std::vector<bool>& shown);

// A profile of a request has at most as many samples as Pyroscope accepts by default, and a request exceeds a size
// limit by at most one sample: gRPC, by which collectors forward them, accepts messages of 4 MiB, their HTTP 20 MiB.
inline constexpr size_t kMostOtlpSamples = 16'000;
inline constexpr size_t kMostOtlpBytes = 3 << 20;

struct OtlpRequest {
  std::string bytes;  // not compressed
  size_t next;        // the first sample of the next request
};

// Writes the result of otlp_samples() from the sample `first` on. `thread` and `tid` are thread.name and thread.id; the
// latter is the operating system's, as in OpenTelemetry's own profiler.
OtlpRequest write_otlp(const Profile& samples, size_t first, const OtlpSource& source);

// Reply of a server to an accepted request.
struct OtlpReply {
  int64_t rejected = 0;  // profiles
  std::string message;
};
// Throws FormatError.
OtlpReply read_otlp_reply(std::string_view bytes);
// The message of a google.rpc.Status, which a server sends with an error. Throws FormatError.
std::string read_otlp_error(std::string_view bytes);

}  // namespace hearth::profile
