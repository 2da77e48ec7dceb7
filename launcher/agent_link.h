// A line to the agent inside one JVM: say a command, get its answer. Each command loads the library again, which is how
// HotSpot's attach calls an agent that is loaded already.
#pragma once

#include <string>

#include "jvm.h"

namespace hearth::launcher {

// What the agent's answer file says: a first line `ok`, `said` or `error`, then the text.
struct AgentReply {
  bool understood = false;  // false: the agent wrote nothing of the kind
  bool ok = false;
  bool is_message = false;  // `said`: the text is for a person, not what was asked to be made
  std::string text;
};
AgentReply parse_agent_reply(std::string content);

class AgentLink {
 public:
  // `library` is the path of libhearth.so as the JVM sees it.
  AgentLink(Jvm jvm, std::string library) : jvm_(std::move(jvm)), library_(std::move(library)) {}

  // The agent's answer to `options`, which is well. Throws Error with the agent's own words when it refuses, and with
  // the JVM's when the library cannot be loaded.
  AgentReply command(const std::string& options) const;

  const Jvm& jvm() const { return jvm_; }

 private:
  Jvm jvm_;
  std::string library_;
};

}  // namespace hearth::launcher
