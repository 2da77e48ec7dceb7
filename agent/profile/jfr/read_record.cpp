#include "profile/jfr/read_record.h"

#include <algorithm>
#include <string>

#include "base/formatted.h"
#include "profile/jfr/layout.h"

namespace hearth::profile::jfr::recorded {
namespace {

constexpr size_t kMostSteps = 2048;  // of a type; the JDK's have less than 100
constexpr size_t kDeepest = 8;       // of nested types

struct Primitive {
  std::string_view name;
  unsigned width;
  bool is_integer;  // compressed, if integers are
};
constexpr Primitive kPrimitives[] = {
    {"boolean", 1, false}, {"byte", 1, false}, {"char", 2, true},   {"short", 2, true},
    {"int", 4, true},      {"long", 8, true},  {"float", 4, false}, {"double", 8, false},
};

const Primitive* primitive(std::string_view name) {
  for (const Primitive& one : kPrimitives)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace

class RecordReader::Builder {
 public:
  Builder(const Types& types, const std::vector<std::string_view>& wanted, RecordReader* reader)
      : types_(types), wanted_(wanted), reader_(reader) {}

  // `path`: of the record in the one that is wanted, with a dot at its end.
  void add_type(uint64_t id, const std::string& path, size_t depth) {
    const Type* type = types_.of(id);
    if (type == nullptr) throw FormatError(formatted("the recording has a field of type {}, which it lacks", id));
    if (depth > kDeepest) throw FormatError(formatted("type {} of the recording nests too deep", type->name));
    // Constants that are strings have no fields.
    if (depth == 0 && type->fields.empty() && add_value(*type, 0)) reader_->has_[0] = true;
    for (const Field& field : type->fields) add_field(field, path, depth);
  }

 private:
  void add_field(const Field& field, const std::string& path, size_t depth) {
    std::string name = path.empty() ? "" : path + std::string(field.name);
    uint8_t wanted = number_of(path.empty() ? field.name : std::string_view(name), field);
    if (!field.is_array) return add_one(field, wanted, path, depth);
    size_t array = add({Kind::kArray, 0, wanted, 0});
    std::vector<std::string_view> nothing;
    Builder(types_, nothing, reader_)
        .add_one({field.name, field.type, field.is_constant, false, field.unit}, kUnwanted, "", depth);
    reader_->steps_[array].elements = static_cast<uint32_t>(reader_->steps_.size() - array - 1);
  }

  void add_one(const Field& field, uint8_t wanted, const std::string& path, size_t depth) {
    const Type* type = types_.of(field.type);
    if (field.is_constant)
      add({Kind::kNumber, 8, wanted, 0});
    else if (type == nullptr || !add_value(*type, wanted))
      add_type(field.type, path + std::string(field.name) + ".", depth + 1);
  }

  bool add_value(const Type& type, uint8_t wanted) {
    const Primitive* known = primitive(type.name);
    if (type.name == type::kString) {
      add({Kind::kString, 0, wanted, 0});
    } else if (known != nullptr && known->is_integer) {
      add({Kind::kNumber, static_cast<uint8_t>(known->width), wanted, 0});
    } else if (known != nullptr) {
      bool is_byte = known->width == 1;
      add({is_byte ? Kind::kByte : Kind::kBytes, static_cast<uint8_t>(known->width), wanted, 0});
    }
    return known != nullptr || type.name == type::kString;
  }

  size_t add(const Step& step) {
    if (reader_->steps_.size() == kMostSteps) throw FormatError("a type of the recording has too many fields");
    reader_->steps_.push_back(step);
    return reader_->steps_.size() - 1;
  }

  uint8_t number_of(std::string_view name, const Field& field) {
    auto found = std::find(wanted_.begin(), wanted_.end(), name);
    if (found == wanted_.end() || name.empty()) return kUnwanted;
    auto number = static_cast<size_t>(found - wanted_.begin());
    reader_->has_[number] = true;
    reader_->is_constant_[number] = field.is_constant;
    reader_->units_[number] = field.unit;
    return static_cast<uint8_t>(number);
  }

  const Types& types_;
  const std::vector<std::string_view>& wanted_;
  RecordReader* reader_;
};

RecordReader::RecordReader(const Types& types, uint64_t type, const std::vector<std::string_view>& wanted) {
  Builder(types, wanted, this).add_type(type, "", 0);
}

void RecordReader::read(const std::vector<Step>& steps, Input* input, Record* record) {
  const Step* end = steps.data() + steps.size();
  for (const Step* step = steps.data(); step < end; step += step->elements + 1) read_step(step, input, record);
}

void RecordReader::read_step(const Step* step, Input* input, Record* record) {
  uint64_t value = input->at();
  switch (step->kind) {
    case Kind::kNumber:
      value = input->number(step->width);
      break;
    case Kind::kByte:
      value = input->byte();
      break;
    case Kind::kBytes:
      input->skip(step->width);
      break;
    case Kind::kString:
      input->skip_string();
      break;
    case Kind::kArray:
      skip_elements(step, input);
      break;
  }
  if (step->wanted != kUnwanted) (*record)[step->wanted] = value;
}

// Their number is bounded by the bytes that are left: elements of a type without fields take no time either.
void RecordReader::skip_elements(const Step* array, Input* input) {
  size_t count = input->count();
  if (array->elements == 0) return;
  const Step* end = array + 1 + array->elements;
  Record unwanted{};
  for (; count > 0; --count)
    for (const Step* step = array + 1; step < end; step += step->elements + 1) read_step(step, input, &unwanted);
}

void RecordReader::skip(Input* input) const {
  Record unwanted{};
  read(steps_, input, &unwanted);
}

}  // namespace hearth::profile::jfr::recorded
