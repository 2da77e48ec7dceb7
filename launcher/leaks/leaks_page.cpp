#include <cmath>
#include <map>

#include "base/formatted.h"
#include "launcher/commands/leaks_command.h"
#include "launcher/leaks/jvm_heap.h"
#include "profile/analysis/stack_key.h"
#include "profile/formats/amount_text.h"
#include "profile/formats/formats.h"
#include "profile/model/event_kinds.h"
#include "profile/model/event_view.h"
#include "profile/model/stack_copier.h"

namespace hearth::launcher {
namespace {

using profile::FrameKind;
using profile::NodeId;
using profile::Profile;

constexpr double kHour = 3600, kSecond = 1e9;

int64_t an_hour(double bytes_a_second) {
  return std::llround(bytes_a_second * kHour);
}

// Of one kind of memory: its values in the page, and the first frame of each site.
struct Shown {
  const char* growth;  // value type
  const char* live;
  std::vector<Site> sites;
  std::map<std::vector<std::string>, const Site*> by_frames;
  size_t growth_value = SIZE_MAX, live_value = 0;  // SIZE_MAX: no site leaks
};

std::string rate_frame(const Growth& growth) {
  return formatted("[leak: {} ± {} an hour]", profile::amount_text(an_hour(growth.rate), "bytes"),
                   profile::amount_text(an_hour(growth.bound), "bytes"));
}

class PageBuilder {
 public:
  PageBuilder(const Leaks& leaks, Profile* page)
      : last_(*leaks.last), holders_(leaks.holders ? &*leaks.holders : nullptr), page_(page), frames_(&last_, page) {
    for (const LeakKind& kind : leaks.kinds) {
      bool is_native = kind.event == std::string_view(profile::kNativeLiveEvent);
      Shown shown = {is_native ? "native_growth" : "heap_growth",
                     profile::event_kind(kind.event)->weight,
                     kind.sites.sites(leaks.seconds_apart),
                     {}};
      for (const Site& site : shown.sites) shown.by_frames[site.frames] = &site;
      kinds_.push_back(std::move(shown));
    }
  }

  void build() {
    name_values();
    for (Shown& kind : kinds_) add(kind);
  }

 private:
  // Growth comes first: the page opens on the first value.
  void name_values() {
    for (Shown& kind : kinds_) {
      if (kind.sites.empty() || !kind.sites.front().leaks) continue;
      kind.growth_value = page_->value_types.size();
      page_->value_types.push_back({kind.growth, "bytes"});
    }
    for (Shown& kind : kinds_) {
      kind.live_value = page_->value_types.size();
      page_->value_types.push_back({kind.live, "bytes"});
    }
  }

  void add(const Shown& kind) {
    size_t live = value_of(kind.live);
    if (live == SIZE_MAX) return;
    std::map<const Site*, bool> drawn;
    for (size_t i = 0; i < last_.sample_count(); ++i) {
      int64_t amount = last_.values(i)[live];
      if (amount == 0) continue;
      const Profile::Sample& sample = last_.sample(i);
      std::vector<std::string> frames = profile::frames_of(last_, sample.stack);
      auto found = kind.by_frames.find(frames);
      const Site* site = found == kind.by_frames.end() ? nullptr : found->second;
      NodeId stack = copy_below(head_of(site, frames), sample.stack);
      std::vector<int64_t> row(page_->value_types.size());
      row[kind.live_value] = amount;
      page_->add(stack, page_->label_set(last_.label_sets()[sample.labels]), row.data());
      if (site == nullptr || !site->leaks || !drawn.emplace(site, true).second) continue;
      row[kind.live_value] = 0;
      row[kind.growth_value] = an_hour(site->growth.rate);
      page_->add(stack, page_->label_set({}), row.data());
    }
  }

  size_t value_of(std::string_view type) const {
    for (size_t value = 0; value < last_.value_types.size(); ++value)
      if (last_.value_types[value].type == type) return value;
    return SIZE_MAX;
  }

  NodeId head_of(const Site* site, const std::vector<std::string>& frames) {
    std::string name = site != nullptr && site->leaks ? rate_frame(site->growth)
                       : is_jvm_heap(frames)          ? "[heap of the JVM: no leak]"
                                                      : "[not known to leak]";
    NodeId head = page_->child(0, page_->location(page_->function(name, FrameKind::kThread), 0));
    std::string holder = holder_frame(site);
    if (holder.empty()) return head;
    return page_->child(head, page_->location(page_->function(holder, FrameKind::kThread), 0));
  }

  // "": none is known.
  std::string holder_frame(const Site* site) const {
    if (holders_ == nullptr || site == nullptr || !site->leaks) return "";
    const SiteHolders* found = holders_of(*holders_, *site);
    if (found == nullptr || found->holders.empty()) return "";
    return formatted("[held by {}]", holder_text(found->holders[0]));
  }

  NodeId copy_below(NodeId head, NodeId stack) {
    std::vector<profile::LocationId> path;
    for (; stack != 0; stack = last_.nodes()[stack].parent) path.push_back(last_.nodes()[stack].location);
    for (; !path.empty(); path.pop_back()) head = page_->child(head, frames_.location(path.back()));
    return head;
  }

  const Profile& last_;
  const HolderReport* holders_;  // null: none was asked for
  Profile* page_;
  profile::StackCopier frames_;
  std::vector<Shown> kinds_;
};

}  // namespace

std::string leaks_page(const Leaks& leaks) {
  Profile page;
  page.metadata = leaks.last->metadata;
  page.metadata.time_step_ns = 0;
  page.metadata.event = "leaks";
  page.metadata.interval = 0;
  page.quality = leaks.last->quality;
  page.metadata.title = formatted("Leaks of {}: growth an hour, by {} looks {} apart", leaks.program, leaks.looks,
                                  profile::duration_text(std::llround(leaks.seconds_apart * kSecond)));
  PageBuilder(leaks, &page).build();
  return profile::write_flame_graph(page, {});
}

}  // namespace hearth::launcher
