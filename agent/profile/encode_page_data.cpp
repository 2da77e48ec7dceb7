#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "profile/bytes.h"
#include "profile/call_tree.h"
#include "profile/event_view.h"
#include "profile/page_data.h"
#include "profile/quality.h"

namespace hearth::profile {
namespace {

constexpr int64_t kNanosecondsPerMillisecond = 1'000'000;

// Which of a tree's frames and names are used, and where the page keeps them.
struct Numbering {
  std::vector<std::string_view> names;   // sorted
  std::vector<uint32_t> frames;          // of the tree, most used first
  std::vector<uint32_t> name_of_frame;   // by the tree's frame
  std::vector<uint32_t> place_of_frame;  // by the tree's frame
};

Numbering number_frames(const CallTree& tree) {
  std::vector<uint32_t> uses(tree.frames.size());
  for (uint32_t frame : tree.frame) ++uses[frame];
  Numbering numbering;
  numbering.name_of_frame.resize(uses.size());
  numbering.place_of_frame.resize(uses.size());
  for (uint32_t frame = 0; frame < uses.size(); ++frame) {
    if (uses[frame] == 0) continue;
    numbering.frames.push_back(frame);
    const std::string& name = tree.frames[frame].name;  // the frames are in the order of their names
    if (numbering.names.empty() || numbering.names.back() != name) numbering.names.push_back(name);
    numbering.name_of_frame[frame] = static_cast<uint32_t>(numbering.names.size() - 1);
  }
  std::stable_sort(numbering.frames.begin(), numbering.frames.end(),
                   [&](uint32_t a, uint32_t b) { return uses[a] > uses[b]; });
  for (uint32_t place = 0; place < numbering.frames.size(); ++place)
    numbering.place_of_frame[numbering.frames[place]] = place;
  return numbering;
}

// Of several events one is shown first, in its own value: their samples have no sum that measures anything. Of
// allocations bytes are, which are what the collector works for.
size_t lens_index(const Profile& profile, const WriteOptions& options) {
  std::vector<ProfileEvent> events = events_of(profile);
  if (events.empty())
    return options.lens != Lens::kTotal || profile.value_types.empty() ? 0 : profile.value_types.size() - 1;
  const ProfileEvent* chosen = event_named(events, options.event);
  const ProfileEvent& event = chosen == nullptr ? default_event(events) : *chosen;
  if (event.counts_objects) return options.lens == Lens::kSamples ? event.count : event.weight;
  return events.size() > 1 || options.lens == Lens::kTotal ? event.weight : event.count;
}

size_t mixed_nodes(const CallTree& tree) {
  size_t count = 0;
  uint32_t before = UINT32_MAX;
  for (const CallTree::KindPart& part : tree.kind_parts) {
    if (part.node != before) ++count;
    before = part.node;
  }
  return count;
}

std::string header_json(const Profile& profile, const WriteOptions& options, const Numbering& numbering,
                        const CallTree& tree) {
  const Metadata& about = profile.metadata;
  nlohmann::json header = {
      {"format", 1},
      {"title", page_title(profile, options)},
      {"event", about.event},
      {"values", nlohmann::json::array()},
      {"lens", lens_index(profile, options)},
      {"view", {{"reverse", options.reverse}, {"inverted", options.inverted}, {"minwidth", options.minwidth}}},
      {"interval", about.interval},
      {"start_unix_ms", about.start_unix_ns / kNanosecondsPerMillisecond},
      {"duration_ns", about.duration_ns},
      {"producer", about.producer},
      {"runtime", about.runtime},
      {"quality", quality_json(profile.quality)},
      {"names", numbering.names.size()},
      {"frames", numbering.frames.size()},
      {"nodes", tree.size()},
      {"mixed", mixed_nodes(tree)},
  };
  for (size_t type = 0; type < profile.value_types.size(); ++type) {
    const ValueType& value = profile.value_types[type];
    header["values"].push_back({{"type", value.type}, {"unit", value.unit}});
    if (!tree.variance[type].empty()) header["values"].back()["deviations"] = true;
    if (value.interval != 0) header["values"].back()["interval"] = value.interval;
    if (value.threshold != 0) header["values"].back()["threshold"] = value.threshold;
  }
  return header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void put_names(std::string& out, const std::vector<std::string_view>& names) {
  std::string_view before;
  for (std::string_view name : names) {
    size_t shared = 0;
    while (shared < before.size() && shared < name.size() && before[shared] == name[shared]) ++shared;
    put_varint(out, shared);
    put_varint(out, name.size() - shared);
    out += name.substr(shared);
    before = name;
  }
}

void put_nodes(std::string& out, const CallTree& tree, const Numbering& numbering) {
  uint32_t depth_before = 0;
  for (uint32_t depth : tree.depth) {
    put_varint(out, depth_before + 1 - depth);
    depth_before = depth;
  }
  for (uint32_t frame : tree.frame) put_varint(out, numbering.place_of_frame[frame]);
  for (const auto& column : tree.self) {
    for (int64_t value : column) {
      if (value < 0)
        throw FormatError(
            "a flame graph cannot show negative values (a difference of profiles); write pprof or collapsed");
      put_varint(out, static_cast<uint64_t>(value));
    }
  }
  for (const auto& column : tree.variance) {
    for (int64_t variance : column)
      put_varint(out, static_cast<uint64_t>(std::llround(std::sqrt(static_cast<double>(variance)))));
  }
}

void put_kind_parts(std::string& out, const std::vector<CallTree::KindPart>& parts) {
  uint32_t node_before = 0;
  for (size_t begin = 0; begin < parts.size();) {
    size_t end = begin;
    while (end < parts.size() && parts[end].node == parts[begin].node) ++end;
    put_varint(out, parts[begin].node - node_before);
    put_varint(out, end - begin);
    node_before = parts[begin].node;
    for (; begin < end; ++begin) {
      out.push_back(static_cast<char>(parts[begin].kind));
      put_varint(out, static_cast<uint64_t>(parts[begin].total));
    }
  }
}

}  // namespace

std::string page_title(const Profile& profile, const WriteOptions& options) {
  if (!options.title.empty()) return options.title;
  if (!profile.metadata.title.empty()) return profile.metadata.title;
  return profile.metadata.event.empty() ? "Flame graph" : profile.metadata.event + " flame graph";
}

std::string encode_page_data(const Profile& profile, const WriteOptions& options) {
  CallTree tree = call_tree(profile, options);
  if (options.minwidth > 0 && !tree.self.empty())
    tree = fold_small_nodes(tree, options.minwidth, lens_index(profile, options));
  Numbering numbering = number_frames(tree);
  std::string header = header_json(profile, options, numbering, tree);
  std::string out;
  out.reserve(header.size() + tree.size() * (4 + 2 * tree.self.size()));  // most varints are a byte or two
  put_varint(out, header.size());
  out += header;
  put_names(out, numbering.names);
  for (uint32_t frame : numbering.frames) {
    put_varint(out, numbering.name_of_frame[frame]);
    out.push_back(static_cast<char>(tree.frames[frame].kind));
  }
  put_nodes(out, tree, numbering);
  put_kind_parts(out, tree.kind_parts);
  return out;
}

}  // namespace hearth::profile
