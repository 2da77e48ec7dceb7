// Stored profiles: a folder of pprof files, each named by its id. What is asked for most, a list, is kept beside each
// in a small file that can be made again. Several JVMs of one user share the folder. The runs of REPLs, in a folder of
// theirs, are listed too, and can be removed; only the REPLs add to them. Thread safe.
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
  // Makes the folder when it is not there. Throws Error for one that the agent's options could not name. `log` takes
  // a line where profiles are dropped, as they are more than the limits allow. `runs` may not be there.
  explicit ProfileStore(
      std::string folder, const options::StoreLimits& limits = {},
      std::function<void(const std::string&)> log = [](const std::string&) {}, std::string runs = "");

  // An id that no profile has, nor gets from another process: time, process, a number and 8 random digits, so that they
  // sort by time.
  std::string new_id();
  // Where the profile of that id is or will be. Throws Refusal 404 for what cannot be an id, so that no path leaves the
  // folder.
  std::string path_of(const std::string& id) const;
  bool has(const std::string& id) const;
  // path_of() for who writes one now: the folder is made again where somebody deleted it.
  std::string place_for(const std::string& id);
  // Has been written: others may have to go for it.
  void stored(const std::string& id) { bound_.enforce(id); }
  StoreFigures figures() { return bound_.figures(); }
  const options::StoreLimits& limits() const { return bound_.limits(); }

  // What is told of one: id, title, event, start_unix_ms, duration_ns, samples, bytes, program, pid, runtime, values,
  // quality.
  // Throws Refusal 404; Error when the file is no profile.
  nlohmann::json describe(const std::string& id);
  // The same, for a caller that has the stored profile.
  nlohmann::json describe(const std::string& id, const profile::Profile& profile);
  // Of all, newest first. Files that are no profiles are left out.
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
