#include <map>
#include <utility>

#include "profile/jfr/layout.h"
#include "profile/jfr/write_chunk.h"

namespace hearth::profile::jfr {
namespace {

// An element of the tree that the metadata is.
struct Element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Element> children;
};

std::string id_text(TypeId type) {
  return std::to_string(static_cast<int>(type));
}

Element annotation(TypeId type, std::string_view value = "") {
  Element element = {"annotation", {{"class", id_text(type)}}, {}};
  if (!value.empty()) element.attributes.emplace_back("value", value);
  return element;
}

void add_label(std::string_view label, Element* element) {
  if (!label.empty()) element->children.push_back(annotation(TypeId::kLabel, label));
}

void add_unit(Unit unit, Element* element) {
  auto add = [element](TypeId type, std::string_view value = "") {
    element->children.push_back(annotation(type, value));
  };
  switch (unit) {
    case Unit::kNone:
    case Unit::kOwnSize:
      return;
    case Unit::kTicks:
      return add(TypeId::kTimestamp, "TICKS");
    case Unit::kTickSpan:
      return add(TypeId::kTimespan, "TICKS");
    case Unit::kNanoSpan:
      return add(TypeId::kTimespan, "NANOSECONDS");
    case Unit::kMilliSpan:
      return add(TypeId::kTimespan, "MILLISECONDS");
    case Unit::kEpochMilli:
      return add(TypeId::kTimestamp, "MILLISECONDS_SINCE_EPOCH");
    case Unit::kBytes:
      add(TypeId::kUnsigned);
      return add(TypeId::kDataAmount, "BYTES");
    case Unit::kUnsigned:
      return add(TypeId::kUnsigned);
    case Unit::kAddress:
      add(TypeId::kUnsigned);
      return add(TypeId::kMemoryAddress);
    case Unit::kPercent:
      return add(TypeId::kPercentage);
  }
}

Element field_element(const FieldRow& field) {
  Element element = {"field", {{"name", std::string(field.name)}, {"class", id_text(field.type)}}, {}};
  if (field.storage == FieldRow::kPool) element.attributes.emplace_back("constantPool", "true");
  if (field.storage == FieldRow::kArray) element.attributes.emplace_back("dimension", "1");
  add_label(field.label, &element);
  add_unit(field.unit, &element);
  return element;
}

Element class_element(const TypeRow& row, int64_t first_event) {
  std::string id = std::to_string(number_in_file(row.id, first_event));
  Element element = {"class", {{"name", std::string(row.name)}, {"id", id}}, {}};
  if (row.super == TypeRow::kEvent) element.attributes.emplace_back("superType", "jdk.jfr.Event");
  if (row.super == TypeRow::kAnnotation)
    element.attributes.emplace_back("superType", "java.lang.annotation.Annotation");
  bool is_simple = row.fields.size() == 1 && row.super == TypeRow::kNoSuper && row.fields[0].type == TypeId::kString;
  if (is_simple) element.attributes.emplace_back("simpleType", "true");
  add_label(row.label, &element);
  if (!row.category.empty()) {
    Element category = annotation(TypeId::kCategory);
    for (size_t part = 0; part < row.category.size(); ++part)
      category.attributes.emplace_back("value-" + std::to_string(part), row.category[part]);
    element.children.push_back(std::move(category));
  }
  for (const FieldRow& field : row.fields) element.children.push_back(field_element(field));
  return element;
}

// The texts of the metadata, which refers to them by number.
class Texts {
 public:
  int64_t number_of(const std::string& text) {
    auto [found, is_new] = numbers_.try_emplace(text, static_cast<int64_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& all() const { return texts_; }

 private:
  std::map<std::string, int64_t> numbers_;
  std::vector<std::string> texts_;
};

void put_element(const Element& element, Texts* strings, std::string* out) {
  put_number(strings->number_of(element.name), out);
  put_number(static_cast<int64_t>(element.attributes.size()), out);
  for (const auto& [name, value] : element.attributes) {
    put_number(strings->number_of(name), out);
    put_number(strings->number_of(value), out);
  }
  put_number(static_cast<int64_t>(element.children.size()), out);
  for (const Element& child : element.children) put_element(child, strings, out);
}

Element tree(int64_t first_event) {
  Element types = {"metadata", {}, {}};
  for (const TypeRow& row : type_rows()) types.children.push_back(class_element(row, first_event));
  Element region = {"region", {{"locale", "en_US"}, {"gmtOffset", "0"}}, {}};
  return {"root", {}, {std::move(types), std::move(region)}};
}

}  // namespace

void put_metadata_event(const ChunkClock& clock, int64_t first_event, std::string* out) {
  Texts strings;
  std::string elements;
  put_element(tree(first_event), &strings, &elements);
  // Readers take the metadata of the chunk before where it has the same number; the JVM's are counted from 1.
  constexpr int64_t kNoDuration = 0, kMetadataNumber = 0x68656172;
  std::string content;
  put_number(static_cast<int64_t>(kMetadataEvent), &content);
  put_number(clock.written(clock.ticks), &content);
  put_number(kNoDuration, &content);
  put_number(kMetadataNumber, &content);
  put_number(static_cast<int64_t>(strings.all().size()), &content);
  for (const std::string& text : strings.all()) put_text(text, &content);
  put_sized(content + elements, out);
}

}  // namespace hearth::profile::jfr
