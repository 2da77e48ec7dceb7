#include "profile/otlp/otlp_dictionary.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/formatted.h"
#include "profile/codec/utf8.h"
#include "profile/formats/frame_text.h"
#include "profile/formats/pprof_extensions.h"
#include "profile/model/label_values.h"
#include "profile/otlp/otlp_fields.h"

namespace hearth::profile {
namespace {

using proto::Message;

// From UCUM's code.
std::string_view unit_of_code(std::string_view code) {
  if (code == "By") return "bytes";
  if (code == "ns") return "nanoseconds";
  return code == "1" ? "count" : code;
}

template <typename Item>
const Item& item(const std::vector<Item>& table, uint64_t index, const char* name, const ByteReader& where) {
  if (index >= table.size()) where.fail(formatted("{} {} is not in its table", name, index));
  return table[index];
}

// Of an AnyValue; other values than texts and numbers are left out.
void read_value(Message message, Label* label) {
  while (message.next()) {
    double number = 0;
    uint64_t bits = 0;
    if (message.field() == any_value_field::kString) label->text = message.bytes();
    if (message.field() == any_value_field::kInt) label->number = message.signed_number();
    if (message.field() == any_value_field::kBool) label->text = message.number() != 0 ? "true" : "false";
    if (message.field() != any_value_field::kDouble) continue;
    message.fixed64s([&bits](uint64_t value) { bits = value; });
    std::memcpy(&number, &bits, sizeof number);
    label->text = formatted("{}", number);
  }
}

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  bool is_none = bytes.find_first_not_of('\0') == std::string_view::npos;
  for (char byte : is_none ? "" : bytes) text += formatted("{:02x}", static_cast<uint8_t>(byte));
  return text;
}

}  // namespace

OtlpDictionary::OtlpDictionary(const Message& message, Profile* profile, ExpansionLimit* limit)
    : profile_(profile), limit_(limit) {
  auto each = [&message](uint32_t field, const auto& read) {
    for (Message one = message; one.next();)
      if (one.field() == field) read(one);
  };
  each(dictionary_field::kString, [this](const Message& one) { strings_.push_back(one.bytes()); });
  each(dictionary_field::kFunction, [this](const Message& one) { read_function(one.message()); });
  each(dictionary_field::kMapping, [this](const Message& one) {
    mappings_.emplace_back();
    for (Message mapping = one.message(); mapping.next();)
      if (mapping.field() == otlp_mapping_field::kFileName) mappings_.back() = string(mapping);
  });
  each(dictionary_field::kAttribute, [this](const Message& one) {
    attributes_.push_back(read_attribute(one.message()));
    const Label& made = attributes_.back();
    limit_->spend(sizeof made + made.key.size() + made.text.size() + made.unit.size(), one.where());
  });
  each(dictionary_field::kLocation, [this](const Message& one) {
    locations_.push_back(frames_of(one.message()));
    limit_->spend(sizeof(Frames) + locations_.back().size() * sizeof(LocationId), one.where());
  });
  each(dictionary_field::kLink, [this](const Message& one) {
    for (auto& ids : links_) ids.emplace_back();
    for (Message link = one.message(); link.next();)
      if (link.field() == link_field::kTrace || link.field() == link_field::kSpan)
        links_[link.field() - link_field::kTrace].back() = hexadecimal(link.bytes());
  });
  each(dictionary_field::kStack, [this](const Message& one) { stacks_.push_back(one.message()); });
  nodes_.resize(stacks_.size());
}

std::string_view OtlpDictionary::string(uint64_t index, const ByteReader& where) const {
  return index == 0 ? std::string_view() : item(strings_, index, "string", where);
}

void OtlpDictionary::read_function(Message message) {
  Function function{0, 0, 0, FrameKind::kNative};
  while (message.next()) {
    if (message.field() == otlp_function_field::kName) function.name = profile_->string(string(message));
    if (message.field() == otlp_function_field::kSystemName) function.system_name = profile_->string(string(message));
    if (message.field() == otlp_function_field::kFileName) function.file = profile_->string(string(message));
  }
  if (function.name == 0) function.name = function.system_name;
  if (function.system_name == 0) function.system_name = function.name;
  limit_->spend(profile_->text(function.name).size() + sizeof function, message.where());
  functions_.push_back(function);
}

Label OtlpDictionary::read_attribute(Message message) const {
  Label label;
  while (message.next()) {
    if (message.field() == key_value_field::kKey) label.key = shown_text(string(message));
    if (message.field() == key_value_field::kValue) read_value(message.message(), &label);
    if (message.field() == key_value_field::kUnit) label.unit = shown_text(unit_of_code(string(message)));
  }
  if (label.key == kThreadNameKey) label.key = kThreadLabel;
  if (label.key == kThreadIdKey) label.key = "tid";
  return label;
}

