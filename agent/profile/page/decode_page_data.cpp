#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/formatted.h"
#include "profile/codec/bytes.h"
#include "profile/codec/utf8.h"
#include "profile/model/event_view.h"
#include "profile/model/quality.h"
#include "profile/page/page_data.h"

namespace hearth::profile {
namespace {

constexpr const char* kWhat = "the page's data";
constexpr int64_t kNanosecondsPerMillisecond = 1'000'000;
// Parsed JSON takes many times its length, and is short in valid pages.
constexpr uint64_t kLongestHeader = uint64_t{16} << 20;

// Fields of untrusted JSON: a missing or mistyped one counts as absent. Texts are printed on terminals.
std::string text_field(const nlohmann::json& object, const char* key) {
  auto field = object.find(key);
  return field != object.end() && field->is_string() ? shown_text(field->get<std::string>()) : "";
}

int64_t number_field(const nlohmann::json& object, const char* key) {
  auto field = object.find(key);
  return field != object.end() && field->is_number_integer() ? field->get<int64_t>() : 0;
}

class PageReader {
 public:
  PageReader(std::string_view payload, size_t stored) : reader_(payload, kWhat), limit_(payload.size(), stored) {}

  Profile read() {
    nlohmann::json header = read_header();
    read_names();
    read_frames();
    read_nodes();
    if (is_first_format_) {
      read_values(std::vector<uint64_t>(nodes_.size(), 1), {}, {});
    } else {
      read_label_sets(header);
      read_rows();
    }
    return std::move(profile_);
  }

 private:
  struct LabelKey {
    std::string key;
    std::string unit;
    bool is_number;
  };

  nlohmann::json read_header();
  void read_counts(const nlohmann::json& header);
  void read_time(const nlohmann::json& header);
  template <typename Take>
  void read_texts(uint64_t count, const Take& take);
  void read_names();
  void read_frames();
  void read_nodes();
  std::vector<LabelKey> read_label_keys(const nlohmann::json& header);
  Label read_label(const std::vector<LabelKey>& keys, const std::vector<std::string>& words);
  void read_label_sets(const nlohmann::json& header);
  void read_rows();
  void read_values(const std::vector<uint64_t>& rows_of_node, const std::vector<LabelSetId>& labels,
                   const std::vector<TimeStep>& times);
  // A number of items, each of at least `least` bytes.
  uint64_t count_field(const nlohmann::json& header, const char* key, size_t least);

