#include "http/sessions.h"

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "session/options.h"

namespace hearth::http {
namespace {

std::string with(const std::string& action, const std::string& options) {
  return options.empty() ? action : action + "," + options;
}

// Of options those that shape the output.
std::string output_part(const std::string& options) {
  std::string part;
  std::vector<session::OptionHelp> known = session::known_options();
  std::istringstream words(options);
  for (std::string word; std::getline(words, word, ',');) {
    std::string key = word.substr(0, word.find('='));
    bool shapes = std::any_of(known.begin(), known.end(),
                              [&](const auto& option) { return option.shapes_output && option.name == key; });
    if (shapes) part += (part.empty() ? "" : ",") + word;
  }
  return part;
}

void check(const std::string& command) {
  try {
    session::parse_options(command);
  } catch (const Error& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

std::string what_runs(const session::SessionFigures& session) {
  return formatted("{}, engine {}, since {:.1f} s", session.event, session.quality.engine,
                   static_cast<double>(session.duration_ns) / 1e9);
}

}  // namespace

void Sessions::refuse_now(const std::string& why) {
  Refusal refusal(409, "conflict", why);
  auto session = target_->figures();
  if (session && session->running) {
    refusal.code = "session_running";
    refusal.hint = "POST /api/stop stops it";
    refusal.running = what_runs(*session);
  }
  throw refusal;
}

// What is wrong with a command that was fit to be parsed is the state of things, not the request.
std::string Sessions::execute(const std::string& command) {
  check(command);
  try {
    return target_->execute(command).text;
  } catch (const profile::FormatError& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

Sessions::Started Sessions::start_with(const std::string& options, const std::string& output) {
  std::string command = with("start", options);
  check(with(command, output));
  Started started;
  try {
    started.message = execute(with(command, output));
  } catch (const FileError&) {
    throw;
  } catch (const Error& error) {
    refuse_now(error.what());
  }
  if (auto session = target_->figures()) started.number = session->number;
  return started;
}

Sessions::Started Sessions::start(const std::string& options) {
  std::string id = store_->new_id();
  Started started = start_with(options, "pprof,file=" + store_->place_for(id));
  started.id = id;
  std::lock_guard<std::mutex> lock(mutex_);
  promise_ = {started.number, id, output_part(options)};
  return started;
}

std::string Sessions::output_options(const std::string& options, bool has_to_run) {
  auto session = target_->figures();
  if (!session) throw Refusal(409, "no_session", "nothing was profiled yet", "POST /api/start starts a session");
  if (has_to_run && !session->running)
    throw Refusal(409, "no_session", "no session is running", "POST /api/dump gives the profile of the last one");
  std::lock_guard<std::mutex> lock(mutex_);
  return options.empty() && promise_.session == session->number ? promise_.output : options;
}

// A session that has ended by itself has written its profile.
std::string Sessions::end_id() {
  auto session = target_->figures();
  std::lock_guard<std::mutex> lock(mutex_);
  std::string id;
  if (session && session->number == promise_.session) id.swap(promise_.id);
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

// Of the session that there is, if it has ended and was stored so; else "".
std::string Sessions::stored_before(const std::string& output) {
  auto session = target_->figures();
  std::lock_guard<std::mutex> lock(mutex_);
  bool is_same = session && !session->running && stored_.session == session->number && stored_.output == output;
  return is_same && store_->has(stored_.id) ? stored_.id : "";
}

void Sessions::note_stored(const std::string& id, const std::string& output) {
  auto session = target_->figures();
  std::lock_guard<std::mutex> lock(mutex_);
  if (session && !session->running) stored_ = {session->number, id, output};
}

std::string Sessions::stop(const std::string& options) {
  std::string output = output_options(options, true);
  std::string id = end_id();
  store("stop", id, output);
  note_stored(id, output);
  return id;
}

std::string Sessions::dump(const std::string& options) {
  std::string output = output_options(options, false);
  if (std::string id = stored_before(output); !id.empty()) return id;
  std::string id = store_->new_id();
  store("dump", id, output);
  return id;
}

std::string Sessions::stop_as(const std::string& format, const std::string& options) {
  return execute(with("stop," + format, output_options(options, true)));
}

std::string Sessions::dump_as(const std::string& format, const std::string& options) {
  return execute(with("dump," + format, output_options(options, false)));
}

std::string Sessions::live_as(const std::string& format, const std::string& options) {
  return execute(with("dump," + format, output_options(options, true)));
}

// The session is stopped where nobody waits for it any more.
void Sessions::wait_for_end(uint64_t number, Interruption::Clock::duration time, Interruption* interruption) {
  bool is_interrupted = interruption->wait_until(Interruption::Clock::now() + time);
  auto session = target_->figures();
  if (!session || !session->running || session->number != number)
    throw Refusal(409, "no_session", "somebody else stopped the session that was to be profiled", "try again");
  if (!is_interrupted) return;
  target_->execute("stop");
  throw Refusal(503, "interrupted", "the server stops, or the client has gone");
}

std::string Sessions::profile_as(const std::string& format, const std::string& options,
                                 Interruption::Clock::duration time, Interruption* interruption) {
  Started started = start_with(options, "");
  wait_for_end(started.number, time, interruption);
  return execute(with("stop," + format, output_part(options)));
}

std::string Sessions::profile(const std::string& options, Interruption::Clock::duration time,
                              Interruption* interruption) {
  Started started = start(options);
  wait_for_end(started.number, time, interruption);
  return stop("");
}

}  // namespace hearth::http
