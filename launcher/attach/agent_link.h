// Sends commands to the agent in one JVM and receives its replies. Each command loads the library again, which is how
// HotSpot's attach calls an agent that is already loaded.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "launcher/attach/agent_library.h"
#include "launcher/attach/jvm.h"
#include "launcher/attach/reply_file.h"

namespace hearth::launcher {

// Content of the agent's reply file: a first line `ok`, `said` or `error`, then the text.
struct AgentReply {
  bool understood = false;  // false: the agent wrote nothing of the kind
  bool ok = false;
  bool is_message = false;  // `said`: the text is a message for a person, not requested output
  std::string text;
};
AgentReply parse_agent_reply(std::string content);

// Reply to a command that requests a profile.
struct AgentProfile {
  std::string message;                     // for a person, if the agent wrote a file
  std::function<std::string_view()> next;  // else the profile in pieces, empty at the end
};

class AgentLink {
 public:
  // `patience` applies to each reply.
  AgentLink(Jvm jvm, PlacedLibrary library, std::chrono::milliseconds patience)
      : jvm_(std::move(jvm)), library_(std::move(library)), patience_(patience) {}

  // The agent's reply to `options`, a text. Throws Error with the agent's own text if it refuses, with the JVM's if the
  // library cannot be loaded, and if the reply takes too long or is too long.
  std::string command(const std::string& options) const;
  // As command(), for a reply that is a profile.
  AgentProfile profile(const std::string& options) const;

  const Jvm& jvm() const { return jvm_; }

 private:
  // The first piece of the reply, parsed; the others follow in `pieces`.
  AgentReply first_part(const std::string& options, size_t most, std::shared_ptr<ReplyPieces>* pieces) const;

  Jvm jvm_;
  PlacedLibrary library_;
  std::chrono::milliseconds patience_;
};

}  // namespace hearth::launcher
