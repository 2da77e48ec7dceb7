#include "launcher/leaks/store_looks.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "launcher/leaks/leak_looks.h"
#include "profile/model/event_kinds.h"
#include "store/time_range.h"
#include "store/window_cover.h"

namespace hearth::launcher {
namespace {

using store::StoredWindow;

constexpr int kMostIntervals = 24;  // hours of a day

// Null: the profile has not looked at it.
const profile::ValueType* looked_at(const profile::Profile& profile, const LeakKind& kind) {
  for (const profile::ValueType& type : profile.value_types)
    if (type.type == profile::event_kind(kind.event)->weight && type.looked_at_ns != 0) return &type;
  return nullptr;
}

// A broken file is as one that is not there: others have looks, too.
std::optional<profile::Profile> read_look(const std::string& store, const StoredWindow& window) {
  try {
    return store::read_window(store, window);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

class StoreLooks {
 public:
  StoreLooks(const store::StoreRange& range, Leaks* leaks)
      : store_(range.store), windows_(store::finest(store::all_windows(range.store), range.range)), leaks_(leaks) {}

  void take() {
    read_last();
    constexpr double kSecond = 1e9;
    int64_t first_ns = last_ns_;
    for (profile::Profile& look : read_others()) {
      first_ns = std::min(first_ns, time_of(look));
      add_look(std::move(look), leaks_);
    }
    leaks_->from_ns = first_ns;
    leaks_->to_ns = last_ns_;
    leaks_->seconds_apart = static_cast<double>(last_ns_ - first_ns) / kSecond /
                            static_cast<double>(std::max<size_t>(leaks_->looks, 2) - 1);
  }

 private:
  // Determines the run of the program, and the kinds of memory.
  void read_last() {
    for (; !windows_.empty(); windows_.pop_back()) {
      std::optional<profile::Profile> look = read_look(store_, windows_.back());
      if (!look) continue;
      std::vector<LeakKind> kinds;
      for (const LeakKind& kind : leaks_->kinds)
        if (looked_at(*look, kind) != nullptr) kinds.push_back(kind);
      if (kinds.empty()) continue;
      leaks_->kinds = std::move(kinds);
      for (const LeakKind& kind : leaks_->kinds) {
        since_.push_back(looked_at(*look, kind)->followed_since_ns);
        leaks_->followed_since_ns = std::max(leaks_->followed_since_ns, since_.back());
      }
      last_ns_ = time_of(*look);
      leaks_->has_earlier_run = windows_.front().end_ns() < leaks_->followed_since_ns;
      last_ = std::move(look);
      return;
    }
    throw Error(formatted("{} has no live memory in that time", store_),
                "start the store with event=nativemem among its events, as event=cpu,nativemem");
  }

  int64_t time_of(const profile::Profile& look) const { return looked_at(look, leaks_->kinds.front())->looked_at_ns; }

  bool is_of_run(const profile::Profile& look) const {
    for (size_t kind = 0; kind < since_.size(); ++kind) {
      const profile::ValueType* type = looked_at(look, leaks_->kinds[kind]);
      if (type == nullptr || type->followed_since_ns != since_[kind]) return false;
    }
    return true;
  }

  // In order of time, the last one included. A file has the look at the end of its last window.
  std::vector<profile::Profile> read_others() {
    std::vector<const StoredWindow*> of_run;
    for (const StoredWindow& window : windows_)
      if (window.end_ns() > leaks_->followed_since_ns) of_run.push_back(&window);
    std::vector<profile::Profile> looks;
    for (const StoredWindow* window : at_equal_distances(of_run)) {
      if (window == &windows_.back()) continue;
      std::optional<profile::Profile> look = read_look(store_, *window);
      if (look && is_of_run(*look) && time_of(*look) < last_ns_) looks.push_back(std::move(*look));
    }
    looks.push_back(std::move(*last_));
    std::sort(looks.begin(), looks.end(), [this](const auto& a, const auto& b) { return time_of(a) < time_of(b); });
    return looks;
  }

  static std::vector<const StoredWindow*> at_equal_distances(const std::vector<const StoredWindow*>& windows) {
    std::vector<const StoredWindow*> chosen;
    if (windows.empty()) return chosen;
    int64_t from_ns = windows.front()->end_ns(), to_ns = windows.back()->end_ns();
    for (int64_t number = 0; number <= kMostIntervals; ++number) {
      int64_t at_ns = from_ns + (to_ns - from_ns) / kMostIntervals * number;
      auto nearest = std::min_element(windows.begin(), windows.end(), [at_ns](const auto* a, const auto* b) {
        return std::llabs(a->end_ns() - at_ns) < std::llabs(b->end_ns() - at_ns);
      });
      if (chosen.empty() || chosen.back() != *nearest) chosen.push_back(*nearest);
    }
    return chosen;
  }

  const std::string store_;
  std::vector<StoredWindow> windows_;  // in order of time
  Leaks* const leaks_;
  std::vector<int64_t> since_;  // by kind
  int64_t last_ns_ = 0;
  std::optional<profile::Profile> last_;
};

}  // namespace

void look_at_store(const store::StoreRange& range, Leaks* leaks) {
  StoreLooks(range, leaks).take();
}

}  // namespace hearth::launcher
