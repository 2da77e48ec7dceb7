// A line to the agent inside one JVM: say a command, get its answer. Each command loads the library again, which is how
// HotSpot's attach calls an agent that is loaded already.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "launcher/attach/jvm.h"
#include "launcher/attach/reply_file.h"

namespace hearth::launcher {

// What the agent's answer file says: a first line `ok`, `said` or `error`, then the text.
struct AgentReply {
  bool understood = false;  // false: the agent wrote nothing of the kind
  bool ok = false;
  bool is_message = false;  // `said`: the text is for a person, not what was asked to be made
  std::string text;
};
AgentReply parse_agent_reply(std::string content);

// What a command that asks for a profile gets.
struct AgentProfile {
  std::string message;                     // for a person, where the agent wrote a file
  std::function<std::string_view()> next;  // else the profile, a piece after the other, empty at the end
};

class AgentLink {
 public:
  // `library` is the path of libhearth.so as the JVM sees it; `patience` is for each answer.
  AgentLink(Jvm jvm, std::string library, std::chrono::milliseconds patience)
      : jvm_(std::move(jvm)), library_(std::move(library)), patience_(patience) {}

  // The agent's answer to `options`: text. Throws Error with the agent's own words when it refuses, and with the JVM's
  // when the library cannot be loaded, and when the answer takes too long or is too long.
  std::string command(const std::string& options) const;
  // The same for one that is a profile.
  AgentProfile profile(const std::string& options) const;

  const Jvm& jvm() const { return jvm_; }

 private:
  // The first piece of the answer, judged; the others follow in `pieces`.
  AgentReply first_part(const std::string& options, size_t most, std::shared_ptr<ReplyPieces>* pieces) const;

  Jvm jvm_;
  std::string library_;
  std::chrono::milliseconds patience_;
};

}  // namespace hearth::launcher