  ByteReader reader_;
  ExpansionLimit limit_;
  Profile profile_;
  bool is_first_format_ = false;
  uint64_t name_count_ = 0;
  uint64_t frame_count_ = 0;
  uint64_t node_count_ = 0;
  uint64_t word_count_ = 0;
  uint64_t label_set_count_ = 0;
  uint64_t row_count_ = 0;
  uint64_t time_steps_ = 0;
  uint64_t deviation_columns_ = 0;
  std::vector<StringId> names_;
  std::vector<LocationId> frames_;
  std::vector<NodeId> nodes_;
  std::vector<LabelSetId> label_sets_{0};
};

uint64_t PageReader::count_field(const nlohmann::json& header, const char* key, size_t least) {
  auto field = header.find(key);
  if (field == header.end() || !field->is_number_unsigned()) reader_.fail(formatted("its header has no {}", key));
  uint64_t count = field->get<uint64_t>();
  if (count > reader_.left() / least)
    reader_.fail(formatted("its header promises {} {}, which it cannot hold", count, key));
  return count;
}

nlohmann::json PageReader::read_header() {
  uint64_t length = reader_.varint();
  if (length > kLongestHeader) reader_.fail(formatted("its header is longer than {} MiB", kLongestHeader >> 20));
  std::string_view text = reader_.take(length);
  nlohmann::json header = nlohmann::json::parse(text, nullptr, false);
  if (!header.is_object()) reader_.fail("its header is not a JSON object");
  int64_t format = number_field(header, "format");
  if (format != 1 && format != 2)
    throw FormatError(formatted("{} is of format {}; this version reads formats 1 and 2", kWhat, format));
  is_first_format_ = format == 1;
  if (header.contains("difference"))
    throw FormatError("the page shows a difference of two profiles and is none itself; read those two");
  Metadata& about = profile_.metadata;
  about.title = text_field(header, "title");
  about.event = text_field(header, "event");
  about.producer = text_field(header, "producer");
  about.runtime = text_field(header, "runtime");
  about.program = text_field(header, "program");
  about.pid = text_field(header, "pid");
  about.host = text_field(header, "host");
  about.interval = number_field(header, "interval");
  about.duration_ns = number_field(header, "duration_ns");
  if (__builtin_mul_overflow(number_field(header, "start_unix_ms"), kNanosecondsPerMillisecond, &about.start_unix_ns))
    about.start_unix_ns = 0;
  auto values = header.find("values");
  if (values == header.end() || !values->is_array()) reader_.fail("its header has no values");
  if (values->size() > kMostValueTypes)
    reader_.fail(formatted("it has {} values; this version reads {}", values->size(), kMostValueTypes));
  for (const auto& value : *values) {
    if (!value.is_object()) reader_.fail("its header has a value that is not an object");
    profile_.value_types.push_back({text_field(value, "type"), text_field(value, "unit"),
                                    number_field(value, "interval"),
                                    std::max<int64_t>(number_field(value, "threshold"), 0)});
    auto deviations = value.find("deviations");
    if (deviations != value.end() && *deviations == true) deviation_columns_++;
  }
  about.shown_event = event_of_value(profile_, static_cast<size_t>(number_field(header, "lens")));
  auto quality = header.find("quality");
  if (quality != header.end()) profile_.quality = quality_of_json(*quality);
  if (!is_first_format_) read_time(header);
  read_counts(header);
  return header;
}

void PageReader::read_counts(const nlohmann::json& header) {
  size_t values = profile_.value_types.size() + deviation_columns_;
  name_count_ = count_field(header, "names", 2);
  frame_count_ = count_field(header, "frames", is_first_format_ ? 2 : 3);
  node_count_ = count_field(header, "nodes", is_first_format_ ? 2 + values : 3);
  row_count_ = node_count_;
  if (is_first_format_) return;
  word_count_ = count_field(header, "words", 2);
  label_set_count_ = count_field(header, "label_sets", 1);
  row_count_ = count_field(header, "rows", std::max<size_t>(values, 1));
}

void PageReader::read_time(const nlohmann::json& header) {
  auto time = header.find("time");
  if (time == header.end() || !time->is_object()) return;
  int64_t step = number_field(*time, "step_ns"), count = number_field(*time, "count");
  if (step <= 0 || count < 0 || count > kMostTimeSteps) reader_.fail("its header has an impossible time axis");
  profile_.metadata.time_step_ns = step;
  time_steps_ = static_cast<uint64_t>(count);
}

template <typename Take>
void PageReader::read_texts(uint64_t count, const Take& take) {
  std::string text;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t shared = reader_.varint();
    if (shared > text.size()) reader_.fail("a name shares more bytes than the one before has");
    text.resize(shared);
    text += reader_.take(reader_.varint());
    limit_.spend(text.size(), reader_);
    take(text);
  }
}

void PageReader::read_names() {
  names_.reserve(name_count_);
  read_texts(name_count_, [&](const std::string& name) { names_.push_back(profile_.string(name)); });
}

void PageReader::read_frames() {
  frames_.reserve(frame_count_);
  for (uint64_t i = 0; i < frame_count_; ++i) {
    uint64_t name = reader_.varint();
    uint8_t kind = reader_.byte();
    uint64_t line = is_first_format_ ? 0 : reader_.varint();
    if (name >= names_.size()) reader_.fail("a frame has an unknown name");
    if (kind >= kFrameKinds) reader_.fail(formatted("a frame is of kind {}, which this version does not know", kind));
    if (line > UINT32_MAX) reader_.fail(formatted("a frame has line {}", line));
    limit_.spend(profile_.text(names_[name]).size(), reader_);  // trees spell each frame
    FunctionId function = profile_.function({names_[name], names_[name], 0, static_cast<FrameKind>(kind)});
    frames_.push_back(profile_.location(function, static_cast<uint32_t>(line)));
  }
}

void PageReader::read_nodes() {
  limit_.spend(node_count_ * kNodeCost, reader_);
  std::vector<uint32_t> ups(node_count_);
  std::vector<NodeId> path{0};
  for (uint32_t& up : ups) {
    uint64_t read = reader_.varint();
    if (read > node_count_) reader_.fail("a node has no parent");
    up = static_cast<uint32_t>(read);
  }
  nodes_.resize(node_count_);
  for (uint64_t i = 0; i < node_count_; ++i) {
    uint64_t frame = reader_.varint();
    if (ups[i] >= path.size()) reader_.fail("a node has no parent");
    if (frame >= frames_.size()) reader_.fail("a node has an unknown frame");
    path.resize(path.size() - ups[i]);
    nodes_[i] = profile_.child(path.back(), frames_[frame]);
    path.push_back(nodes_[i]);
  }
}

std::vector<PageReader::LabelKey> PageReader::read_label_keys(const nlohmann::json& header) {
  std::vector<LabelKey> keys;
  auto labels = header.find("labels");
  if (labels == header.end() || !labels->is_array()) reader_.fail("its header has no labels");
  for (const auto& label : *labels) {
    if (!label.is_object()) reader_.fail("its header has a label that is not an object");
    keys.push_back({text_field(label, "key"), text_field(label, "unit"), label.contains("unit")});
  }
  return keys;
}

Label PageReader::read_label(const std::vector<LabelKey>& keys, const std::vector<std::string>& words) {
  uint64_t number = reader_.varint();
  uint64_t value = reader_.varint();
  if (number >= keys.size()) reader_.fail("a label has an unknown key");
  const LabelKey& key = keys[number];
  if (key.is_number) return {key.key, "", unzigzag(value), key.unit};
  if (value >= words.size()) reader_.fail("a label has an unknown word");
  return {key.key, words[value], 0, ""};
}

void PageReader::read_label_sets(const nlohmann::json& header) {
  std::vector<LabelKey> keys = read_label_keys(header);
  std::vector<std::string> words;
  words.reserve(word_count_);
  read_texts(word_count_, [&](const std::string& word) { words.push_back(word); });
  for (uint64_t i = 0; i < label_set_count_; ++i) {
    LabelSet set;
    for (uint64_t left = reader_.varint(); left > 0; --left) {
      set.push_back(read_label(keys, words));
      const Label& label = set.back();
      limit_.spend(sizeof label + label.key.size() + label.text.size() + label.unit.size(), reader_);
    }
    label_sets_.push_back(profile_.label_set(std::move(set)));
  }
}

void PageReader::read_rows() {
  std::vector<uint64_t> rows_of_node(node_count_);
  uint64_t left = row_count_;
  for (uint64_t& rows : rows_of_node) {
    rows = reader_.varint();
    if (rows > left) reader_.fail("nodes have more rows than there are");
    left -= rows;
  }
  if (left > 0) reader_.fail("nodes have fewer rows than there are");
  std::vector<LabelSetId> labels(label_set_count_ > 0 ? row_count_ : 0);
  for (LabelSetId& set : labels) {
    uint64_t number = reader_.varint();
    if (number >= label_sets_.size()) reader_.fail("a row has unknown labels");
    set = label_sets_[number];
  }
  std::vector<TimeStep> times(profile_.metadata.time_step_ns > 0 ? row_count_ : 0);
  for (TimeStep& time : times) {
    uint64_t number = reader_.varint();
    if (number > time_steps_) reader_.fail("a row has an unknown time");
    time = number == 0 ? kNoTime : static_cast<TimeStep>(number - 1);
  }
  read_values(rows_of_node, labels, times);
}

// Skips the deviations: they follow from the samples, which the page may have merged, so they would be wrong in the
// result.
void PageReader::read_values(const std::vector<uint64_t>& rows_of_node, const std::vector<LabelSetId>& labels,
                             const std::vector<TimeStep>& times) {
  size_t types = profile_.value_types.size();
  std::vector<int64_t> values(row_count_ * types);  // by row, then value type
  for (size_t type = 0; type < types; ++type) {
    for (uint64_t row = 0; row < row_count_; ++row) {
      uint64_t value = reader_.varint();
      if (value > INT64_MAX) reader_.fail("a value is more than 2^63-1");
      values[row * types + type] = static_cast<int64_t>(value);
    }
  }
  for (uint64_t i = 0; i < row_count_ * deviation_columns_; ++i) reader_.varint();
  uint64_t row = 0;
  for (uint64_t node = 0; node < node_count_; ++node) {
    for (uint64_t end = row + rows_of_node[node]; row < end; ++row) {
      const int64_t* own = values.data() + row * types;
      if (std::all_of(own, own + types, [](int64_t value) { return value == 0; })) continue;
      profile_.add(nodes_[node], labels.empty() ? 0 : labels[row], own, times.empty() ? kNoTime : times[row]);
    }
  }
}

}  // namespace

Profile decode_page_data(std::string_view payload, size_t stored) {
  return PageReader(payload, stored).read();
}

}  // namespace hearth::profile
