// Stored profiles: a folder of pprof files, each named by its id, with a small file of its description, which can be
// made again. Several JVMs of one user share the folder. The runs of REPLs, in a folder of their own, are listed too
// and can be removed; only REPLs add to them. Thread safe.
#pragma once

#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>

#include "http/routes/store_bound.h"
#include "profile/model/profile.h"

namespace hearth::http {

class ProfileStore {
 public:
  // Makes the folder if it does not exist. Throws Error for a path that no file pattern can have. `log` gets a line
  // when profiles are dropped because of the limits. `runs` may not exist.
  explicit ProfileStore(
      const std::string& folder, const options::StoreLimits& limits = {},
      std::function<void(const std::string&)> log = [](const std::string&) {}, std::string runs = "");

  // Returns an id that no other profile has or gets: time, process, a number and 8 random digits. Ids sort by time.
  std::string new_id();
  // The file of the profile, which may not exist yet. Throws Refusal 404 for a text that cannot be an id, so that no
  // path leaves the folder.
  std::string path_of(const std::string& id) const;
  bool has(const std::string& id) const;
  // As path_of(), for a writer: makes the folder again where somebody deleted it.
  std::string place_for(const std::string& id);
  // Call it when the profile is written: older ones may be dropped for it.
  void stored(const std::string& id) { bound_.enforce(id); }
  StoreFigures figures() { return bound_.figures(); }
  const options::StoreLimits& limits() const { return bound_.limits(); }

  // {"id", "title", "event", "start_unix_ms", "duration_ns", "samples", "bytes", "producer", "program", "pid",
  // "runtime",
  //  "values", "quality"}. Throws Refusal 404; Error when the file is no profile.
  nlohmann::json describe(const std::string& id);
  // The same, for a caller that has the stored profile.
  nlohmann::json describe(const std::string& id, const profile::Profile& profile);
  // Descriptions of all profiles, newest first. Leaves out files that are no profiles.
  nlohmann::json list();

  std::string bytes(const std::string& id) const;  // throws Refusal 404
  profile::Profile load(const std::string& id) const;
  void remove(const std::string& id);

 private:
  std::string description_path(const std::string& id) const;
  void require(const std::string& id) const;
  const std::string& folder_of(const std::string& id) const;
  std::vector<std::string> run_ids() const;

  const std::string folder_;
  const std::string runs_;
  StoreBound bound_;
  std::mutex mutex_;
  uint64_t last_ = 0;
};

}  // namespace hearth::http
