// Texts that answer commands, and where they go. Thread safe; outside signals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "commands/answer.h"
#include "options/options.h"
#include "profile/formats/formats.h"
#include "session/profile_session.h"

namespace hearth::commands {

// Writes the launcher's file, which exists, is ours and is no link: a word on a line (ok before a product, "said"
// before a message, error), then the text. Throws Error.
void write_reply_file(const std::string& path, std::string_view word, const std::string& text);

// Shows a product on standard output, and a message in the log.
void show_answer(const Answer& answer, Log* log);
// Writes the answer to the launcher's file; without one (`reply` is "") as show_answer(). Throws Error.
void deliver(const Answer& answer, const std::string& reply, Log* log);
// Reports an error once, to the launcher where there is one, else in the log.
void deliver_error(const std::string& why, const std::string& reply, Log* log);

// The formats that a command names, else those of the file's name.
std::vector<profile::Format> formats_of(const options::Options& options);
bool has_output(const options::Options& options);

std::string start_text(const session::ProfileSession& session);

// A value of event=, with its meaning.
struct ListedEvent {
  std::string_view name;
  std::string_view about;
};
// The events, with the engines of CPU time among them.
std::vector<ListedEvent> listed_events();
// The counters that this machine has.
std::vector<ListedEvent> listed_counters();

// The events as text for people.
std::string event_list();

}  // namespace hearth::commands
