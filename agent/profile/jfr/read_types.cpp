#include "profile/jfr/read_types.h"

#include <charconv>
#include <string>

#include "base/formatted.h"

namespace hearth::profile::jfr::recorded {
namespace {

constexpr size_t kDeepest = 16;  // of elements; the JDK's metadata have 5

TimeUnit unit_of(std::string_view word) {
  if (word == "NANOSECONDS" || word == "NANOSECONDS_SINCE_EPOCH") return TimeUnit::kNanoseconds;
  if (word == "MICROSECONDS") return TimeUnit::kMicroseconds;
  if (word == "MILLISECONDS" || word == "MILLISECONDS_SINCE_EPOCH") return TimeUnit::kMilliseconds;
  if (word == "SECONDS" || word == "SECONDS_SINCE_EPOCH") return TimeUnit::kSeconds;
  return TimeUnit::kTicks;
}

}  // namespace

Types::Types(Input event) {
  read_strings(&event);
  read_element(&event, 0, 0);
  resolve_units();
}

const Type* Types::of(uint64_t id) const {
  auto found = types_.find(id);
  return found == types_.end() ? nullptr : &found->second;
}

uint64_t Types::id_of(std::string_view name) const {
  auto found = ids_.find(name);
  return found == ids_.end() ? 0 : found->second;
}

void Types::read_strings(Input* event) {
  size_t count = event->count();
  strings_.reserve(count);
  std::string decoded;
  for (size_t i = 0; i < count; ++i) {
    uint64_t constant = 0;
    strings_.push_back(texts_.copy(event->string(&decoded, &constant)));
  }
}

void Types::read_attributes(Input* event) {
  attributes_.clear();
  for (size_t count = event->count(); count > 0; --count) {
    uint64_t key = event->number(4), value = event->number(4);
    if (key >= strings_.size() || value >= strings_.size()) event->fail("a string that its metadata lack");
    attributes_.push_back({strings_[key], strings_[value]});
  }
}

std::string_view Types::attribute(std::string_view key) const {
  for (const Attribute& one : attributes_)
    if (one.key == key) return one.value;
  return {};
}

uint64_t Types::number(std::string_view key) const {
  std::string_view text = attribute(key);
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// `owner`: type of the class that the element is part of.
void Types::read_element(Input* event, uint64_t owner, size_t depth) {
  if (depth > kDeepest) event->fail("its metadata nest too deep");
  uint64_t name_id = event->number(4);
  if (name_id >= strings_.size()) event->fail("a string that its metadata lack");
  std::string_view name = strings_[name_id];
  read_attributes(event);
  if (name == "class") {
    owner = number("id");
    types_[owner].name = attribute("name");
    ids_[attribute("name")] = owner;
  } else if (name == "field" && owner != 0) {
    bool is_constant = attribute("constantPool") == "true", is_array = number("dimension") > 0;
    types_[owner].fields.push_back({attribute("name"), number("class"), is_constant, is_array, TimeUnit::kNone});
  } else if (name == "annotation" && owner != 0 && !types_[owner].fields.empty()) {
    annotations_.push_back({owner, types_[owner].fields.size() - 1, number("class"), attribute("value")});
  }
  for (size_t count = event->count(); count > 0; --count) read_element(event, owner, depth + 1);
}

// An annotation may come before its type.
void Types::resolve_units() {
  uint64_t timespan = id_of("jdk.jfr.Timespan"), timestamp = id_of("jdk.jfr.Timestamp");
  for (const Annotation& one : annotations_) {
    bool is_unit = one.type != 0 && (one.type == timespan || one.type == timestamp);
    // The default of both annotations.
    std::string_view word = one.value.empty() ? "NANOSECONDS" : one.value;
    if (is_unit) types_[one.owner].fields[one.field].unit = unit_of(word);
  }
}

}  // namespace hearth::profile::jfr::recorded
