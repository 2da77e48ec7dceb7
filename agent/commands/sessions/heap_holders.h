// The command that reports which references keep a session's live objects on the heap. Thread safe.
#pragma once

#include <jni.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "commands/agent_locks.h"
#include "commands/answer.h"
#include "commands/jvm_lifecycle.h"
#include "commands/sessions/session_table.h"
#include "events/alloc/live_objects.h"
#include "holders/holder_search.h"
#include "options/options.h"

namespace hearth::commands {

class HeapHolders {
 public:
  // All outlive this.
  HeapHolders(AgentLocks* locks, JvmLifecycle* jvm, const SessionTable* table)
      : locks_(locks), jvm_(jvm), table_(table) {}

  // Searches the heap for some live objects of each site, on the calling thread, which is attached; holds no lock
  // meanwhile. Returns JSON. Throws Error where no session follows live objects, or another search is at work.
  Answer report(const options::Options& options, JNIEnv* env);

 private:
  using SessionPtr = SessionTable::SessionPtr;
  struct Site {
    uint64_t key = 0;
    std::vector<std::string> frames;
    int64_t live_bytes = 0;
    std::vector<events::LiveObjects::Object> objects;  // all that are followed
  };

  SessionPtr session_of(const options::Options& options) const;
  static std::vector<Site> sites_of(session::ProfileSession* session, const options::Options& options, JNIEnv* env);
  static std::vector<Site> chosen(std::vector<Site> sites, const std::vector<uint64_t>& keys);
  static std::string text(const std::vector<Site>& sites, const std::vector<holders::Target>& targets,
                          const holders::SearchResult& result);

  AgentLocks* locks_;
  JvmLifecycle* jvm_;
  const SessionTable* table_;
  std::atomic<bool> searches_{false};
};

}  // namespace hearth::commands
