#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/formatted.h"
#include "profile/bytes.h"
#include "profile/page_data.h"
#include "profile/quality.h"

namespace hearth::profile {
namespace {

constexpr const char* kWhat = "the page's data";
constexpr int64_t kNanosecondsPerMillisecond = 1'000'000;

// Fields of a stranger's JSON: a missing or mistyped one is as good as none.
std::string text_field(const nlohmann::json& object, const char* key) {
  auto field = object.find(key);
  return field != object.end() && field->is_string() ? field->get<std::string>() : "";
}

int64_t number_field(const nlohmann::json& object, const char* key) {
  auto field = object.find(key);
  return field != object.end() && field->is_number_integer() ? field->get<int64_t>() : 0;
}

class PageReader {
 public:
  explicit PageReader(std::string_view payload) : reader_(payload, kWhat), limit_(payload.size()) {}

  Profile read() {
    read_header();
    read_names();
    read_frames();
    read_nodes();
    return std::move(profile_);
  }

 private:
  void read_header();
  void read_names();
  void read_frames();
  void read_nodes();
  // A count of things that take at least `least` bytes each.
  uint64_t count_field(const nlohmann::json& header, const char* key, size_t least);

  ByteReader reader_;
  ExpansionLimit limit_;
  Profile profile_;
  uint64_t name_count_ = 0;
  uint64_t frame_count_ = 0;
  uint64_t node_count_ = 0;
  uint64_t deviation_columns_ = 0;
  std::vector<StringId> names_;
  std::vector<LocationId> frames_;
};

uint64_t PageReader::count_field(const nlohmann::json& header, const char* key, size_t least) {
  auto field = header.find(key);
  if (field == header.end() || !field->is_number_unsigned()) reader_.fail(formatted("its header has no {}", key));
  uint64_t count = field->get<uint64_t>();
  if (count > reader_.left() / least)
    reader_.fail(formatted("its header promises {} {}, which it cannot hold", count, key));
  return count;
}

void PageReader::read_header() {
  std::string_view text = reader_.take(reader_.varint());
  nlohmann::json header = nlohmann::json::parse(text, nullptr, false);
  if (!header.is_object()) reader_.fail("its header is not a JSON object");
  if (number_field(header, "format") != 1)
    throw FormatError(
        formatted("{} is of format {}; this version reads format 1", kWhat, number_field(header, "format")));
  if (header.contains("difference"))
    throw FormatError("the page shows a difference of two profiles and is none itself; read those two");
  Metadata& about = profile_.metadata;
  about.title = text_field(header, "title");
  about.event = text_field(header, "event");
  about.producer = text_field(header, "producer");
  about.runtime = text_field(header, "runtime");
  about.interval = number_field(header, "interval");
  about.duration_ns = number_field(header, "duration_ns");
  if (__builtin_mul_overflow(number_field(header, "start_unix_ms"), kNanosecondsPerMillisecond, &about.start_unix_ns))
    about.start_unix_ns = 0;
  auto values = header.find("values");
  if (values == header.end() || !values->is_array()) reader_.fail("its header has no values");
  for (const auto& value : *values) {
    if (!value.is_object()) reader_.fail("its header has a value that is not an object");
    profile_.value_types.push_back({text_field(value, "type"), text_field(value, "unit"),
                                    number_field(value, "interval"),
                                    std::max<int64_t>(number_field(value, "threshold"), 0)});
    auto deviations = value.find("deviations");
    if (deviations != value.end() && *deviations == true) deviation_columns_++;
  }
  auto quality = header.find("quality");
  if (quality != header.end()) profile_.quality = quality_of_json(*quality);
  name_count_ = count_field(header, "names", 2);
  frame_count_ = count_field(header, "frames", 2);
  node_count_ = count_field(header, "nodes", 2 + profile_.value_types.size() + deviation_columns_);
}

void PageReader::read_names() {
  names_.reserve(name_count_);
  std::string name;
  for (uint64_t i = 0; i < name_count_; ++i) {
    uint64_t shared = reader_.varint();
    if (shared > name.size()) reader_.fail("a name shares more bytes than the one before has");
    name.resize(shared);
    name += reader_.take(reader_.varint());
    limit_.spend(name.size(), reader_);
    names_.push_back(profile_.string(name));
  }
}

void PageReader::read_frames() {
  frames_.reserve(frame_count_);
  for (uint64_t i = 0; i < frame_count_; ++i) {
    uint64_t name = reader_.varint();
    uint8_t kind = reader_.byte();
    if (name >= names_.size()) reader_.fail("a frame has a name that is not there");
    if (kind >= kFrameKinds) reader_.fail(formatted("a frame is of kind {}, which this version does not know", kind));
    FunctionId function = profile_.function({names_[name], names_[name], 0, static_cast<FrameKind>(kind)});
    frames_.push_back(profile_.location(function, 0));
  }
}

void PageReader::read_nodes() {
  std::vector<uint32_t> ups(node_count_);
  std::vector<NodeId> path{0};
  for (uint32_t& up : ups) {
    uint64_t read = reader_.varint();
    if (read > node_count_) reader_.fail("a node has no parent");
    up = static_cast<uint32_t>(read);
  }
  std::vector<NodeId> nodes(node_count_);
  for (uint64_t i = 0; i < node_count_; ++i) {
    uint64_t frame = reader_.varint();
    if (ups[i] >= path.size()) reader_.fail("a node has no parent");
    if (frame >= frames_.size()) reader_.fail("a node has a frame that is not there");
    path.resize(path.size() - ups[i]);
    nodes[i] = profile_.child(path.back(), frames_[frame]);
    path.push_back(nodes[i]);
  }
  size_t types = profile_.value_types.size();
  std::vector<int64_t> values(node_count_ * types);  // by node, then value type
  for (size_t type = 0; type < types; ++type) {
    for (uint64_t i = 0; i < node_count_; ++i) {
      uint64_t value = reader_.varint();
      if (value > INT64_MAX) reader_.fail("a value is more than 2^63-1");
      values[i * types + type] = static_cast<int64_t>(value);
    }
  }
  // They follow from the samples, which a page has merged: only a profile with its samples can say them again.
  for (uint64_t i = 0; i < node_count_ * deviation_columns_; ++i) reader_.varint();
  for (uint64_t i = 0; i < node_count_; ++i) {
    const int64_t* own = values.data() + i * types;
    bool weighs = false;
    for (size_t type = 0; type < types; ++type) weighs = weighs || own[type] != 0;
    if (weighs) profile_.add(nodes[i], 0, own);
  }
}

}  // namespace

Profile decode_page_data(std::string_view payload) {
  return PageReader(payload).read();
}

}  // namespace hearth::profile
