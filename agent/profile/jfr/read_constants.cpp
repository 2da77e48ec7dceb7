#include "profile/jfr/read_constants.h"

#include "profile/jfr/layout.h"

namespace hearth::profile::jfr::recorded {

Pool::Pool(const Types& types, std::string_view type, const std::vector<std::string_view>& wanted)
    : type_(types.id_of(type)), width_(wanted.size()) {
  if (type_ != 0) reader_ = RecordReader(types, type_, wanted);
}

void Pool::read(size_t count, Input* input) {
  Record record{};
  for (; count > 0; --count) {
    uint64_t id = input->number();
    reader_.read(input, &record);
    uint32_t constant = index_.find_or_claim(mix(id), [&](uint32_t other) { return ids_[other] == id; });
    if (constant == ids_.size()) {
      ids_.push_back(id);
      values_.resize(values_.size() + width_);
    }
    for (size_t wanted = 0; wanted < width_; ++wanted) values_[constant * width_ + wanted] = record[wanted];
  }
}

std::optional<uint32_t> Pool::find(uint64_t id) const {
  return index_.find(mix(id), [&](uint32_t constant) { return ids_[constant] == id; });
}

Constants::Constants(const Input& chunk, const Types& types)
    : stack_traces(types, type::kStackTrace, {"frames", "truncated"}),
      methods(types, type::kMethod, {"type", "name", "descriptor"}),
      classes(types, type::kClass, {"name"}),
      symbols(types, type::kSymbol, {"string"}),
      threads(types, type::kThread, {"javaName", "osName", "osThreadId", "javaThreadId"}),
      frame_types(types, type::kFrameType, {"description"}),
      thread_states(types, type::kThreadState, {"name"}),
      strings(types, type::kString, {"value"}),
      old_objects(types, type::kOldObject, {"type"}),
      chunk_(chunk),
      types_(types) {}

void Constants::read(size_t at) {
  Input input = chunk_.event_fields(at);
  input.number();  // distance to the checkpoint before
  input.byte();    // kind of checkpoint
  Pool* const pools[] = {&stack_traces, &methods,       &classes, &symbols,    &threads,
                         &frame_types,  &thread_states, &strings, &old_objects};
  for (size_t count = input.count(); count > 0; --count) {
    uint64_t type = input.number();
    size_t constants = input.count();
    Pool* wanted = nullptr;
    for (Pool* pool : pools)
      if (pool->type() == type && type != 0) wanted = pool;
    if (wanted != nullptr)
      wanted->read(constants, &input);
    else
      skip(type, constants, &input);
  }
}

void Constants::skip(uint64_t type, size_t count, Input* input) {
  auto found = skipped_.find(type);
  if (found == skipped_.end()) found = skipped_.emplace(type, RecordReader(types_, type, {})).first;
  for (; count > 0; --count) {
    input->number();  // id
    found->second.skip(input);
  }
}

std::string_view Constants::string_at(uint64_t offset) {
  // A constant is a string itself; a string that refers to one which refers to another is damaged.
  for (int references = 0; offset != 0 && references < 3; ++references) {
    uint64_t constant = 0;
    std::string_view text = chunk_.from(offset).string(&text_, &constant);
    if (constant == 0) return text;
    std::optional<uint32_t> known = strings.find(constant);
    offset = known ? strings.field(*known, field::kWord) : 0;
  }
  return {};
}

std::string_view Constants::text(const RecordReader& reader, const Record& record, size_t wanted) {
  return reader.is_constant(wanted) ? word(strings, record[wanted]) : string_at(record[wanted]);
}

std::string_view Constants::symbol(uint64_t id) {
  return word(symbols, id);
}

std::string_view Constants::class_name(uint64_t id) {
  std::optional<uint32_t> known = classes.find(id);
  return known ? symbol(classes.field(*known, field::kClassName)) : std::string_view();
}

std::string_view Constants::word(const Pool& pool, uint64_t id) {
  std::optional<uint32_t> known = pool.find(id);
  return known ? string_at(pool.field(*known, 0)) : std::string_view();
}

}  // namespace hearth::profile::jfr::recorded
