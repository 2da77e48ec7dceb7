// Starts and stops sessions for HTTP. Their profiles are stored under an id that is known from the start. The options
// of a stop or dump choose the session, as in the agent's commands; afterwards its number identifies it. Thread safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "base/error.h"
#include "http/routes/profile_formats.h"
#include "http/routes/profile_store.h"
#include "http/target.h"

namespace hearth::http {

class Sessions {
 public:
  // Both outlive it.
  Sessions(Target* target, ProfileStore* store) : target_(target), store_(store) {}

  struct Started {
    std::string message;
    std::string id;       // of the profile, unless its stop chooses otherwise
    uint64_t number = 0;  // of the session
  };
  // `options` are the agent's, without action and output. A session that ends by itself (timeout, the JVM's end) is
  // stored. Each throws Refusal 400 for options that cannot be followed anywhere, 409 for what cannot be done now.
  Started start(const std::string& options);
  // Stores it; returns the id. `options` shape the output; without any those of a start() do.
  std::string stop(const std::string& options);
  std::string dump(const std::string& options);  // where nothing has changed since it was stored, that one's id

  // Of one that runs; what the agent says of it.
  std::string pause(const std::string& options);
  std::string resume(const std::string& options);

  // The profile itself; the format is in the agent's words, as "flat=20".
  std::string stop_as(const std::string& format, const std::string& options);
  std::string dump_as(const std::string& format, const std::string& options);
  std::string live_as(const std::string& format, const std::string& options);  // of one that still runs

  // A profile of one session from its start to its end, not stored. The session is stopped and
  // dropped if the request is cancelled. Throws Refusal 409 if another client stops the session.
  std::string profile_as(const std::string& format, const std::string& options, CancellationToken::Clock::duration time,
                         CancellationToken* cancellation);
  // The same, stored; returns the id.
  std::string profile(const std::string& options, CancellationToken::Clock::duration time,
                      CancellationToken* cancellation);

  // Throws Refusal 409, with the conflicting session if there is one (commands::SessionConflict).
  [[noreturn]] void throw_conflict(const Error& why);

 private:
  Target::Answer execute(const std::string& command);
  std::string changed(const std::string& action, const std::string& options);
  Started start_with(const std::string& options, const std::string& output);
  // The session that options are about, and what they say of its output, or its start() did where they say nothing.
  struct Chosen {
    uint64_t number = 0;
    bool running = false;
    std::string output;
  };
  // Throws Refusal 409 where there is none, or more than one.
  Chosen choose(const std::string& action, const std::string& options, bool has_to_run);
  std::string end_id(uint64_t number);
  void store(const std::string& command, const std::string& id, const std::string& options);
  std::string stored_before(const Chosen& session);
  void forget_old();
  std::string named(const std::string& options);
  void wait_for_end(uint64_t number, CancellationToken::Clock::duration time, CancellationToken* cancellation);

  Target* target_;
  ProfileStore* store_;
  struct PendingProfile {
    std::string id;      // "": used
    std::string output;  // options
  };
  std::atomic<uint64_t> profiles_{0};
  std::mutex mutex_;
  std::map<uint64_t, PendingProfile> pending_;  // of each start(), by the session's number
  std::map<uint64_t, PendingProfile> stored_;   // the last that was written of each that has ended
};

}  // namespace hearth::http
