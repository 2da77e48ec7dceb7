// Records a session into a file while it runs. The file is readable at any time: each second, events and the names that
// they refer to are added as a whole. Memory is that of one second's samples, and of the names of one chunk.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "naming/jvm_facts.h"
#include "naming/recording/process_sampler.h"
#include "naming/sample_encoder.h"
#include "profile/jfr/chunk_file.h"
#include "profile/jfr/write_chunk.h"
#include "session/sample_stream.h"
#include "session/session_state.h"

namespace hearth::naming {

class JfrStream : public session::SampleStream {
 public:
  // `session` outlives the stream. Throws FileError where the file cannot be made.
  JfrStream(session::SessionState* session, std::string path);

  void add(const capture::Sample& sample, int64_t times) override;
  void add_span(session::ReportedSpan span) override;
  void add_event(session::ReportedEvent event) override;
  void write_due(uint64_t now_ns) override;
  void flush() override;
  void end() override;
  const std::string& path() const override { return file_.path(); }
  std::string trouble() const override;

 private:
  static constexpr size_t kManySamples = 1 << 16;
  static constexpr size_t kMostSamples = 1 << 20;
  static constexpr size_t kMostSpans = 1 << 16;  // each with a text of the program
  static constexpr size_t kMostEventBytes = 8 << 20;

  void write();
  void begin_chunk();
  void append_piece();
  void put_processes();
  void write_end();
  void record_pauses();
  void record_windows();
  void record_quality();

  session::SessionState* session_;
  std::mutex pending_mutex_;
  std::vector<SampleEncoder::Counted> pending_;
  std::vector<session::ReportedSpan> pending_spans_;
  std::vector<session::ReportedEvent> pending_events_;
  size_t pending_event_bytes_ = 0;
  uint64_t dropped_ = 0;     // under pending_mutex_, as the next
  uint64_t drained_ns_ = 0;  // CLOCK_MONOTONIC: all samples until then are pending or written

  mutable std::mutex mutex_;  // of the rest
  profile::jfr::ChunkFile file_;
  SampleEncoder encoder_;
  LoadMeter load_;
  ProcessSampler processes_;
  uint64_t processes_due_ns_ = 0;
  std::unique_ptr<profile::jfr::ChunkWriter> chunk_;
  int64_t next_constant_ = 1;    // of the next chunk
  uint64_t written_ns_ = 0;      // CLOCK_MONOTONIC: all samples until then are written
  uint64_t chunk_ended_ns_ = 0;  // the same, of the last chunk
  uint64_t due_ns_ = 0;
  uint64_t seen_pauses_ = 0;
  uint64_t seen_windows_ = 0;
  bool has_ended_ = false;
  std::string trouble_;
};

}  // namespace hearth::naming
