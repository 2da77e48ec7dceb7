#include "http/routes/sessions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/files.h"
#include "base/formatted.h"
#include "commands/sessions/session_choice.h"

namespace hearth::http {
namespace {

using options::Action;

const auto kAtOnce = [] {};

std::string describe_session(const commands::SessionFigures& session) {
  return formatted("{}, engine {}, since {:.1f} s", session.event, session.quality.engine,
                   static_cast<double>(session.duration_ns) / 1e9);
}

// The settings with a wanted name.
template <typename IsWanted>
std::vector<options::OptionSetting> part_of(const std::vector<options::OptionSetting>& settings,
                                            const IsWanted& is_wanted) {
  std::vector<options::OptionSetting> part;
  std::copy_if(settings.begin(), settings.end(), std::back_inserter(part),
               [&](const options::OptionSetting& one) { return is_wanted(one.name); });
  return part;
}

bool shapes_output(const std::string& name) {
  const options::OptionRow* row = options::option_named(name);
  return row != nullptr && row->shapes_output();
}

bool is_no_session(const std::string& name) {
  return name != "session";
}

}  // namespace

void Sessions::throw_conflict(const Error& why) {
  Refusal refusal(409, "conflict", why.what());
  const auto* conflict = dynamic_cast<const commands::SessionConflict*>(&why);
  if (conflict == nullptr) throw refusal;
  refusal.code = "session_running";
  for (const commands::SessionFigures& session : profiler_->figures()) {
    if (session.number != conflict->number()) continue;
    refusal.hint = formatted(R"(POST /api/stop with {{"session": {}}} stops it)", session.number);
    refusal.running = describe_session(session);
  }
  throw refusal;
}

std::string Sessions::pause(const RequestOptions& request) {
  return change(request);
}

std::string Sessions::resume(const RequestOptions& request) {
  return change(request);
}

std::string Sessions::change(const RequestOptions& request) {
  options::Options command = request.options;
  command.session = std::to_string(choose(request, true).number);
  try {
    return profiler_->run(command).message;
  } catch (const Error& error) {
    throw_conflict(error);
  }
}

Sessions::Started Sessions::run_start(const options::Options& command) {
  try {
    commands::ProfilerApi::Outcome outcome = profiler_->run(command);
    return {std::move(outcome.message), "", outcome.session};
  } catch (const FileError&) {
    throw;
  } catch (const Error& error) {
    throw_conflict(error);
  }
}

Sessions::Started Sessions::start(const RequestOptions& request) {
  std::string id = store_->new_id();
  options::Options command = request.options;
  command.file = store_->place_for(id);
  command.formats = {profile::Format::kPprof};
  command.has_output_option = true;
  Started started = run_start(command);
  started.id = id;
  std::lock_guard<std::mutex> lock(mutex_);
  forget_old();
  pending_[started.number] = {id, {request.options, part_of(request.given, shapes_output)}};
  return started;
}

// Forgets sessions after the agent dropped their profiles.
void Sessions::forget_old() {
  std::vector<commands::SessionFigures> kept = profiler_->figures();
  auto forget = [&kept](auto* profiles) {
    for (auto one = profiles->begin(); one != profiles->end();) {
      bool is_kept = std::any_of(kept.begin(), kept.end(), [&](const auto& has) { return has.number == one->first; });
      one = is_kept ? std::next(one) : profiles->erase(one);
    }
  };
  forget(&pending_);
  forget(&stored_);
}

Sessions::Chosen Sessions::choose(const RequestOptions& request, bool has_to_run) {
  std::vector<commands::SessionFigures> all = profiler_->figures();
  if (all.empty()) throw Refusal(409, "no_session", "nothing was profiled yet", "POST /api/start starts a session");
  bool any_runs = std::any_of(all.begin(), all.end(), [](const auto& one) { return one.running; });
  if (has_to_run && !any_runs)
    throw Refusal(409, "no_session", "no session is running", "POST /api/dump gives the profile of the last one");
  Chosen session;
  try {
    std::optional<commands::SessionFigures> meant = profiler_->figures_of(request.options);
    if (!meant) throw Error("no session is running", "try again");
    session = {meant->number, meant->running, {request.options, part_of(request.given, is_no_session)}};
  } catch (const Error& error) {
    throw Refusal(409, any_runs ? "which_session" : "no_session", error.what());
  }
  if (has_to_run && !session.running)
    throw Refusal(409, "no_session", "that session has ended", "POST /api/dump gives its profile");
  std::lock_guard<std::mutex> lock(mutex_);
  auto pending = pending_.find(session.number);
  if (!request.options.has_output_option && pending != pending_.end()) {
    const Output& start = pending->second.output;
    session.output.options = start.options;
    session.output.options.raw = request.options.raw;
    session.output.options.write.event = request.options.write.event;
    session.output.settings.insert(session.output.settings.end(), start.settings.begin(), start.settings.end());
  }
  return session;
}

// A session that has ended by itself has written its profile.
std::string Sessions::end_id(uint64_t number) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::string id;
  if (auto pending = pending_.find(number); pending != pending_.end()) id.swap(pending->second.id);
  return id.empty() || store_->has(id) ? store_->new_id() : id;
}

