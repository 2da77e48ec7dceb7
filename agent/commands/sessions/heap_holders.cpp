#include "commands/sessions/heap_holders.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "naming/stack_names.h"
#include "profile/analysis/stack_key.h"

namespace hearth::commands {
namespace {

using events::LiveObjects;
using nlohmann::json;

// One search at a time: each takes half of a processor.
class OnlySearch {
 public:
  explicit OnlySearch(std::atomic<bool>* searches) : searches_(searches) {
    if (searches_->exchange(true))
      throw Error("another search for holders is at work in this JVM", "try again when it is through");
  }
  OnlySearch(const OnlySearch&) = delete;
  OnlySearch& operator=(const OnlySearch&) = delete;
  ~OnlySearch() { *searches_ = false; }

 private:
  std::atomic<bool>* searches_;
};

using ObjectId = std::pair<uint64_t, uint32_t>;  // time of its allocation, stack

ObjectId id_of(const LiveObjects::Object& object) {
  return {object.time_ns, object.stack};
}

// Some objects of a site, of all ages but the last: young ones may be garbage soon.
std::vector<ObjectId> some_of(std::vector<LiveObjects::Object> objects) {
  constexpr size_t kMost = 8;
  std::sort(objects.begin(), objects.end(),
            [](const auto& one, const auto& other) { return id_of(one) < id_of(other); });
  if (objects.size() > kMost) objects.resize(std::max(kMost, objects.size() * 3 / 4));
  size_t count = std::min(kMost, objects.size());
  std::vector<ObjectId> ids;
  for (size_t i = 0; i < count; ++i) ids.push_back(id_of(objects[i * objects.size() / count]));
  return ids;
}

// Local references of the searched objects, until the end of the scope.
class HeldObjects {
 public:
  HeldObjects(JNIEnv* env, LiveObjects* live, const std::map<ObjectId, size_t>& site_of) : env_(env) {
    announce_local_refs(env, static_cast<jint>(site_of.size()));
    std::set<ObjectId> left;
    for (const auto& [id, site] : site_of) left.insert(id);
    auto wants = [&](const LiveObjects::Object& object) { return left.erase(id_of(object)) > 0; };
    for (const LiveObjects::Held& held : live->hold(env, wants))
      targets_.push_back({held.reference, site_of.at(id_of(held.object))});
  }
  HeldObjects(const HeldObjects&) = delete;
  HeldObjects& operator=(const HeldObjects&) = delete;
  ~HeldObjects() {
    for (const holders::Target& target : targets_) env_->DeleteLocalRef(target.reference);
  }
  const std::vector<holders::Target>& targets() const { return targets_; }

 private:
  JNIEnv* env_;
  std::vector<holders::Target> targets_;
};

// Paths of one site, those of most objects first.
json holders_json(const std::vector<holders::HolderPath>& paths) {
  std::map<holders::HolderPath, size_t> counts;
  for (const holders::HolderPath& path : paths) counts[path]++;
  std::vector<std::pair<holders::HolderPath, size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& one, const auto& other) { return one.second > other.second; });
  json all = json::array();
  for (const auto& [path, objects] : sorted) all.push_back({{"path", path}, {"objects", objects}});
  return all;
}

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

HeapHolders::SessionPtr HeapHolders::session_of(const options::Options& options) const {
  const char* remedy = "start a session with live, as in start,live";
  SessionPtr found;
  if (!options.session.empty()) {
    found = table_->resolve(options).session;
  } else {
    for (const UserSession& one : table_->user_sessions()) {
      if (!one.session->running() || !one.session->options().live) continue;
      if (found) throw Error("several sessions follow live objects", "name one: session=NAME");
      found = one.session;
    }
  }
  if (!found) throw Error("no running session follows live objects", remedy);
  if (!found->running() || !found->options().live) throw Error("that session follows no live objects", remedy);
  return found;
}

