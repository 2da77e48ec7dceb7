#include "commands/command_replies.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/owned.h"
#include "base/text_parts.h"
#include "events/cpu/perf_counter.h"
#include "options/event_table.h"
#include "profile/formats/amount_text.h"

namespace hearth::commands {

void write_reply_file(const std::string& path, std::string_view word, const std::string& text) {
  UniqueFd file(open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (!file || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid())
    throw Error(formatted("option reply: {} is not a file of this user", path));
  std::string content = formatted("{}\n{}", word, text);
  std::string_view rest = content;
  while (!rest.empty()) {
    ssize_t written = write(file.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw Error(formatted("cannot write {}: {}", path, std::strerror(errno)));
    rest.remove_prefix(static_cast<size_t>(written));
  }
}

void show_answer(const Answer& answer, Log* log) {
  if (answer.is_product)
    return replace_file("/dev/stdout", answer.text);  // stdio would wait endlessly without a reader
  for (std::string_view line : parts_of(answer.text, '\n')) log->info(std::string(line));
}

void deliver(const Answer& answer, const std::string& reply, Log* log) {
  if (reply.empty()) return show_answer(answer, log);
  if (answer.is_product) return write_reply_file(reply, "ok", answer.text);
  write_reply_file(reply, "said", answer.text + "\n" + answer.secret);
}

void deliver_error(const std::string& why, const std::string& reply, Log* log) {
  try {
    if (!reply.empty()) return write_reply_file(reply, "error", why);
  } catch (const std::exception& error) {
    log->error(error.what());
  }
  log->error(why);
}

std::vector<profile::Format> formats_of(const options::Options& options) {
  if (!options.formats.empty()) return options.formats;
  std::optional<profile::Format> format = profile::format_of_output(options.file);
  if (format) return {*format};
  // Text, as in async-profiler.
  return {profile::Format::kTraces, profile::Format::kFlat};
}

bool has_output(const options::Options& options) {
  return !options.file.empty() || !options.formats.empty();
}

std::string start_text(const session::ProfileSession& session) {
  const options::Options& options = session.options();
  std::vector<std::string> events;
  for (const options::EventRow& row : options::event_rows()) {
    std::optional<int64_t> interval = options::interval_of(options, row.event);
    if (!interval) continue;
    bool has_live = options.live && row.event == options::Event::kAlloc;
    std::string often = *interval == 0 ? std::string(row.of_all)
                                       : formatted("{}{}{}", row.before_interval,
                                                   profile::interval_text(*interval, row.unit), row.after_interval);
    events.push_back(formatted("{}{}{}", row.name, has_live ? " and live" : "", often));
  }
  for (const options::CounterEvent& counter : options.counters)
    events.push_back(formatted("{} every {}", counter.name, counter.interval));
  std::string text = formatted("Profiling started: {}, engine {}", joined(events, " and "), session.sources().engine());
  if (options.timeout_ns > 0) text += formatted(", for {} s", options.timeout_ns / 1'000'000'000);
  return text;
}

std::vector<ListedEvent> listed_events() {
  constexpr ListedEvent kEngines[] = {{"cpu-clock", "CPU time by perf_events only"},
                                      {"ctimer", "CPU time by thread timers"},
                                      {"itimer", "CPU time by one process timer"}};
  std::vector<ListedEvent> events;
  for (const options::EventRow& row : options::event_rows()) {
    events.push_back({row.name, row.words});
    if (row.event == options::Event::kCpu) events.insert(events.end(), std::begin(kEngines), std::end(kEngines));
  }
  return events;
}

std::vector<ListedEvent> listed_counters() {
  std::vector<ListedEvent> events;
  for (const options::CounterRow* row : events::counters_here()) events.push_back({row->name, row->words});
  return events;
}

std::string event_list() {
  std::string text = "Basic events:\n";
  for (const ListedEvent& event : listed_events()) text += formatted("  {:<16} {}\n", event.name, event.about);
  text += "Counters and probes, by perf_events:\n";
  for (const ListedEvent& event : listed_counters()) text += formatted("  {:<26} {}\n", event.name, event.about);
  for (const options::CounterShape& shape : options::kCounterShapes)
    text += formatted("  {:<26} {}\n", shape.name, shape.words);
  return text;
}

}  // namespace hearth::commands
