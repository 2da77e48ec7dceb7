// Sessions that clients start and stop over HTTP. Each gets the id of its stored profile when it starts. Thread safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.h"
#include "commands/profiler_api.h"
#include "http/routes/json_options.h"
#include "http/routes/profile_store.h"
#include "http/server/cancellation_token.h"

namespace hearth::http {

class Sessions {
 public:
  using Duration = CancellationToken::Clock::duration;

  // Both outlive this.
  Sessions(commands::ProfilerApi* profiler, ProfileStore* store) : profiler_(profiler), store_(store) {}

  struct Started {
    std::string message;
    std::string id;       // of the profile, unless its stop names another output
    uint64_t number = 0;  // of the session
  };
  struct SessionProfile {
    commands::ProfilePtr profile;  // null: the session ended earlier, and the store has its profile
    profile::WriteOptions write;   // as the stop or dump asks, else as the start did
    std::string id{};              // in the store, "": the profile is not stored
  };
  enum class Keep { kInStore, kNowhere };

  // Each throws Refusal: 400 for options that no session accepts, 409 where this state does not allow it, 507 or 500
  // where the profile cannot be stored. The options of all but start() also choose the session.
  //
  // A session that ends by its timeout or with the JVM is stored.
  Started start(const RequestOptions& request);
  // Each returns a message.
  std::string pause(const RequestOptions& request);
  std::string resume(const RequestOptions& request);

  SessionProfile stop(const RequestOptions& request, Keep keep);
  // A session without a change since it was stored is not stored again.
  SessionProfile dump(const RequestOptions& request, Keep keep);
  // The profile so far of a session that runs.
  SessionProfile live(const RequestOptions& request);
  // Profiles for `time`, then calls `before_model` as ProfilerApi::profile() does. A cancelled request stops its
  // session. Throws Refusal 409 where another client stops it.
  SessionProfile profile(const RequestOptions& request, Keep keep, Duration time, CancellationToken* cancellation,
                         const std::function<void()>& before_model);

  // Throws Refusal 409 that names the conflicting session, if there is one (commands::SessionConflict).
  [[noreturn]] void throw_conflict(const Error& why);

 private:
  using Settings = std::vector<options::OptionSetting>;
  // The output of a session, and the settings that shaped it.
  struct Output {
    options::Options options;
    Settings settings;
  };
  // The session that a request means, and the output that it asks for.
  struct Chosen {
    uint64_t number = 0;
    bool running = false;
    Output output;
  };
  struct PendingProfile {
    std::string id;  // "": used
    Output output;
  };
  struct StoredProfile {
    std::string id;
    Settings settings;
  };

  std::string change(const RequestOptions& request);
  Started run_start(const options::Options& command);
  Chosen choose(const RequestOptions& request, bool has_to_run);
  using BeforeModel = std::function<void()>;
  SessionProfile take(Chosen session, options::Action action, const BeforeModel& before_model);
  SessionProfile store(Chosen session, options::Action action, const std::string& id, const BeforeModel& before_model);
  SessionProfile stop(const Chosen& session, Keep keep, const BeforeModel& before_model);
  std::string end_id(uint64_t number);
  std::string stored_before(const Chosen& session);
  void forget_old();
  void wait_for_end(uint64_t number, Duration time, CancellationToken* cancellation);

  commands::ProfilerApi* profiler_;
  ProfileStore* store_;
  std::atomic<uint64_t> profiles_{0};
  std::mutex mutex_;
  std::map<uint64_t, PendingProfile> pending_;  // of each start(), by the session's number
  std::map<uint64_t, StoredProfile> stored_;    // the last that was written of each session that has ended
};

}  // namespace hearth::http
