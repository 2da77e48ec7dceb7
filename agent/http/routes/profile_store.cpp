#include "http/routes/profile_store.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "http/auth/secrets.h"
#include "http/routes/state_folder.h"
#include "http/server/message.h"
#include "profile/formats/formats.h"
#include "profile/model/quality.h"

namespace hearth::http {
namespace {

constexpr size_t kLongestId = 100;
// The end of a REPL's name for the profile of a run, 20260314_150926-01-cpu-profile. Ids of the store end otherwise.
constexpr std::string_view kRunEnding = "-profile";
constexpr size_t kMostRuns = 200;  // that are listed; only their user removes them
constexpr size_t kMostDescription = size_t{1} << 20;

bool is_id(std::string_view text) {
  constexpr std::string_view kSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  return !text.empty() && text.size() <= kLongestId && text.find_first_not_of(kSigns) == std::string_view::npos;
}

bool is_run(std::string_view id) {
  return id.size() > kRunEnding.size() && id.substr(id.size() - kRunEnding.size()) == kRunEnding;
}

int64_t samples_of(const profile::Profile& profile) {
  if (profile.quality.samples > 0 || profile.value_types.empty()) return static_cast<int64_t>(profile.quality.samples);
  int64_t sum = 0;
  for (size_t i = 0; i < profile.sample_count(); i++) sum = profile::saturating_sum(sum, profile.values(i)[0]);
  return sum;
}

nlohmann::json description_of(const profile::Profile& profile, const std::string& id, int64_t bytes) {
  nlohmann::json values = nlohmann::json::array();
  for (const profile::ValueType& value : profile.value_types)
    values.push_back({{"type", value.type}, {"unit", value.unit}, {"interval", value.interval}});
  const profile::Metadata& metadata = profile.metadata;
  return {{"id", id},
          {"title", metadata.title},
          {"event", metadata.event},
          {"start_unix_ms", metadata.start_unix_ns / 1'000'000},
          {"duration_ns", metadata.duration_ns},
          {"samples", samples_of(profile)},
          {"bytes", bytes},
          {"producer", metadata.producer},
          {"runtime", metadata.runtime},
          {"program", metadata.program},
          {"pid", metadata.pid},
          {"values", values},
          {"quality", profile::quality_json(profile.quality)}};
}

// Follows no link: in a folder of a user's files one could lead to any file that this process may read.
bool is_regular_file(const std::string& path, struct stat* info) {
  return lstat(path.c_str(), info) == 0 && S_ISREG(info->st_mode);
}

nlohmann::json described_in(const std::string& path) {
  try {
    return nlohmann::json::parse(read_regular_file(path, kMostDescription), nullptr, false);
  } catch (const FileError&) {
    return {};
  }
}

}  // namespace

ProfileStore::ProfileStore(const std::string& folder, const options::StoreLimits& limits,
                           std::function<void(const std::string&)> log, std::string runs)
    : folder_(private_folder(folder)), runs_(std::move(runs)), bound_(folder_, limits, std::move(log)) {
  if (folder_.find_first_of(",%") != std::string::npos)
    throw Error(formatted("profiles cannot be stored in {}", folder_), "name a folder without , and % by HEARTH_HOME");
  bound_.clear_leftovers();
}

std::string ProfileStore::place_for(const std::string& id) {
  try {
    private_folder(folder_);
    bound_.enforce();  // sessions that ended by themselves have stored profiles without a call of stored()
  } catch (const Error&) {
    return path_of(id);  // the writer gets the reason, and a session stops all the same
  }
  return path_of(id);
}

std::string ProfileStore::new_id() {
  std::lock_guard<std::mutex> lock(mutex_);
  time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
  for (;;) {
    // The random part: in another container a process of this number may share the folder.
    std::string id = formatted("{}-{}-{}-{:.8}", text, getpid(), ++last_, random_secret());
    if (!has(id)) return id;
  }
}

std::string ProfileStore::path_of(const std::string& id) const {
  if (!is_id(id)) throw Refusal(404, "not_found", "this is not the id of a profile", "GET /api/profiles lists them");
  return formatted("{}/{}{}", folder_of(id), id, kProfileEnding);
}

std::string ProfileStore::description_path(const std::string& id) const {
  return formatted("{}/{}{}", folder_of(id), id, kDescriptionEnding);
}

const std::string& ProfileStore::folder_of(const std::string& id) const {
  return is_run(id) && !runs_.empty() ? runs_ : folder_;
}

bool ProfileStore::has(const std::string& id) const {
  struct stat info {};
  return is_regular_file(path_of(id), &info);
}

void ProfileStore::require(const std::string& id) const {
  if (!has(id))
    throw Refusal(404, "not_found", formatted("there is no profile {}", id), "GET /api/profiles lists them");
}

nlohmann::json ProfileStore::describe(const std::string& id) {
  require(id);
  struct stat info {};
  int64_t size = is_regular_file(path_of(id), &info) ? info.st_size : 0;
  nlohmann::json known = described_in(description_path(id));
  if (known.is_object() && known.value("id", nlohmann::json()) == id && known.value("bytes", nlohmann::json()) == size)
    return known;
  return describe(id, load(id));
}

nlohmann::json ProfileStore::describe(const std::string& id, const profile::Profile& profile) {
  require(id);
  struct stat info {};
  int64_t size = is_regular_file(path_of(id), &info) ? info.st_size : 0;
  nlohmann::json description = description_of(profile, id, size);
  try {
    std::lock_guard<std::mutex> lock(mutex_);
    replace_file(description_path(id),
                 description.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } catch (const Error&) {
    return description;  // the disk may be full: it is made again the next time
  }
  return description;
}

nlohmann::json ProfileStore::list() {
  std::vector<std::string> ids;
  for (const StoredFile& file : stored_files(folder_)) {
    if (is_id(file.id)) ids.push_back(file.id);
  }
  for (std::string& id : run_ids()) ids.push_back(std::move(id));
  std::sort(ids.rbegin(), ids.rend());
  nlohmann::json all = nlohmann::json::array();
  for (const std::string& id : ids) {
    try {
      all.push_back(describe(id));
    } catch (const std::exception&) {
      continue;  // removed meanwhile, or no profile
    }
  }
  return all;
}

// The newest runs.
std::vector<std::string> ProfileStore::run_ids() const {
  std::vector<std::string> ids;
  if (runs_.empty() || access(runs_.c_str(), F_OK) != 0) return ids;
  for (const StoredFile& file : stored_files(runs_)) {
    if (is_id(file.id) && is_run(file.id)) ids.push_back(file.id);
  }
  std::sort(ids.rbegin(), ids.rend());
  ids.resize(std::min(ids.size(), kMostRuns));
  return ids;
}

std::string ProfileStore::bytes(const std::string& id) const {
  require(id);
  try {
    return read_regular_file(path_of(id), profile::kMostBytes);
  } catch (const FileError&) {
    require(id);  // dropped meanwhile
    throw;
  }
}

profile::Profile ProfileStore::load(const std::string& id) const {
  return profile::read(bytes(id));
}

void ProfileStore::remove(const std::string& id) {
  require(id);
  if (unlink(path_of(id).c_str()) != 0)
    throw Error(formatted("cannot delete profile {}: {}", id, std::strerror(errno)));
  unlink(description_path(id).c_str());
}

}  // namespace hearth::http
