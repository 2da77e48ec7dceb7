#include "sample_profile.h"

#include <set>

#include "base/formatted.h"
#include "profile/page/page_data.h"

namespace hearth::profile {

NodeId stack(Profile& profile, Stack frames) {
  NodeId node = 0;
  for (const auto& [name, kind] : frames) node = profile.child(node, profile.location(profile.function(name, kind), 0));
  return node;
}

void add(Profile& profile, Stack frames, std::initializer_list<int64_t> values, LabelSetId labels) {
  profile.add(stack(profile, frames), labels, values.begin());
}

Profile counted() {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  return profile;
}

Profile sample_profile() {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  profile.metadata.event = "cpu";
  profile.metadata.title = "A <test> & more";
  profile.metadata.interval = 1'000'000;
  profile.metadata.start_unix_ns = 1'700'000'000'123'000'000;
  profile.metadata.duration_ns = 10'000'000'000;
  profile.metadata.producer = "hearth 0.1.0";
  profile.metadata.runtime = "OpenJDK 64-Bit Server VM 17.0.15+6";
  profile.metadata.program = "com.acme.Shop";
  profile.metadata.pid = "4711";
  profile.metadata.host = "web-3";
  profile.quality.samples = 8;
  profile.quality.lost = 2;
  profile.quality.lost_weight = 2'000'000;
  profile.quality.java_samples = 6;
  profile.quality.whole = 5;
  profile.quality.failures = {{"unknown_Java", 1}};
  profile.quality.handler_ns_mean = 1234;
  profile.quality.own_cpu_ns = 60'000'000;
  profile.quality.engine = "perf_events";
  profile.quality.notes = {"kernel frames are hidden: kptr_restrict; set it to 0"};

  const std::pair<std::string_view, FrameKind> main = {"clojure.main/main", FrameKind::kJit};
  LabelSetId labels = profile.label_set({{"thread", "main", 0, ""}, {"request_bytes", "", 512, "bytes"}});
  add(profile, {main, {"cheshire.parse/parse*", FrameKind::kJit}}, {3, 3'000'000}, labels);
  add(profile, {main, {"cheshire.parse/parse*", FrameKind::kInlined}, {"vfs_read", FrameKind::kKernel}},
      {1, 1'100'000});
  add(profile, {main, {"cheshire.parse/parse*", FrameKind::kInterpreted}}, {1, 900'000});
  add(profile, {main, {"java/util/HashMap.get", FrameKind::kC1}, {"itable stub", FrameKind::kStub}}, {1, 1'000'000});
  add(profile,
      {{"[GC Thread#0 tid=7]", FrameKind::kThread},
       {"G1ParTask::work", FrameKind::kCpp},
       {"memcpy", FrameKind::kNative}},
      {1, 1'000'000});
  add(profile, {main, {"[unknown_Java]", FrameKind::kMarker}, {"naïve→λ", FrameKind::kNative}}, {1, 1'000'000});
  return profile;
}

Profile decoded(std::string_view payload) {
  return decode_page_data(payload, payload.size());
}

std::string dump(const Profile& profile) {
  std::multiset<std::string> lines;
  for (size_t index = 0; index < profile.sample_count(); ++index) {
    std::string line;
    for (NodeId node = profile.sample(index).stack; node != 0; node = profile.nodes()[node].parent) {
      const Function& function = profile.functions()[profile.function_of(node)];
      line.insert(0, formatted("{}|{}|{}:{} ", profile.text(function.name), static_cast<int>(function.kind),
                               profile.text(function.file), profile.locations()[profile.nodes()[node].location].line));
    }
    for (size_t type = 0; type < profile.value_types.size(); ++type)
      line += formatted("{}={} ", profile.value_types[type].type, profile.values(index)[type]);
    for (const Label& label : profile.label_sets()[profile.sample(index).labels])
      line += formatted("<{}:{}{}{}>", label.key, label.text, label.number, label.unit);
    if (profile.sample(index).time != kNoTime) line += formatted("@{}", profile.sample(index).time);
    lines.insert(line + "\n");
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace hearth::profile
