#include "launcher/attach/agent_link.h"

#include <chrono>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "launcher/attach/hotspot_attach.h"
#include "profile/codec/utf8.h"

namespace hearth::launcher {
namespace {

constexpr size_t kMostText = size_t{16} << 20, kMostProfile = size_t{1} << 30;
constexpr std::chrono::seconds kPatience{60};
constexpr std::chrono::milliseconds kPause{20};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Text of the process as a part of one line of a message.
std::string one_line(std::string text) {
  constexpr size_t kMost = 2000;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (text.size() > kMost) text.resize(kMost);
  return profile::shown_text(text);
}

// Replaces PID: in a container the agent knows the process by another pid and prints PID.
std::string with_pid(std::string text, pid_t pid) {
  constexpr std::string_view kWord = " PID";
  size_t at = text.size() < kWord.size() ? std::string::npos : text.rfind(kWord);
  return at == std::string::npos || at + kWord.size() != text.size()
             ? text
             : text.replace(at + 1, kWord.size() - 1, std::to_string(pid));
}

// For the reason of the system's dlopen, which the JVM repeats, or of the JVM itself.
std::string remedy_for_dlopen(const std::string& reason) {
  if (has(reason, "failed to map segment") || has(reason, "Operation not permitted"))
    return "its file system does not allow programs: put libhearth.so on one that does and name it with --libpath";
  // In the words of glibc and of HotSpot.
  if (has(reason, "wrong ELF class") || has(reason, "Possible cause: "))
    return "name a libhearth.so for that processor with --libpath";
  constexpr const char* kRelease =
      "use the libhearth.so of a hearth release (glibc 2.17 or newer, musl), or build hearth there";
  if (has(reason, "GLIBC_")) return formatted("its glibc is older than the one this file was built with: {}", kRelease);
  // In the words of musl, for a library that needs files and functions of glibc.
  if (has(reason, "ld-linux") || has(reason, "Error relocating") || has(reason, "symbol not found"))
    return formatted("this file was built for glibc and that system has musl: {}", kRelease);
  return "name a libhearth.so that this process can load with --libpath";
}

[[noreturn]] void fail_to_load(const Jvm& jvm, const std::string& library, const std::string& jvm_says) {
  if (has(jvm_says, "Dynamic agent loading is not enabled"))
    throw Error(
        formatted("process {} accepts no agents (-XX:-EnableDynamicAgentLoading)", jvm.process.pid),
        formatted("restart it without that option, or with -agentpath:{}=start,event=cpu,file=profile.html", library));
  throw Error(formatted("process {} could not load {}: {}", jvm.process.pid, library, one_line(jvm_says)),
              remedy_for_dlopen(jvm_says));
}

// HotSpot opens its attach socket before it accepts agents: JDK 21 and newer refuse, in older ones the agent's entry
// does.
bool is_starting(const LoadReply& load) {
  constexpr int kDetached = -2;  // JNI_EDETACHED, see agent/entry
  return load.return_code == kDetached || has(load.text, "only permitted in the live phase");
}

LoadReply load_when_ready(const Jvm& jvm, const std::string& library, const std::string& options,
                          std::chrono::milliseconds patience) {
  auto end = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    LoadReply load = load_library(jvm, library, options, patience);
    if (!is_starting(load) || std::chrono::steady_clock::now() >= end) return load;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

AgentReply parse_agent_reply(std::string content) {
  AgentReply reply;
  size_t end = content.find('\n');
  std::string first = content.substr(0, end);
  reply.is_message = first == "said";
  reply.ok = first == "ok" || reply.is_message;
  reply.understood = reply.ok || first == "error";
  if (end != std::string::npos) reply.text = std::move(content.erase(0, end + 1));
  return reply;
}

AgentReply AgentLink::first_part(const std::string& options, size_t most, std::shared_ptr<ReplyPieces>* pieces) const {
  ReplyFile file(jvm_.process);
  LoadReply load = load_when_ready(jvm_, library_.path, formatted("{},reply={}", options, file.path()), patience_);
  if (is_starting(load))
    throw Error(formatted("process {} is still starting after {} s", jvm_.process.pid, kPatience.count()),
                "try again once it runs");
  if (!load.return_code) {
    remove_new_copy(jvm_.process, library_);
    fail_to_load(jvm_, library_.path, load.text);
  }
  *pieces = std::make_shared<ReplyPieces>(file.pieces(most));
  AgentReply reply = parse_agent_reply(std::string((*pieces)->next()));
  if (!reply.understood)
    throw Error(formatted("hearth was loaded into process {} and could not begin there (return code {})",
                          jvm_.process.pid, *load.return_code),
                "the standard error of that process has the reason");
  if (!reply.ok) throw Error(with_pid(one_line(reply.text), jvm_.process.pid));
  return reply;
}

std::string AgentLink::command(const std::string& options) const {
  std::shared_ptr<ReplyPieces> pieces;
  AgentReply reply = first_part(options, kMostText, &pieces);
  for (std::string_view piece; !(piece = pieces->next()).empty();) reply.text += piece;
  return std::move(reply.text);
}

AgentProfile AgentLink::profile(const std::string& options) const {
  std::shared_ptr<ReplyPieces> pieces;
  AgentReply reply = first_part(options, kMostProfile, &pieces);
  if (reply.is_message) return {std::move(reply.text), nullptr};
  auto first = std::make_shared<std::string>(std::move(reply.text));
  auto is_first = std::make_shared<bool>(true);
  auto next = [pieces, first, is_first]() -> std::string_view {
    bool has_first = std::exchange(*is_first, false) && !first->empty();
    return has_first ? std::string_view(*first) : pieces->next();
  };
  return {"", next};
}

}  // namespace hearth::launcher
