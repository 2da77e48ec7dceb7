// The sessions that commands are about: how they start, which of them a command means, what they write and how they
// end. Each samples for itself, so that what one is told is no other's concern.
#include <malloc.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "events/profiling_signal.h"
#include "profile/amount_text.h"
#include "profile/quality.h"
#include "session/agent.h"
#include "session/answers.h"
#include "session/sampled_events.h"

namespace hearth::session {
namespace {

constexpr const char* kStillThere = "the session has ended: dump still has its profile";
constexpr size_t kManyNodes = 1 << 16;  // of a profile: some 10 MB

// Gives it back to the system when it goes: the model of many stacks takes hundreds of MB, and glibc would keep them;
// what session after session leaves in pieces adds up to tens. Locks of malloc are held meanwhile: not for little.
struct FreedMemory {
  bool is_worth_it = true;
  ~FreedMemory() {
    if (is_worth_it) malloc_trim(0);
  }
};

// Of a stop or dump; what the start said where it says nothing.
Options output_of(const ProfileSession& session, const Options& options) {
  Options output = options.says_output ? options : session.options();
  if (!options.write.event.empty()) output.write.event = options.write.event;
  return output;
}

// Whether what it expands to says when, or how many came before: then it is another file each time.
bool is_new_each_time(const std::string& file_pattern) {
  return file_pattern.find("%n") != std::string::npos || file_pattern.find("%t") != std::string::npos;
}

}  // namespace

SessionTag Agent::tag_of(const ProfileSession& session) {
  return {session.number(), session.options().session, event_names(session.options()), session.running(),
          session.paused()};
}

size_t Agent::chosen(const Options& command) const {
  std::vector<SessionTag> tags;
  for (const Commanded& one : commanded_) tags.push_back(tag_of(*one.session));
  return chosen_session(tags, command);
}

// A stop without a word means the only one without a name.
std::string Agent::stop_command(const ProfileSession& running) const {
  const Options& there = running.options();
  if (!there.session.empty()) return formatted("hearth stop --session {} PID", there.session);
  auto unnamed = std::count_if(commanded_.begin(), commanded_.end(), [](const Commanded& one) {
    return one.session->running() && one.session->options().session.empty();
  });
  return unnamed == 1 ? "hearth stop PID" : formatted("hearth stop -e {} PID", event_names(there).front());
}

void Agent::refuse_beside(const ProfileSession& running, const Options& wanted) const {
  const Options& there = running.options();
  std::string runs = formatted("a session is running, for {} so far: {}", profile::duration_text(running.duration_ns()),
                               tag_text(tag_of(running)));
  std::string stop = "stop it first: " + stop_command(running);
  if (has_breakpoints(there) || has_breakpoints(wanted))
    throw SessionInTheWay(running.number(), runs + "; begin and end need the JVM to themselves", stop);
  if (const char* contended = contended_event(running.sampled(), wanted))
    throw SessionInTheWay(running.number(), formatted("{}; {}", runs, no_room_beside(contended)), stop);
  if (!wanted.session.empty()) throw SessionInTheWay(running.number(), runs, "give this one another name, or " + stop);
  throw SessionInTheWay(running.number(), runs, "give this one a name, to run beside it (session=NAME), or " + stop);
}

// Without names a start of what is sampled already is a mistake more often than not.
void Agent::check_room(const Options& options) const {
  for (const Commanded& one : commanded_) {
    if (!one.session->running()) continue;
    const Options& there = one.session->options();
    bool is_same =
        there.session == options.session && (!options.session.empty() || common_event(there, options) != nullptr);
    bool needs_all = has_breakpoints(there) || has_breakpoints(options);
    bool is_contended = contended_event(one.session->sampled(), options) != nullptr;
    if (is_same || needs_all || is_contended) refuse_beside(*one.session, options);
  }
}

// The second to end would replace what the first has written.
void Agent::check_file(const Options& options) const {
  if (options.file.empty()) return;
  std::string path = expand_file_pattern(options.file, outputs_ + 1);
  check_replaceable(path);
  check_nobody_writes(path, nullptr);
}

void Agent::check_nobody_writes(const std::string& path, const ProfileSession* itself) const {
  for (const Commanded& one : commanded_) {
    const std::string& there = one.session->options().file;
    if (one.session.get() == itself || !one.session->running() || there.empty() || is_new_each_time(there)) continue;
    if (expand_file_pattern(there, outputs_ + 1) != path) continue;
    throw SessionInTheWay(
        one.session->number(),
        formatted("{} is the file of a session that is running: {}", path, tag_text(tag_of(*one.session))),
        "name another file, or stop it first: " + stop_command(*one.session));
  }
}

Agent::Answer Agent::start(const Options& options, JNIEnv* env) {
  check_room(options);
  check_beside(options);
  check_file(options);
  prepare(env);
  RoomInStore room(always_on_.get(), options, env);
  std::shared_ptr<ProfileSession> session = with_a_signal(env, [&] { return begun(options, env); });
  drop_replaced(*session);
  return {start_text(*session), false, session->number()};
}

// What somebody asks for goes before what runs for ever.
std::shared_ptr<ProfileSession> Agent::with_a_signal(JNIEnv* env, const Begin& begin) {
  try {
    return begin();
  } catch (const events::NoFreeSignal&) {
    if (always_on_ && always_on_->gives_way(env)) return begin();
    throw;
  }
}

std::shared_ptr<ProfileSession> Agent::begun(const Options& options, JNIEnv* env) {
  auto session = std::make_shared<ProfileSession>(&vm_, &log_, options, hooks_of(++sessions_));
  add_commanded(session);
  try {
    begin(session.get(), env);
  } catch (...) {
    drop_commanded(session.get());
    stop_listening();
    throw;
  }
  return session;
}

void Agent::add_commanded(std::shared_ptr<ProfileSession> session) {
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  commanded_.push_back({std::move(session)});
  session_changes_++;
}

void Agent::drop_commanded(const ProfileSession* session) {
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  commanded_.erase(std::find_if(commanded_.begin(), commanded_.end(),
                                [&](const Commanded& one) { return one.session.get() == session; }));
  session_changes_++;
}

// What has ended goes when the lock is free again.
void Agent::drop_replaced(const ProfileSession& by) {
  std::vector<Commanded> replaced;
  auto stays = [&](const Commanded& one) {
    return one.session->running() || common_events(one.session->options(), by.options()).empty();
  };
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  auto first = std::stable_partition(commanded_.begin(), commanded_.end(), stays);
  std::move(first, commanded_.end(), std::back_inserter(replaced));
  commanded_.erase(first, commanded_.end());
}

Agent::Answer Agent::stop(const Options& options, JNIEnv* env) {
  size_t place = chosen(options);
  std::shared_ptr<ProfileSession> session = commanded_[place].session;
  Options output = output_of(*session, options);
  if (!output.file.empty()) check_nobody_writes(expand_file_pattern(output.file, outputs_ + 1), session.get());
  name_living_threads(session.get(), env);
  stop_session(place, env);
  const std::string& promised = session->options().file;
  if (options.says_output && promised != options.file) commanded_.back().unwritten = promised;
  try {
    return write(session, output, env);
  } catch (const FileError& error) {
    throw FileError(error.number(), error.what(), kStillThere);
  } catch (const profile::FormatError& error) {
    throw profile::FormatError(formatted("{}; {}", error.what(), kStillThere));
  }
}

void Agent::stop_session(size_t place, JNIEnv* env) {
  {
    RoomInStore room(always_on_.get(), env);
    commanded_[place].session->stop();
  }
  {
    std::lock_guard<std::mutex> lock(session_pointer_mutex_);
    auto ended = commanded_.begin() + static_cast<ptrdiff_t>(place);
    std::rotate(ended, ended + 1, commanded_.end());
  }
  session_changes_++;
  stop_listening();
}

Agent::Answer Agent::dump(const Options& options, JNIEnv* env) {
  std::shared_ptr<ProfileSession> session = commanded_[chosen(options)].session;
  Options output = output_of(*session, options);
  if (!output.file.empty()) check_nobody_writes(expand_file_pattern(output.file, outputs_ + 1), session.get());
  if (session->running()) name_living_threads(session.get(), env);
  return write(session, output, env);
}

Agent::Answer Agent::write(const std::shared_ptr<ProfileSession>& session, const Options& options, JNIEnv* env) {
  FreedMemory freed;  // goes last, whatever is thrown
  SessionPart whole;
  whole.by_time = true;
  profile::Profile profile = session->model(env, options, whole);
  freed.is_worth_it = !session->running() || profile.nodes().size() > kManyNodes;
  if (freed.is_worth_it) malloc_trim(0);  // writing takes as much again as making the model did
  return write_model(profile, options);
}

Agent::Answer Agent::write_model(const profile::Profile& profile, const Options& options) {
  std::string content;
  for (profile::Format format : formats_of(options)) {
    profile::WriteOptions write = options.write;
    write.limit = format == profile::Format::kTraces ? options.traces_limit : options.flat_limit;
    content += profile::write(profile, format, write);
  }
  if (options.file.empty()) return {content, true};
  std::string path = expand_file_pattern(options.file, outputs_ + 1);
  replace_file(path, content);
  if (options.file.find("%n") != std::string::npos) outputs_++;
  return {formatted("{} written: {}", path, profile::quality_text(profile.quality, profile.metadata.duration_ns))};
}

std::vector<const Agent::Commanded*> Agent::in_order() const {
  auto rank = [](const Commanded* one) {
    const std::string& name = one->session->options().session;
    if (!one->session->running()) return 3;
    return is_private(name) ? 2 : name.empty() ? 0 : 1;
  };
  std::vector<const Commanded*> all;
  for (const Commanded& one : commanded_) all.push_back(&one);
  std::stable_sort(all.begin(), all.end(),
                   [&](const Commanded* one, const Commanded* other) { return rank(one) < rank(other); });
  return all;
}

std::string Agent::status_of(const Commanded& one) const {
  ProfileSession& session = *one.session;
  std::string what = session.running() ? "Profiling is running for" : "Profiling is stopped after";
  profile::Quality quality = session.full_quality();
  for (std::string& note : session.pause_notes({})) quality.notes.push_back(std::move(note));
  std::string text = formatted("{} {:.1f} s: {}", what, static_cast<double>(session.duration_ns()) / 1e9,
                               profile::quality_text(quality, session.duration_ns()));
  if (commanded_.size() > 1 || !session.options().session.empty())
    text += formatted("\n  {:<21}: {}, {}", "Session", session.number(), tag_text(tag_of(session)));
  for (const profile::QualityRow& row : profile::quality_rows(quality, session.duration_ns()))
    text += formatted("\n  {:<21}: {}", row.label, row.value);
  if (!session.running() && !one.unwritten.empty())
    text += formatted("\n  {:<21}: {} is not written: the session began with it, and its stop named another output",
                      "Note", one.unwritten);
  return text;
}

Agent::Answer Agent::status(const Options& options) const {
  bool means_one = !options.session.empty() || !options.said.event.empty();
  if (means_one) return {status_of(commanded_[chosen(options)])};
  std::vector<std::string> texts;
  if (always_on_) texts.push_back(always_on_->status());
  for (const Commanded* one : in_order()) texts.push_back(status_of(*one));
  return {texts.empty() ? "Nothing was profiled yet" : joined(texts, "\n")};
}

SessionFigures Agent::figures_with(const ProfileSession& session, const profile::Quality& quality) {
  SessionFigures figures = {session.number(), session.running(), session.duration_ns(),
                            session.events(), quality,           session.lost_weights()};
  figures.name = session.options().session;
  figures.paused = session.paused();
  return figures;
}

std::vector<SessionFigures> Agent::figures() {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<SessionFigures> all;
  for (const Commanded* one : in_order()) all.push_back(figures_with(*one->session, one->session->quality()));
  return all;
}

std::optional<SessionFigures> Agent::figures_of(const std::string& command) {
  Options options = parse_options(command);
  std::lock_guard<std::mutex> lock(mutex_);
  if (commanded_.empty()) return std::nullopt;
  const ProfileSession& session = *commanded_[chosen(options)].session;
  return figures_with(session, session.quality());
}

void Agent::timed_out(uint64_t number) {
  JvmAttachment attachment(vm_.java_vm, "hearth");
  if (attachment.env() != nullptr) end_session(number, attachment.env());
}

void Agent::end_all_sessions(JNIEnv* env) {
  std::vector<uint64_t> numbers;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const Commanded& one : commanded_) numbers.push_back(one.session->number());
  }
  for (uint64_t number : numbers) end_session(number, env);
}

// As a stop without options, but that nobody asked for it: the log stays as the session set it up, and without an
// output the profile stays where it is. The session may have been stopped before this thread comes to run.
void Agent::end_session(uint64_t number, JNIEnv* env) {
  try {
    Answer answer;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      auto found = std::find_if(commanded_.begin(), commanded_.end(),
                                [&](const Commanded& one) { return one.session->number() == number; });
      if (found == commanded_.end() || !found->session->running()) return;
      std::shared_ptr<ProfileSession> session = found->session;
      name_living_threads(session.get(), env);
      stop_session(static_cast<size_t>(found - commanded_.begin()), env);
      if (has_output(session->options())) answer = write(session, session->options(), env);
    }
    give(answer, "");
  } catch (const std::exception& error) {
    log_.error(error.what());
  }
}

}  // namespace hearth::session