std::vector<HeapHolders::Site> HeapHolders::sites_of(session::ProfileSession* session, const options::Options& options,
                                                     JNIEnv* env) {
  std::map<uint32_t, std::vector<LiveObjects::Object>> by_stack;
  for (const LiveObjects::Object& object : session->live()->objects()->living(env))
    by_stack[object.stack].push_back(object);
  std::vector<uint32_t> stacks;
  for (const auto& [stack, objects] : by_stack) stacks.push_back(stack);
  options::Options output = options;
  output.native_roots = session->options().native_roots;
  std::vector<std::vector<std::string>> names = naming::names_of_stacks(session, env, stacks, output);
  std::map<uint64_t, Site> sites;
  for (size_t i = 0; i < stacks.size(); ++i) {
    uint64_t key = profile::stack_key(names[i]);
    Site& site = sites[key];
    site.key = key;
    site.frames = std::move(names[i]);
    for (const LiveObjects::Object& object : by_stack[stacks[i]]) {
      site.live_bytes += object.bytes;
      site.objects.push_back(object);
    }
  }
  std::vector<Site> all;
  for (auto& [key, site] : sites) all.push_back(std::move(site));
  return all;
}

std::vector<HeapHolders::Site> HeapHolders::chosen(std::vector<Site> sites, const std::vector<uint64_t>& keys) {
  constexpr size_t kUsual = 5;
  std::sort(sites.begin(), sites.end(),
            [](const Site& one, const Site& other) { return one.live_bytes > other.live_bytes; });
  auto is_other = [&](const Site& site) { return std::find(keys.begin(), keys.end(), site.key) == keys.end(); };
  if (!keys.empty())
    sites.erase(std::remove_if(sites.begin(), sites.end(), is_other), sites.end());
  else if (sites.size() > kUsual)
    sites.resize(kUsual);
  return sites;
}

std::string HeapHolders::text(const std::vector<Site>& sites, const std::vector<holders::Target>& targets,
                              const holders::SearchResult& result) {
  constexpr int kHex = 16;
  json all = json::array();
  for (size_t i = 0; i < sites.size(); ++i) {
    size_t searched = 0;
    std::vector<holders::HolderPath> paths;
    for (size_t target = 0; target < targets.size(); ++target) {
      if (targets[target].group != i) continue;
      searched++;
      if (!result.paths[target].empty()) paths.push_back(result.paths[target]);
    }
    char key[kHex + 1];
    std::snprintf(key, sizeof key, "%llx", static_cast<unsigned long long>(sites[i].key));
    all.push_back({{"site", key},
                   {"frames", sites[i].frames},
                   {"live_bytes", sites[i].live_bytes},
                   {"searched", searched},
                   {"found", paths.size()},
                   {"holders", holders_json(paths)}});
  }
  json report = {{"sites", all},
                 {"objects", result.objects},
                 {"seconds", seconds(result.time)},
                 {"pause_seconds", seconds(result.pause)},
                 {"notes", result.notes}};
  return report.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Answer HeapHolders::report(const options::Options& options, JNIEnv* env) {
  OnlySearch only(&searches_);
  SessionPtr session;
  std::vector<Site> sites;
  {
    AgentLocks::Lock command(locks_->commands());
    {
      std::lock_guard<std::mutex> lock(locks_->state());
      if (jvm_->must_wait(env)) throw Error("the JVM has not started yet", "ask again");
      jvm_->complete(env);
      if (!jvm_->has_jvm()) throw Error("heap-holders: this process has no JVM");
      jvm_->refuse_at_end();
      session = session_of(options);
    }
    sites = chosen(sites_of(session.get(), options, env), options.sites);
  }
  std::map<ObjectId, size_t> site_of;
  for (size_t i = 0; i < sites.size(); ++i)
    for (const ObjectId& id : some_of(sites[i].objects)) site_of.emplace(id, i);
  HeldObjects held(env, session->live()->objects(), site_of);
  holders::SearchResult result =
      holders::find_holders(jvm_->vm().java_vm, env, held.targets(), {}, [this] { return jvm_->vm().ends.load(); });
  return {text(sites, held.targets(), result), true};
}

}  // namespace hearth::commands
