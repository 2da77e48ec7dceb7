// Encodes samples of a session as events of JFR: names their stacks, threads and labels, each once in a chunk. One call
// at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/jvm_refs.h"
#include "capture/sample_window.h"
#include "naming/frame_namer.h"
#include "naming/io_labels.h"
#include "naming/recording/rate_limit.h"
#include "naming/thread_state_words.h"
#include "profile/jfr/write_chunk.h"
#include "profile/jfr/write_samples.h"
#include "session/sample_stream.h"
#include "session/session_state.h"

namespace hearth::naming {

class SampleEncoder {
 public:
  struct Counted {
    capture::Sample sample;
    int64_t times;  // how many samples it represents
  };

  // `session` outlives the encoder.
  explicit SampleEncoder(session::SessionState* session);

  // Writes into this chunk from now on, which outlives the next call.
  void begin_chunk(profile::jfr::ChunkWriter* chunk);
  void put(const std::vector<Counted>& samples);
  void put_span(const session::ReportedSpan& span);
  void put_event(const session::ReportedEvent& event);
  void put_window(const capture::Window& window);
  // Samples and spans that were not written because of the options' limits.
  uint64_t over_limit() const { return over_limit_; }
  // The live objects and the weight of lost samples, at the session's end.
  void put_rest(JNIEnv* env);

 private:
  struct Stack {
    int64_t number = 0;
    int64_t object = 0;
    profile::jfr::Place place = profile::jfr::Place::kUnknown;
    bool is_parked = false;
    WaitCause cause;
  };
  struct Labels {
    int64_t others = 0;
    int64_t trace = 0;
    int64_t span = 0;
    int64_t size = 0;
    int64_t message = 0;
  };
  struct SessionEvent {
    profile::jfr::SampledEvent written;
    double objects = 0;  // not written yet
    RateLimit limit{};
  };

  SessionEvent* event_of(uint16_t number);
  void put_sample(const capture::Sample& sample, int64_t times);
  void put_release(const capture::Sample& sample);
  void put_living(const std::vector<session::SampleCounts::Part>& parts);
  const Stack& stack(uint32_t node, uint16_t cpu);
  int64_t plain_stack(uint32_t node, uint16_t cpu);
  int64_t marker_stack(const std::string& marker);
  const profile::Function& function_of(uint32_t node);
  bool is_in_handshake(uint32_t node);
  profile::LocationId location(uint32_t node);
  // Null if the JVM accepts no more threads.
  FrameNamer* namer();
  profile::LocationId name(capture::Frame frame);
  int64_t method(profile::FunctionId function);
  int64_t thread(uint32_t serial);
  int64_t thread_of_tid(int tid);
  const Labels& labels(const capture::Sample& sample, const SessionEvent& event, std::string_view word);
  void put_lost();

  session::SessionState* session_;
  const capture::StackTree& tree_;
  options::Options naming_;
  profile::Profile names_;
  Handshakes handshakes_;
  std::optional<JvmAttachment> attachment_;  // while put() runs, from its first frame without a name on
  std::optional<FrameNamer> namer_;
  std::vector<profile::LocationId> locations_;  // by frame number
  std::vector<SessionEvent> events_;
  RateLimit span_limit_;
  uint64_t over_limit_ = 0;
  std::vector<events::ThreadRegistry::Thread> threads_;  // by serial number
  std::unordered_map<int, uint32_t> serials_;            // by number of the system; empty until a span asks

  // Numbers in the chunk.
  profile::jfr::ChunkWriter* chunk_ = nullptr;
  std::vector<int64_t> methods_;                // by function; 0: none yet
  std::unordered_map<uint64_t, Stack> stacks_;  // by node and, of samples with it, CPU
  std::unordered_map<uint64_t, int64_t> plain_stacks_;
  std::unordered_map<std::string, int64_t> marker_stacks_;
  std::unordered_map<uint32_t, int64_t> thread_numbers_;
  // By labels, span, word for the state or the handshake, and number.
  std::map<std::tuple<uint16_t, uint16_t, uint16_t, std::string_view, uint16_t>, Labels> labels_;
  std::vector<profile::jfr::StackEntry> frames_;
  std::string scratch_;
};

}  // namespace hearth::naming
