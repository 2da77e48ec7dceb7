#include "naming/jfr_stream.h"

#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/clocks.h"
#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "capture/sample_window.h"
#include "events/vm/collection_cost.h"
#include "naming/session_quality.h"
#include "profile/jfr/write_facts.h"

namespace hearth::naming {
namespace {

constexpr uint64_t kPeriodNs = 1'000'000'000;

}  // namespace

JfrStream::JfrStream(session::SessionState* session, std::string path)
    : session_(session),
      file_(std::move(path)),
      encoder_(session),
      seen_pauses_(events::CollectionCost::pauses_so_far()),
      seen_windows_(capture::closed_windows()) {}

void JfrStream::add(const capture::Sample& sample, int64_t times) {
  std::lock_guard<std::mutex> lock(pending_mutex_);
  try {
    if (pending_.size() < kMostSamples) {
      pending_.push_back({sample, times});
      return;
    }
  } catch (const std::bad_alloc&) {
    // Its caller may be a thread of hearth that an exception would end, and the JVM with it.
  }
  ++dropped_;
}

void JfrStream::add_span(session::ReportedSpan span) {
  std::lock_guard<std::mutex> lock(pending_mutex_);
  if (pending_spans_.size() < kMostSpans)
    pending_spans_.push_back(std::move(span));
  else
    ++dropped_;
}

void JfrStream::add_event(session::ReportedEvent event) {
  std::lock_guard<std::mutex> lock(pending_mutex_);
  size_t bytes = sizeof event + event.type.size() + event.content.size();
  if (pending_event_bytes_ + bytes > kMostEventBytes) {
    ++dropped_;
    return;
  }
  pending_event_bytes_ += bytes;
  pending_events_.push_back(std::move(event));
}

void JfrStream::write_due(uint64_t now_ns) {
  {
    std::lock_guard<std::mutex> lock(pending_mutex_);
    drained_ns_ = now_ns;
    if (now_ns < due_ns_ && pending_.size() < kManySamples && pending_spans_.size() < kMostSpans / 2 &&
        pending_event_bytes_ < kMostEventBytes / 2)
      return;
  }
  flush();
}

void JfrStream::flush() {
  std::lock_guard<std::mutex> lock(mutex_);
  due_ns_ = capture::now_ns() + kPeriodNs;
  write();
}

// A file that takes no more stays as it is; the session goes on, and has the profile.
void JfrStream::write() {
  std::vector<SampleEncoder::Counted> samples;
  std::vector<session::ReportedSpan> spans;
  std::vector<session::ReportedEvent> events;
  {
    std::lock_guard<std::mutex> lock(pending_mutex_);
    samples.swap(pending_);
    spans.swap(pending_spans_);
    events.swap(pending_events_);
    pending_event_bytes_ = 0;
    written_ns_ = drained_ns_;
  }
  if (has_ended_ || !trouble_.empty()) return;
  try {
    if (chunk_ == nullptr) begin_chunk();
    encoder_.put(samples);
    for (const session::ReportedSpan& span : spans) encoder_.put_span(span);
    for (const session::ReportedEvent& event : events) encoder_.put_event(event);
    record_pauses();
    record_windows();
    const options::Options& options = session_->options();
    if ((options.jfr_omits & options::kNoCpuLoad) == 0)
      load_.put(chunk_.get(), static_cast<int64_t>(capture::now_ns()));
    put_processes();
    append_piece();
    auto age_ns = static_cast<int64_t>(capture::now_ns()) - chunk_->clock().ticks;
    if (chunk_->size() < options.chunk_bytes && age_ns < options.chunk_ns) return;
    record_quality();
    append_piece();
    file_.end_chunk();
    next_constant_ = chunk_->next_constant();
    chunk_ended_ns_ = std::max(written_ns_, session_->began_ns());
    chunk_.reset();
  } catch (const std::exception& error) {
    trouble_ = error.what();
    session_->log()->error(trouble_);
  }
}

void JfrStream::begin_chunk() {
  bool is_first = file_.size() == 0;
  profile::jfr::ChunkClock clock;
  auto now = static_cast<int64_t>(capture::now_ns());
  // Samples since the end of the last chunk are in this one.
  clock.ticks = static_cast<int64_t>(is_first ? session_->began_ns() : chunk_ended_ns_);
  clock.unix_ns = is_first ? session_->began_unix_ns() : clock_ns(CLOCK_REALTIME) - (now - clock.ticks);
  clock.counter_per_second = session_->options().counter_per_second;
  if (clock.counter_per_second != 0)
    clock.counter = static_cast<int64_t>(cycle_counter()) - clock.written_span(now - clock.ticks);
  using profile::jfr::ChunkWriter;
  ChunkWriter::FirstNumbers first;
  if (session_->options().jfr_sync) first = ChunkWriter::kBesideTheJvm;
  first.constant = std::max(first.constant, next_constant_);
  chunk_ = std::make_unique<ChunkWriter>(clock, first);
  encoder_.begin_chunk(chunk_.get());
  JvmAttachment attachment(session_->vm()->java_vm, "hearth");  // properties are for attached threads only
  put_jvm_facts(*session_, chunk_.get());
}

void JfrStream::put_processes() {
  auto period = static_cast<uint64_t>(session_->options().processes_ns);
  uint64_t now = capture::now_ns();
  if (processes_due_ns_ == 0) processes_due_ns_ = now + kPeriodNs;  // not at the start, which costs CPU time itself
  if (period == 0 || now < processes_due_ns_) return;
  // In the rhythm of the first one: rounds come a little late.
  processes_due_ns_ = std::max(processes_due_ns_ + period, now);
  processes_.put(chunk_.get(), static_cast<int64_t>(now));
}

void JfrStream::append_piece() {
  auto now = static_cast<int64_t>(capture::now_ns());
  std::string piece = chunk_->take_piece(now);
  file_.append(piece, chunk_->header(now - chunk_->clock().ticks));
}

// The JVM tells of a pause, and not of the collection that it is part of: each has a number of its own.
void JfrStream::record_pauses() {
  constexpr std::string_view kName = "GC Pause";
  constexpr int64_t kNoThread = 0;
  for (const events::CollectionCost::Pause& pause : events::CollectionCost::pauses_after(seen_pauses_)) {
    seen_pauses_ = pause.number;
    chunk_->event(profile::jfr::TypeId::kGcPause,
                  {pause.began_ns, pause.duration_ns, kNoThread, static_cast<int64_t>(pause.number), kName});
  }
}

void JfrStream::record_windows() {
  uint64_t last = capture::closed_windows();
  if (last - seen_windows_ > capture::kKeptWindows) seen_windows_ = last - capture::kKeptWindows;
  while (seen_windows_ < last) {
    capture::Window window;
    bool is_there = capture::read_window(seen_windows_ + 1, &window);
    if (!is_there && last - seen_windows_ < capture::kKeptWindows / 2) return;  // is being written: for the next round
    ++seen_windows_;
    if (is_there) encoder_.put_window(window);
  }
}

void JfrStream::record_quality() {
  profile::Quality quality = full_quality_of(session_);
  std::unique_lock<std::mutex> lock(pending_mutex_);
  if (dropped_ > 0)
    quality.notes.push_back(
        formatted("the recording lacks {} samples, spans or events of the program: disk or memory did not suffice; a "
                  "profile has the samples",
                  dropped_));
  lock.unlock();
  if (encoder_.over_limit() > 0)
    quality.notes.push_back(
        formatted("the recording lacks {} samples and spans: they exceeded ratelimit", encoder_.over_limit()));
  profile::jfr::put_quality(quality, static_cast<int64_t>(capture::now_ns()), chunk_.get());
}

void JfrStream::end() {
  std::lock_guard<std::mutex> lock(mutex_);
  write();
  if (trouble_.empty()) write_end();
  has_ended_ = true;
  chunk_.reset();
  file_.close();
}

void JfrStream::write_end() {
  try {
    if (chunk_ == nullptr) begin_chunk();
    JvmAttachment attachment(session_->vm()->java_vm, "hearth");
    encoder_.put_rest(attachment.env());
    record_pauses();
    record_windows();
    record_quality();
    append_piece();
  } catch (const std::exception& error) {
    trouble_ = error.what();
    session_->log()->error(trouble_);
  }
}

// A worker that was left behind at the JVM's end may hold the lock for as long as the disk stalls: the JVM must not
// wait.
std::string JfrStream::trouble() const {
  std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
  bool runs = session_->running();
  if (runs) lock.lock();
  if (!runs && (!lock.try_lock() || !has_ended_))
    return "the recording lacks its end: the JVM ended while it was written";
  if (trouble_.empty() && !file_.is_at_its_place())
    return formatted("{} was moved, replaced or deleted while the session recorded into it", file_.path());
  return trouble_;
}

}  // namespace hearth::naming
