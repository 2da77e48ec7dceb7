#include "profile/encode_tree.h"

#include <algorithm>
#include <cmath>

#include "profile/bytes.h"

namespace hearth::profile {
namespace {

constexpr const char* kDeviations = "deviations";

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

size_t mixed_nodes(const CallTree& tree) {
  size_t count = 0;
  uint32_t before = UINT32_MAX;
  for (const CallTree::KindPart& part : tree.kind_parts) {
    if (part.node != before) ++count;
    before = part.node;
  }
  return count;
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

void put_nodes(std::string& out, const CallTree& tree, const Numbering& numbering, const nlohmann::json& values) {
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
  for (size_t type = 0; type < values.size(); ++type) {
    if (!values[type].contains(kDeviations)) continue;
    for (int64_t variance : tree.variance[type])
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

nlohmann::json values_json(const std::vector<ValueType>& types, const CallTree& tree) {
  nlohmann::json values = nlohmann::json::array();
  for (size_t type = 0; type < types.size(); ++type) {
    values.push_back({{"type", types[type].type}, {"unit", types[type].unit}});
    if (!tree.variance[type].empty()) values.back()[kDeviations] = true;
    if (types[type].interval != 0) values.back()["interval"] = types[type].interval;
    if (types[type].threshold != 0) values.back()["threshold"] = types[type].threshold;
  }
  return values;
}

std::string encode_tree(nlohmann::json header, const CallTree& tree) {
  Numbering numbering = number_frames(tree);
  header["format"] = 1;
  header["names"] = numbering.names.size();
  header["frames"] = numbering.frames.size();
  header["nodes"] = tree.size();
  header["mixed"] = mixed_nodes(tree);
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + tree.size() * (4 + 2 * tree.self.size()));  // most varints are a byte or two
  put_varint(out, text.size());
  out += text;
  put_names(out, numbering.names);
  for (uint32_t frame : numbering.frames) {
    put_varint(out, numbering.name_of_frame[frame]);
    out.push_back(static_cast<char>(tree.frames[frame].kind));
  }
  put_nodes(out, tree, numbering, header["values"]);
  put_kind_parts(out, tree.kind_parts);
  return out;
}

}  // namespace hearth::profile
