#include "profile/page/encode_tree.h"

#include <algorithm>
#include <utility>

#include "profile/codec/bytes.h"
#include "profile/page/encode_labels.h"

namespace hearth::profile {
namespace {

constexpr const char* kDeviations = "deviations";
constexpr size_t kRoomForNames = size_t{1} << 16;

// The used frames and names of a tree, and their numbers in the page.
struct Numbering {
  std::vector<std::string_view> names;   // sorted
  std::vector<uint32_t> frames;          // of the tree, most used first
  std::vector<uint32_t> name_of_frame;   // by the tree's frame
  std::vector<uint32_t> place_of_frame;  // by the tree's frame
};

Numbering number_frames(const PageTree& tree) {
  const std::vector<uint32_t>& uses = tree.uses;
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

void put_frames(std::string& out, const PageTree& tree, const Numbering& numbering) {
  for (uint32_t frame : numbering.frames) {
    put_varint(out, numbering.name_of_frame[frame]);
    out.push_back(static_cast<char>(tree.frames[frame].kind));
    put_varint(out, tree.frames[frame].line);
  }
}

// Writes a column and frees it.
void put_column(std::string& out, std::string* column) {
  out += *column;
  std::string().swap(*column);
}

void put_nodes(std::string& out, PageTree* tree, const Numbering& numbering) {
  put_column(out, &tree->levels_up);
  for (ByteReader frames(tree->frame, "the tree"); !frames.at_end();)
    put_varint(out, numbering.place_of_frame[frames.varint()]);
  std::string().swap(tree->frame);
}

void put_rows(std::string& out, PageTree* tree, const nlohmann::json& header) {
  put_column(out, &tree->row_count);
  if (header["label_sets"] != 0) put_column(out, &tree->labels);
  if (!header["time"].is_null()) put_column(out, &tree->time);
  for (std::string& column : tree->values) put_column(out, &column);
  const nlohmann::json& values = header["values"];
  for (size_t type = 0; type < values.size(); ++type)
    if (values[type].contains(kDeviations)) put_column(out, &tree->deviations[type]);
}

// Size of all columns.
size_t coded_size(const PageTree& tree) {
  size_t size =
      tree.levels_up.size() + tree.frame.size() + tree.row_count.size() + tree.labels.size() + tree.time.size();
  for (const auto* columns : {&tree.values, &tree.deviations})
    for (const std::string& column : *columns) size += column.size();
  return size;
}

nlohmann::json transforms_json(const std::vector<Transform>& transforms) {
  nlohmann::json list = nlohmann::json::array();
  for (const Transform& transform : transforms) {
    nlohmann::json one = {{"type", transform.type}, {"enabled", true}};
    if (!transform.what.empty()) one["what"] = transform.what;
    if (transform.type == "replace") one["replacement"] = transform.replacement;
    if (transform.gaps) one["gaps"] = true;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

nlohmann::json values_json(const std::vector<ValueType>& types, const PageTree& tree) {
  nlohmann::json values = nlohmann::json::array();
  for (size_t type = 0; type < types.size(); ++type) {
    values.push_back({{"type", types[type].type}, {"unit", types[type].unit}});
    if (tree.has_deviations[type]) values.back()[kDeviations] = true;
    if (types[type].interval != 0) values.back()["interval"] = types[type].interval;
    if (types[type].threshold != 0) values.back()["threshold"] = types[type].threshold;
  }
  return values;
}

void add_view(const WriteOptions& options, nlohmann::json* header) {
  (*header)["view"] = {{"reverse", options.reverse},       {"inverted", options.inverted},
                       {"minwidth", options.minwidth},     {"kinds", options.annotate},
                       {"lines", options.lines},           {"sort", options.sort_by_width ? "width" : "name"},
                       {"highlights", options.highlights}, {"tree", options.opens_tree}};
  (*header)["transforms"] = transforms_json(options.transforms);
}

std::string encode_tree(nlohmann::json header, PageTree tree) {
  Numbering numbering = number_frames(tree);
  EncodedLabels labels = encode_labels(tree.label_sets);
  header["format"] = 2;
  header["names"] = numbering.names.size();
  header["frames"] = numbering.frames.size();
  header["nodes"] = tree.nodes;
  header["labels"] = std::move(labels.keys);
  header["words"] = labels.words.size();
  header["label_sets"] = tree.label_sets.size() - 1;
  header["rows"] = tree.rows;
  header["time"] = nullptr;
  if (tree.time_steps > 0) header["time"] = {{"step_ns", tree.time_step_ns}, {"count", tree.time_steps}};
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + coded_size(tree) + kRoomForNames);
  put_varint(out, text.size());
  out += text;
  put_front_coded(out, numbering.names);
  put_frames(out, tree, numbering);
  put_nodes(out, &tree, numbering);
  put_front_coded(out, {labels.words.begin(), labels.words.end()});
  out += labels.sets;
  put_rows(out, &tree, header);
  return out;
}

}  // namespace hearth::profile
