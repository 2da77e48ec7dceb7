#include "http/routes/sessions.h"

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "commands/sessions/session_choice.h"
#include "options/options.h"

namespace hearth::http {
namespace {

std::string with(const std::string& action, const std::string& options) {
  return options.empty() ? action : action + "," + options;
}

// Those words of options that are wanted.
template <typename Wanted>
std::string part_of(const std::string& options, const Wanted& is_wanted) {
  std::string part;
  std::istringstream words(options);
  for (std::string word; std::getline(words, word, ',');) {
    if (is_wanted(word.substr(0, word.find('=')))) part += (part.empty() ? "" : ",") + word;
  }
  return part;
}

// Of options those that shape the output.
std::string output_part(const std::string& options) {
  std::vector<options::OptionHelp> known = options::known_options();
  return part_of(options, [&](const std::string& key) {
    return std::any_of(known.begin(), known.end(),
                       [&](const auto& option) { return option.shapes_output && option.name == key; });
  });
}

std::string joined_options(const std::string& one, const std::string& other) {
  return one + (one.empty() || other.empty() ? "" : ",") + other;
}

std::string about(const std::string& action, uint64_t number) {
  return formatted("{},session={}", action, number);
}

void check(const std::string& command) {
  try {
    options::parse_options(command);
  } catch (const Error& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

std::string describe_session(const commands::SessionFigures& session) {
  return formatted("{}, engine {}, since {:.1f} s", session.event, session.quality.engine,
                   static_cast<double>(session.duration_ns) / 1e9);
}

}  // namespace

void Sessions::throw_conflict(const Error& why) {
  Refusal refusal(409, "conflict", why.what());
  const auto* in_the_way = dynamic_cast<const commands::SessionConflict*>(&why);
  if (in_the_way == nullptr) throw refusal;
  refusal.code = "session_running";
  for (const commands::SessionFigures& session : target_->figures()) {
    if (session.number != in_the_way->number()) continue;
    refusal.hint = formatted(R"(POST /api/stop with {{"session": {}}} stops it)", session.number);
    refusal.running = describe_session(session);
  }
  throw refusal;
}

// What is wrong with a command that was fit to be parsed is the state of things, not the request.
Target::Answer Sessions::execute(const std::string& command) {
  check(command);
  try {
    return target_->execute(command);
  } catch (const profile::FormatError& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

std::string Sessions::changed(const std::string& action, const std::string& options) {
  Chosen session = choose(action, options, true);
  std::string events = part_of(options, [](const std::string& key) { return key != "session"; });
  try {
    return execute(with(about(action, session.number), events)).text;
  } catch (const Error& error) {
    throw_conflict(error);
  }
}

std::string Sessions::pause(const std::string& options) {
  return changed("pause", options);
}

std::string Sessions::resume(const std::string& options) {
  return changed("resume", options);
}

Sessions::Started Sessions::start_with(const std::string& options, const std::string& output) {
  std::string command = with("start", options);
  check(with(command, output));
  Started started;
  try {
    Target::Answer answer = execute(with(command, output));
    started.message = answer.text;
    started.number = answer.session;
  } catch (const FileError&) {
    throw;
  } catch (const Error& error) {
    throw_conflict(error);
  }
  return started;
}

Sessions::Started Sessions::start(const std::string& options) {
  std::string id = store_->new_id();
  Started started = start_with(options, "pprof,file=" + store_->place_for(id));
  started.id = id;
  std::lock_guard<std::mutex> lock(mutex_);
  forget_old();
  pending_[started.number] = {id, output_part(options)};
  return started;
}

// What the agent keeps no longer.
void Sessions::forget_old() {
  std::vector<commands::SessionFigures> kept = target_->figures();
  for (auto* profiles : {&pending_, &stored_}) {
    for (auto one = profiles->begin(); one != profiles->end();) {
      bool is_kept = std::any_of(kept.begin(), kept.end(), [&](const auto& has) { return has.number == one->first; });
      one = is_kept ? std::next(one) : profiles->erase(one);
    }
  }
}

Sessions::Chosen Sessions::choose(const std::string& action, const std::string& options, bool has_to_run) {
  check(with(action, options));
  std::vector<commands::SessionFigures> all = target_->figures();
  if (all.empty()) throw Refusal(409, "no_session", "nothing was profiled yet", "POST /api/start starts a session");
  bool any_runs = std::any_of(all.begin(), all.end(), [](const auto& one) { return one.running; });
  if (has_to_run && !any_runs)
    throw Refusal(409, "no_session", "no session is running", "POST /api/dump gives the profile of the last one");
  Chosen session;
  try {
    std::optional<commands::SessionFigures> meant = target_->figures_of(with(action, options));
    if (!meant) throw Error("no session is running", "try again");
    session = {meant->number, meant->running, ""};
  } catch (const Error& error) {
    throw Refusal(409, any_runs ? "which_session" : "no_session", error.what());
  }
  if (has_to_run && !session.running)
    throw Refusal(409, "no_session", "that session has ended", "POST /api/dump gives its profile");
  std::lock_guard<std::mutex> lock(mutex_);
  session.output = part_of(options, [](const std::string& key) { return key != "session"; });
  auto pending = pending_.find(session.number);
  if (output_part(options).empty() && pending != pending_.end())
    session.output = joined_options(session.output, pending->second.output);
  return session;
}

// A session that has ended by itself has written its profile.
std::string Sessions::end_id(uint64_t number) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::string id;
  if (auto pending = pending_.find(number); pending != pending_.end()) id.swap(pending->second.id);
  return id.empty() || store_->has(id) ? store_->new_id() : id;
}

// What cannot be written stays where it is.
void Sessions::store(const std::string& command, const std::string& id, const std::string& options) {
  try {
    execute(with(command + ",pprof,file=" + store_->place_for(id), options));
  } catch (const FileError& error) {
    throw Refusal(error.is_full_disk() ? 507 : 500, error.is_full_disk() ? "disk_full" : "not_stored", error.what(),
                  "nothing is lost: POST /api/dump stores it later, or sends it with \"format\"");
  }
  store_->stored(id);
}

// Of a session that has ended and was stored so; else "".
std::string Sessions::stored_before(const Chosen& session) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto stored = stored_.find(session.number);
  bool is_same = !session.running && stored != stored_.end() && stored->second.output == session.output;
  return is_same && store_->has(stored->second.id) ? stored->second.id : "";
}

std::string Sessions::stop(const std::string& options) {
  Chosen session = choose("stop", options, true);
  std::string id = end_id(session.number);
  store(about("stop", session.number), id, session.output);
  std::lock_guard<std::mutex> lock(mutex_);
  stored_[session.number] = {id, session.output};
  return id;
}

std::string Sessions::dump(const std::string& options) {
  Chosen session = choose("dump", options, false);
  if (std::string id = stored_before(session); !id.empty()) return id;
  std::string id = store_->new_id();
  store(about("dump", session.number), id, session.output);
  return id;
}

std::string Sessions::stop_as(const std::string& format, const std::string& options) {
  Chosen session = choose("stop", options, true);
  return execute(with(about("stop", session.number) + "," + format, session.output)).text;
}

std::string Sessions::dump_as(const std::string& format, const std::string& options) {
  Chosen session = choose("dump", options, false);
  return execute(with(about("dump", session.number) + "," + format, session.output)).text;
}

std::string Sessions::live_as(const std::string& format, const std::string& options) {
  Chosen session = choose("dump", options, true);
  return execute(with(about("dump", session.number) + "," + format, session.output)).text;
}

// The session is stopped where nobody waits for it any more.
void Sessions::wait_for_end(uint64_t number, CancellationToken::Clock::duration time, CancellationToken* cancellation) {
  bool is_cancelled = cancellation->wait_until(CancellationToken::Clock::now() + time);
  std::vector<commands::SessionFigures> all = target_->figures();
  bool runs = std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.running && one.number == number; });
  if (!runs) throw Refusal(409, "no_session", "somebody else stopped the session that was to be profiled", "try again");
  if (!is_cancelled) return;
  target_->execute(about("stop", number));
  throw Refusal(503, "interrupted", "the server stops, or the client has gone");
}

// By a name of its own it runs beside whatever samples the same.
std::string Sessions::named(const std::string& options) {
  std::string name = part_of(options, [](const std::string& key) { return key == "session"; });
  return name.empty() ? joined_options(formatted("session=.http-{}", ++profiles_), options) : options;
}

std::string Sessions::profile_as(const std::string& format, const std::string& options,
                                 CancellationToken::Clock::duration time, CancellationToken* cancellation) {
  Started started = start_with(named(options), "");
  wait_for_end(started.number, time, cancellation);
  return execute(with(about("stop", started.number) + "," + format, output_part(options))).text;
}

std::string Sessions::profile(const std::string& options, CancellationToken::Clock::duration time,
                              CancellationToken* cancellation) {
  Started started = start(named(options));
  wait_for_end(started.number, time, cancellation);
  return stop(formatted("session={}", started.number));
}

}  // namespace hearth::http
