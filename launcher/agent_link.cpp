#include "agent_link.h"

#include "base/error.h"
#include "base/formatted.h"
#include "hotspot_attach.h"
#include "reply_file.h"

namespace hearth::launcher {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

[[noreturn]] void fail_to_load(const Jvm& jvm, const std::string& library, const std::string& jvm_says) {
  if (has(jvm_says, "Dynamic agent loading is not enabled"))
    throw Error(
        formatted("process {} accepts no agents (-XX:-EnableDynamicAgentLoading)", jvm.process.pid),
        formatted("restart it without that option, or with -agentpath:{}=start,event=cpu,file=profile.html", library));
  std::string remedy = "name a libhearth.so that this process can load with --libpath";
  if (has(jvm_says, "failed to map segment") || has(jvm_says, "Operation not permitted"))
    remedy = "its file system does not allow programs: put libhearth.so on one that does and name it with --libpath";
  if (has(jvm_says, "GLIBC_")) remedy = "its C library is older than the one hearth was built with: build hearth there";
  if (has(jvm_says, "ld-musl") || has(jvm_says, "symbol not found")) remedy = "hearth needs a system with glibc";
  throw Error(formatted("process {} could not load {}: {}", jvm.process.pid, library, one_line(jvm_says)), remedy);
}

}  // namespace

AgentReply parse_agent_reply(std::string content) {
  AgentReply reply;
  size_t end = content.find('\n');
  std::string first = content.substr(0, end);
  reply.ok = first == "ok";
  reply.understood = reply.ok || first == "error";
  if (end != std::string::npos) reply.text = content.erase(0, end + 1);
  return reply;
}

std::string AgentLink::command(const std::string& options) const {
  ReplyFile file(jvm_.process);
  LoadReply load = load_library(jvm_, library_, formatted("{},reply={}", options, file.path()));
  if (!load.return_code) fail_to_load(jvm_, library_, load.text);
  AgentReply reply = parse_agent_reply(file.content());
  if (!reply.understood)
    throw Error(
        formatted("the hearth in process {} did not answer (return code {})", jvm_.process.pid, *load.return_code),
        "it may be of another version: restart the process");
  if (!reply.ok) throw Error(one_line(reply.text));
  return reply.text;
}

}  // namespace hearth::launcher
