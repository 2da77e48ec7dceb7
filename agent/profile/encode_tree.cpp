#include "profile/encode_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/free_memory.h"
#include "profile/bytes.h"
#include "profile/encode_labels.h"

namespace hearth::profile {
namespace {

constexpr const char* kDeviations = "deviations";
constexpr double kMostDeviation = 9e18;  // that an integer holds

// Which of a tree's frames and names are used, and where the page keeps them.
struct Numbering {
  std::vector<std::string_view> names;   // sorted
  std::vector<uint32_t> frames;          // of the tree, most used first
  std::vector<uint32_t> name_of_frame;   // by the tree's frame
  std::vector<uint32_t> place_of_frame;  // by the tree's frame
};

Numbering number_frames(const BaseTree& tree) {
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

void put_frames(std::string& out, const BaseTree& tree, const Numbering& numbering) {
  for (uint32_t frame : numbering.frames) {
    put_varint(out, numbering.name_of_frame[frame]);
    out.push_back(static_cast<char>(tree.frames[frame].kind));
    put_varint(out, tree.frames[frame].line);
  }
}

// Puts a column, and frees it: they take several times what they are encoded to.
template <typename Value, typename Coded>
void put_column(std::string& out, std::vector<Value>* column, Coded coded) {
  for (const Value& value : *column) put_varint(out, coded(value));
  free_memory(column);
}

void put_nodes(std::string& out, BaseTree* tree, const Numbering& numbering) {
  put_column(out, &tree->depth, [depth_before = uint32_t{0}](uint32_t depth) mutable {
    return std::exchange(depth_before, depth) + 1 - depth;
  });
  put_column(out, &tree->frame, [&](uint32_t frame) { return numbering.place_of_frame[frame]; });
}

// 0: no row has a time.
uint32_t time_steps(const BaseTree& tree) {
  uint32_t steps = 0;
  if (tree.time_step_ns == 0) return 0;
  for (TimeStep time : tree.time)
    if (time != kNoTime) steps = std::max(steps, time + 1);
  return steps;
}

uint64_t coded_value(int64_t value) {
  if (value < 0)
    throw FormatError("a flame graph cannot show negative values (a difference of profiles); write pprof or collapsed");
  return static_cast<uint64_t>(value);
}

void put_rows(std::string& out, BaseTree* tree, const nlohmann::json& header) {
  auto as_it_is = [](uint32_t number) { return number; };
  put_column(out, &tree->row_count, as_it_is);
  if (header["label_sets"] != 0) put_column(out, &tree->labels, as_it_is);
  if (!header["time"].is_null())
    put_column(out, &tree->time, [](TimeStep time) { return time == kNoTime ? 0 : uint64_t{time} + 1; });
  for (std::vector<int64_t>& column : tree->values) put_column(out, &column, coded_value);
  const nlohmann::json& values = header["values"];
  for (size_t type = 0; type < values.size(); ++type) {
    if (!values[type].contains(kDeviations)) continue;
    put_column(out, &tree->variance[type], [](double variance) {
      return static_cast<uint64_t>(std::llround(std::min(std::sqrt(variance), kMostDeviation)));
    });
  }
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

nlohmann::json values_json(const std::vector<ValueType>& types, const BaseTree& tree) {
  nlohmann::json values = nlohmann::json::array();
  for (size_t type = 0; type < types.size(); ++type) {
    values.push_back({{"type", types[type].type}, {"unit", types[type].unit}});
    if (!tree.variance[type].empty()) values.back()[kDeviations] = true;
    if (types[type].interval != 0) values.back()["interval"] = types[type].interval;
    if (types[type].threshold != 0) values.back()["threshold"] = types[type].threshold;
  }
  return values;
}

void add_view(const WriteOptions& options, nlohmann::json* header) {
  (*header)["view"] = {{"reverse", options.reverse},      {"inverted", options.inverted},
                       {"minwidth", options.minwidth},    {"kinds", options.annotate},
                       {"lines", options.lines},          {"sort", options.sort_by_width ? "width" : "name"},
                       {"highlights", options.highlights}};
  (*header)["transforms"] = transforms_json(options.transforms);
}

std::string encode_tree(nlohmann::json header, BaseTree tree) {
  Numbering numbering = number_frames(tree);
  EncodedLabels labels = encode_labels(tree.label_sets);
  header["format"] = 2;
  header["names"] = numbering.names.size();
  header["frames"] = numbering.frames.size();
  header["nodes"] = tree.size();
  header["labels"] = std::move(labels.keys);
  header["words"] = labels.words.size();
  header["label_sets"] = tree.label_sets.size() - 1;
  header["rows"] = tree.rows();
  header["time"] = nullptr;
  if (uint32_t steps = time_steps(tree)) header["time"] = {{"step_ns", tree.time_step_ns}, {"count", steps}};
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  // Most varints are a byte or two.
  out.reserve(text.size() + tree.size() * 4 + tree.rows() * (2 + 3 * tree.values.size()));
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