Label OtlpDictionary::read_key_value(Message message) {
  Label label;
  while (message.next()) {
    if (message.field() == key_value_field::kKey) label.key = shown_text(message.bytes());
    if (message.field() == key_value_field::kValue) read_value(message.message(), &label);
  }
  label.text = shown_text(label.text);
  return label;
}

void OtlpDictionary::read_comments(Message message, std::vector<std::string>* comments) {
  Message copy = message;
  if (read_key_value(copy).key != kCommentsKey) return;
  while (message.next()) {
    if (message.field() != key_value_field::kValue) continue;
    for (Message value = message.message(); value.next();) {
      if (value.field() != any_value_field::kArray) continue;
      for (Message list = value.message(); list.next();) {
        Label text;
        if (list.field() == array_value_field::kValues) read_value(list.message(), &text);
        comments->push_back(std::move(text.text));
      }
    }
  }
}

// By the location's attribute, else by the name.
FrameKind OtlpDictionary::kind_of(Message location, std::string_view name) const {
  std::string_view type;
  while (location.next()) {
    if (location.field() != otlp_location_field::kAttributes) continue;
    location.numbers([&](uint64_t index) {
      const Label& label = item(attributes_, index, "attribute", location.where());
      if (label.key == kFrameTypeKey) type = label.text;
    });
  }
  if (type == kJvmFrameType) return FrameKind::kJit;
  const auto* word = std::find(std::begin(kKindWords), std::end(kKindWords), type);
  return word == std::end(kKindWords) ? kind_of_name(name) : static_cast<FrameKind>(word - std::begin(kKindWords));
}

OtlpDictionary::Frames OtlpDictionary::frames_of(Message location) {
  Frames frames;
  std::string_view file;
  uint64_t address = 0;
  auto add = [&](Function function, uint64_t line) {
    std::string_view name = profile_->text(function.name);
    limit_->spend(name.size(), location.where());  // trees spell each location
    function.kind = kind_of(location, name);
    bool fits = line <= std::numeric_limits<uint32_t>::max();
    frames.push_back(profile_->location(profile_->function(function), fits ? static_cast<uint32_t>(line) : 0));
  };
  for (Message message = location; message.next();) {
    if (message.field() == otlp_location_field::kMapping)
      file = item(mappings_, message.number(), "mapping", message.where());
    if (message.field() == otlp_location_field::kAddress) address = message.number();
    if (message.field() != otlp_location_field::kLines) continue;
    uint64_t function = 0, number = 0;
    for (Message line = message.message(); line.next();) {
      if (line.field() == proto::line_field::kFunctionId) function = line.number();
      if (line.field() == proto::line_field::kLine) number = line.number();
    }
    add(item(functions_, function, "function", message.where()), number);
  }
  if (frames.empty() && (!file.empty() || address != 0)) {
    std::string name = file.empty() ? formatted("{:#x}", address) : formatted("[{}]", file.substr(file.rfind('/') + 1));
    StringId text = profile_->string(name);
    add({text, text, 0, FrameKind::kNative}, 0);
  }
  std::reverse(frames.begin(), frames.end());
  return frames;
}

ValueType OtlpDictionary::value_type(Message message) const {
  ValueType type;
  while (message.next()) {
    if (message.field() == proto::value_type_field::kType) type.type = shown_text(string(message));
    if (message.field() == proto::value_type_field::kUnit) type.unit = shown_text(unit_of_code(string(message)));
  }
  limit_->spend(type.type.size() + type.unit.size(), message.where());
  return type;
}

NodeId OtlpDictionary::stack(uint64_t index, const ByteReader& where) {
  if (index == 0 && stacks_.empty()) return 0;
  Message message = item(stacks_, index, "stack", where);
  if (nodes_[index]) return *nodes_[index];
  std::vector<uint64_t> ids;  // innermost first
  while (message.next())
    if (message.field() == stack_field::kLocations) message.numbers([&ids](uint64_t id) { ids.push_back(id); });
  NodeId node = 0;
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    const Frames& frames = item(locations_, *id, "location", message.where());
    limit_->spend(frames.size() * kNodeCost, message.where());
    for (LocationId location : frames) node = profile_->child(node, location);
  }
  nodes_[index] = node;
  return node;
}

LabelSet OtlpDictionary::labels(std::string_view attributes, uint64_t link, const ByteReader& where) const {
  LabelSet set;
  for (ByteReader reader(attributes, kOtlpInput); !reader.at_end();) {
    const Label& label = item(attributes_, reader.varint(), "attribute", where);
    if (!label.key.empty()) set.push_back(label);
  }
  if (link == 0) return set;
  const std::string& trace = item(links_[0], link, "link", where);
  if (!trace.empty()) set.push_back({std::string(kTraceIdLabel), trace, 0, ""});
  if (!links_[1][link].empty()) set.push_back({std::string(kSpanIdLabel), links_[1][link], 0, ""});
  return set;
}

}  // namespace hearth::profile