Sessions::SessionProfile Sessions::take(Chosen session, Action action, const BeforeModel& before_model) {
  options::Options& command = session.output.options;
  command.action = action;
  command.session = std::to_string(session.number);
  command.has_output_option = true;  // or the agent would take the output of the session's start
  try {
    return {profiler_->profile(command, before_model), command.write};
  } catch (const profile::FormatError& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

// A file that cannot be written leaves the profile in the session.
Sessions::SessionProfile Sessions::store(Chosen session, Action action, const std::string& id,
                                         const BeforeModel& before_model) {
  session.output.options.file = store_->place_for(id);
  session.output.options.formats = {profile::Format::kPprof};
  SessionProfile made;
  try {
    made = take(std::move(session), action, before_model);
  } catch (const FileError& error) {
    throw Refusal(error.is_full_disk() ? 507 : 500, error.is_full_disk() ? "disk_full" : "not_stored", error.what(),
                  "nothing is lost: POST /api/dump stores it later, or sends it with \"format\"");
  }
  store_->stored(id);
  made.id = id;
  return made;
}

// Returns the id of a session that has ended and was stored with this output, else "".
std::string Sessions::stored_before(const Chosen& session) {
  auto same = [](const options::OptionSetting& one, const options::OptionSetting& other) {
    return one.name == other.name && one.value == other.value;
  };
  const Settings& wanted = session.output.settings;
  std::lock_guard<std::mutex> lock(mutex_);
  auto stored = stored_.find(session.number);
  if (session.running || stored == stored_.end()) return "";
  const auto& [id, settings] = stored->second;
  bool is_same = std::equal(settings.begin(), settings.end(), wanted.begin(), wanted.end(), same);
  return is_same && store_->has(id) ? id : "";
}

Sessions::SessionProfile Sessions::stop(const Chosen& session, Keep keep, const BeforeModel& before_model) {
  if (keep == Keep::kNowhere) return take(session, Action::kStop, before_model);
  std::string id = end_id(session.number);
  SessionProfile made = store(session, Action::kStop, id, kAtOnce);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stored_[session.number] = {id, session.output.settings};
  }
  before_model();  // after the file is written: a wait in vain loses nothing then
  return made;
}

Sessions::SessionProfile Sessions::stop(const RequestOptions& request, Keep keep) {
  return stop(choose(request, true), keep, kAtOnce);
}

Sessions::SessionProfile Sessions::dump(const RequestOptions& request, Keep keep) {
  Chosen session = choose(request, false);
  if (keep == Keep::kNowhere) return take(std::move(session), Action::kDump, kAtOnce);
  if (std::string id = stored_before(session); !id.empty()) return {nullptr, session.output.options.write, id};
  return store(std::move(session), Action::kDump, store_->new_id(), kAtOnce);
}

Sessions::SessionProfile Sessions::live(const RequestOptions& request) {
  return take(choose(request, true), Action::kDump, kAtOnce);
}

// Stops the session of a request that nobody waits for.
void Sessions::wait_for_end(uint64_t number, Duration time, CancellationToken* cancellation) {
  bool is_cancelled = cancellation->wait_until(CancellationToken::Clock::now() + time);
  std::vector<commands::SessionFigures> all = profiler_->figures();
  bool runs = std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.running && one.number == number; });
  if (!runs) throw Refusal(409, "no_session", "another client stopped the session of this request", "try again");
  if (!is_cancelled) return;
  options::Options command;  // names no output: that of the session's start is used
  command.action = Action::kStop;
  command.session = std::to_string(number);
  profiler_->profile(command, kAtOnce);
  throw Refusal(503, "interrupted", "the server stops, or the client has gone");
}

// A private name lets the session run in addition to others that sample the same.
Sessions::SessionProfile Sessions::profile(const RequestOptions& request, Keep keep, Duration time,
                                           CancellationToken* cancellation, const BeforeModel& before_model) {
  RequestOptions named = request;
  if (named.options.session.empty()) named.options.session = formatted(".http-{}", ++profiles_);
  Started started = keep == Keep::kInStore ? start(named) : run_start(named.options);
  wait_for_end(started.number, time, cancellation);
  Output output = {request.options, part_of(request.given, shapes_output)};
  output.options.write.event.clear();  // the session's own
  return stop(Chosen{started.number, true, output}, keep, before_model);
}

}  // namespace hearth::http
