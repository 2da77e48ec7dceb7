#include "naming/sample_encoder.h"

#include <algorithm>
#include <cmath>

#include "base/files.h"
#include "base/formatted.h"
#include "naming/io_labels.h"
#include "naming/sample_labels.h"
#include "options/sampled_events.h"
#include "profile/model/event_view.h"

namespace hearth::naming {

using capture::Sample;
using capture::StackTree;
using profile::FrameKind;
using profile::jfr::SampleRecord;

namespace {

constexpr profile::LocationId kUnnamed = UINT32_MAX;

// Recordings have the JVM's names, and of native functions the library.
options::Options naming_options() {
  options::Options options;
  options.clojure = false;
  options.library_names = true;
  return options;
}

profile::SampleLabel label_of(const profile::jfr::SampledEvent& event) {
  return event.kind == nullptr ? profile::kCounterKind.label : event.kind->label;
}

// Counters are of the category cpu.
RateLimit limit_of(const options::Options& options, std::string_view event) {
  const profile::EventKind* kind = profile::event_kind(event);
  bool is_counter = kind != nullptr && kind->unit == std::string_view("count");
  auto limit = options.rate_limits.find(is_counter ? "cpu" : std::string(event));
  return RateLimit(limit == options.rate_limits.end() ? 0 : limit->second);
}

// Of a thread that was never sampled; HotSpot gives Java threads the begin of their names.
std::string native_name(int tid) {
  std::string name = read_if_readable(formatted("/proc/self/task/{}/comm", tid));
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name.empty() ? "?" : name;
}

uint64_t stack_key(uint32_t node, uint16_t cpu) {
  return uint64_t{cpu} << 32 | node;
}

}  // namespace

SampleEncoder::SampleEncoder(session::SessionState* session)
    : session_(session),
      tree_(session->capture().tree),
      naming_(naming_options()),
      span_limit_(limit_of(session->options(), "span")) {}

void SampleEncoder::begin_chunk(profile::jfr::ChunkWriter* chunk) {
  chunk_ = chunk;
  methods_.clear();
  stacks_.clear();
  plain_stacks_.clear();
  marker_stacks_.clear();
  thread_numbers_.clear();
  labels_.clear();
}

void SampleEncoder::put(const std::vector<Counted>& samples) {
  const events::ThreadFollower* follower = session_->sources().follower();
  if (follower != nullptr) threads_ = follower->threads();
  // A thread may have another name now, or is known only now.
  thread_numbers_.clear();
  serials_.clear();
  struct Detach {
    SampleEncoder* encoder;
    ~Detach() {
      encoder->namer_.reset();
      encoder->attachment_.reset();
    }
  } detach = {this};
  for (const Counted& one : samples) put_sample(one.sample, one.times);
}

SampleEncoder::SessionEvent* SampleEncoder::event_of(uint16_t number) {
  const std::vector<session::SampleSources::Source>& sources = session_->sources().all();
  while (events_.size() <= number) {
    bool is_source = events_.size() < sources.size();
    std::string name = is_source ? sources[events_.size()].event
                                 : options::live_events(session_->options())[events_.size() - sources.size()];
    // async-profiler's readers know calls as samples.
    bool is_sample = session_->options().speaks_asprof && name == profile::kCallsEvent;
    std::string_view shown = is_sample ? "cpu" : std::string_view(name);
    events_.push_back({{profile::event_kind(shown), name, profile::kind_of_event(shown).unit},
                       0,
                       limit_of(session_->options(), name)});
  }
  return &events_[number];
}

void SampleEncoder::put_sample(const Sample& sample, int64_t times) {
  if (sample.is_release()) return put_release(sample);
  SessionEvent* event = event_of(sample.event);
  if (!event->limit.take(static_cast<int64_t>(sample.time_ns))) {
    ++over_limit_;
    return;
  }
  profile::SampleLabel meaning = label_of(event->written);
  bool has_state = meaning == profile::SampleLabel::kThreadState;
  uint16_t cpu = has_state && sample.state >= events::kOnCpu ? sample.state : 0;
  const Stack& of_stack = stack(sample.stack, cpu);
  std::string_view state = has_state ? thread_state_word(events::state_of(sample.state), of_stack.cause) : "";
  bool in_handshake = meaning == profile::SampleLabel::kIo && is_in_handshake(sample.stack);
  const Labels& of_labels = labels(sample, *event, in_handshake ? kHandshake : state);
  SampleRecord record;
  record.stack = of_stack.number;
  record.object = of_stack.object;
  record.place = of_stack.place;
  record.is_parked = of_stack.is_parked;
  record.thread = thread(sample.thread);
  record.state = profile::jfr::thread_state_number(state);
  record.size = sample.address != 0 ? sample.bytes : of_labels.size;
  record.address = static_cast<int64_t>(sample.address);
  record.message = of_labels.message;
  record.bytes = std::llround(static_cast<double>(sample.bytes) * sample.objects);
  record.labels = of_labels.others;
  record.trace = of_labels.trace;
  record.span = of_labels.span;
  record.weight = sample.weight;
  record.ticks = static_cast<int64_t>(sample.time_ns);
  record.count = times;
  if (event->written.kind != nullptr && event->written.kind->counts_objects()) {
    event->objects += sample.objects;
    record.count = std::llround(event->objects);
    event->objects -= static_cast<double>(record.count);
  }
  // Repeated samples are those of the time up to theirs.
  int64_t span = times == 1 ? 0 : record.weight;
  record.ticks = std::max(record.ticks - span, chunk_->clock().ticks);
  if (sample.stack == StackTree::kRoot) record.stack = marker_stack(times == 0 ? "[unsampled]" : "[unknown]");
  profile::jfr::put_samples(event->written, record, span, chunk_);
}

void SampleEncoder::put_release(const Sample& sample) {
  int64_t ticks = std::max(static_cast<int64_t>(sample.time_ns), chunk_->clock().ticks);
  profile::jfr::put_release(ticks, thread(sample.thread), static_cast<int64_t>(sample.address), chunk_);
}

int64_t SampleEncoder::marker_stack(const std::string& marker) {
  int64_t& number = marker_stacks_[marker];
  if (number != 0) return number;
  frames_ = {{method(names_.function(marker, FrameKind::kMarker)), 0, 0, profile::AsprofFrameType::kNative}};
  return number = chunk_->stack(frames_, false);
}

// `cpu`: the state that has it; 0: it is not recorded.
const SampleEncoder::Stack& SampleEncoder::stack(uint32_t node, uint16_t cpu) {
  auto found = stacks_.find(stack_key(node, cpu));
  if (found != stacks_.end()) return found->second;
  Stack result;
  uint32_t inner = node;
  if (node != StackTree::kRoot && function_of(node).kind == FrameKind::kClass) {
    profile::jfr::ClassOfObject object = profile::jfr::class_of_object(names_.text(function_of(node).name));
    result.object = chunk_->java_class(object.name);
    result.place = object.place;
    inner = tree_.parent(node);
  }
  result.is_parked = inner != StackTree::kRoot && profile::jfr::is_park(names_, function_of(inner));
  for (uint32_t at = inner; at != StackTree::kRoot; at = tree_.parent(at))
    if (result.cause.look_at(names_, function_of(at))) break;
  result.number = plain_stack(inner, cpu);
  return stacks_[stack_key(node, cpu)] = result;
}

int64_t SampleEncoder::plain_stack(uint32_t node, uint16_t cpu) {
  auto found = plain_stacks_.find(stack_key(node, cpu));
  if (found != plain_stacks_.end()) return found->second;
  frames_.clear();
  bool is_truncated = false, has_java = false;
  for (uint32_t at = node; at != StackTree::kRoot; at = tree_.parent(at)) {
    capture::Frame frame = tree_.frame(at);
    if (has_java && !session_->options().native_roots && is_native(frame)) continue;
    if (is_hidden_end(frame, session_->options())) {
      is_truncated = true;
      continue;
    }
    has_java = has_java || frame.is_java();
    const profile::Location& named = names_.locations()[location(at)];
    FrameKind kind = names_.functions()[named.function].kind;
    is_truncated = is_truncated || frame == capture::Frame::marker(capture::Marker::kTruncated);
    if (kind == FrameKind::kThread) continue;
    int64_t bci = frame.is_java() ? std::max(frame.bci(), 0) : 0;
    frames_.push_back({method(named.function), named.line, bci, profile::asprof_frame_type(kind)});
  }
  if (cpu != 0) {
    profile::FunctionId on_cpu = names_.function(cpu_frame(cpu), FrameKind::kMarker);
    frames_.push_back({method(on_cpu), 0, 0, profile::AsprofFrameType::kNative});
  }
  return plain_stacks_[stack_key(node, cpu)] = chunk_->stack(frames_, is_truncated);
}

bool SampleEncoder::is_in_handshake(uint32_t node) {
  for (; node != StackTree::kRoot; node = tree_.parent(node))
    if (handshakes_.is_one(names_, names_.locations()[location(node)].function)) return true;
  return false;
}

const profile::Function& SampleEncoder::function_of(uint32_t node) {
  return names_.functions()[names_.locations()[location(node)].function];
}

profile::LocationId SampleEncoder::location(uint32_t node) {
  uint32_t number = tree_.frame_number(node);
  if (number >= locations_.size()) locations_.resize(std::max<size_t>(number + 1, 2 * locations_.size()), kUnnamed);
  if (locations_[number] == kUnnamed) locations_[number] = name(tree_.frame(node));
  return locations_[number];
}

FrameNamer* SampleEncoder::namer() {
  if (!attachment_) attachment_.emplace(session_->vm()->java_vm, "hearth");
  bool can_name = session_->vm()->java_vm == nullptr || attachment_->env() != nullptr;
  if (!can_name) return nullptr;
  const session::CaptureState& capture = session_->capture();
  if (!namer_)
    namer_.emplace(
        session_->vm(), attachment_->env(), naming_,
        FrameNamer::KnownNames{&capture.plan.virtual_threads, &capture.classes, session_->options().speaks_asprof},
        &names_);
  return &*namer_;
}

profile::LocationId SampleEncoder::name(capture::Frame frame) {
  FrameNamer* known = namer();
  return known == nullptr ? names_.location(names_.function("[unknown]", FrameKind::kMarker), 0)
                          : known->location(frame);
}

int64_t SampleEncoder::method(profile::FunctionId function) {
  if (function >= methods_.size()) methods_.resize(names_.functions().size());
  int64_t& number = methods_[function];
  if (number == 0) number = chunk_->method(profile::jfr::method_parts(names_, names_.functions()[function], &scratch_));
  return number;
}

int64_t SampleEncoder::thread(uint32_t serial) {
  if (serial == 0) return 0;
  int64_t& number = thread_numbers_[serial];
  if (number != 0) return number;
  events::ThreadRegistry::Thread thread;
  if (serial < threads_.size()) thread = threads_[serial];
  return number = chunk_->thread(thread.name.empty() ? "?" : thread.name, thread.tid);
}

// By the last thread that had the number.
int64_t SampleEncoder::thread_of_tid(int tid) {
  if (serials_.empty())
    for (uint32_t serial = 0; serial < threads_.size(); ++serial)
      serials_[static_cast<int>(threads_[serial].tid)] = serial;
  auto found = serials_.find(tid);
  return found == serials_.end() ? chunk_->thread(native_name(tid), tid) : thread(found->second);
}

void SampleEncoder::put_span(const session::ReportedSpan& span) {
  if (!span_limit_.take(static_cast<int64_t>(capture::now_ns()))) {
    ++over_limit_;
    return;
  }
  profile::jfr::put_span(span.start_ns, span.end_ns, thread_of_tid(span.tid), span.tag, chunk_);
}

void SampleEncoder::put_event(const session::ReportedEvent& event) {
  profile::jfr::put_user_event(event.at_ns, thread_of_tid(event.tid), event.type, event.content, chunk_);
}

void SampleEncoder::put_window(const capture::Window& window) {
  chunk_->event(profile::jfr::TypeId::kWindow,
                {window.began_ns, window.ended_ns - window.began_ns, thread_of_tid(window.tid)});
}

const SampleEncoder::Labels& SampleEncoder::labels(const Sample& sample, const SessionEvent& event,
                                                   std::string_view word) {
  profile::SampleLabel meaning = label_of(event.written);
  uint16_t number = number_of_label(meaning, sample.state);
  auto [found, is_new] = labels_.try_emplace({sample.labels, sample.span, sample.event, word, number}, Labels());
  if (!is_new) return found->second;
  profile::LabelSet set;
  add_program_labels(session_->vm()->labels, sample.labels, session_->capture().recorder.spans(), sample.span, &set);
  add_own_labels(meaning, word, number, session_->capture().traits, namer(), &set);
  profile::jfr::LabelFields fields = profile::jfr::fields_of(set, event.written);
  found->second = {chunk_->text(fields.others), chunk_->text(fields.trace), chunk_->text(fields.span), fields.size,
                   chunk_->text(fields.message)};
  return found->second;
}

// As the profile's [lost] frame has it.
void SampleEncoder::put_lost() {
  std::vector<session::SampleCounts::Count> lost = session_->counter()->lost(session_->sources().all().size());
  for (size_t number = 0; number < lost.size(); ++number) {
    SessionEvent* event = event_of(static_cast<uint16_t>(number));
    bool counts_objects = event->written.kind != nullptr && event->written.kind->counts_objects();
    int64_t count = counts_objects ? std::llround(lost[number].objects) : lost[number].samples;
    if (count == 0 && lost[number].weight == 0) continue;
    SampleRecord record;
    record.stack = marker_stack("[lost]");
    record.ticks = static_cast<int64_t>(capture::now_ns());
    record.count = count;
    record.weight = lost[number].weight;
    profile::jfr::put_samples(event->written, record, 0, chunk_);
  }
}

void SampleEncoder::put_rest(JNIEnv* env) {
  auto number = static_cast<uint16_t>(session_->sources().all().size());
  for (const std::string_view event : options::live_events(session_->options())) {
    if (event == profile::kNativeLiveEvent)
      put_living(session_->live()->native()->samples(number, session::SampleCounts::no_time));
    else if (env != nullptr)
      put_living(session_->live()->samples(env, number, session::LiveProfile::As::kLastCollected,
                                           session::SampleCounts::no_time));
    ++number;
  }
  put_lost();
}

void SampleEncoder::put_living(const std::vector<session::SampleCounts::Part>& parts) {
  std::vector<Counted> living;
  for (const session::SampleCounts::Part& part : parts) {
    Sample sample = {capture::now_ns(),
                     part.count.weight,
                     part.key.stack,
                     part.key.thread,
                     static_cast<uint16_t>(part.key.labels),
                     part.span,
                     static_cast<uint16_t>(part.key.event),
                     static_cast<uint16_t>(part.key.state),
                     part.count.objects};
    living.push_back({sample, 1});
  }
  put(living);
}

}  // namespace hearth::naming
