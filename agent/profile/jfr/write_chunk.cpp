#include "profile/jfr/write_chunk.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "base/formatted.h"
#include "profile/codec/utf8.h"
#include "profile/jfr/layout.h"

namespace hearth::profile::jfr {

void put_number(int64_t number, std::string* out) {
  constexpr int kMostGroups = 8;
  constexpr uint64_t kMore = 0x80;
  auto rest = static_cast<uint64_t>(number);
  for (int group = 0; group < kMostGroups && rest >= kMore; ++group, rest >>= 7)
    out->push_back(static_cast<char>(rest | kMore));
  out->push_back(static_cast<char>(rest));
}

namespace {

// Symbols have this encoding also where they are empty: some readers know no other one.
void put_utf8(std::string_view text, std::string* out) {
  std::string valid = valid_utf8(text);
  out->push_back(static_cast<char>(StringEncoding::kUtf8));
  put_number(static_cast<int64_t>(valid.size()), out);
  out->append(valid);
}

}  // namespace

void put_text(std::string_view text, std::string* out) {
  if (text.empty()) {
    out->push_back(static_cast<char>(StringEncoding::kEmpty));
    return;
  }
  put_utf8(text, out);
}

void put_sized(std::string_view content, std::string* out) {
  size_t length = 1;
  while ((content.size() + length) >> (7 * length) != 0) ++length;
  put_number(static_cast<int64_t>(content.size() + length), out);
  out->append(content);
}

// Writes the values of one event, in the order of its row.
class RecordWriter {
 public:
  RecordWriter(std::initializer_list<Value> values, const ChunkClock& clock, std::string* out)
      : at_(values.begin()), end_(values.end()), clock_(clock), out_(out) {}

  void put(const TypeRow& row) {
    for (const FieldRow& field : row.fields) put(field);
    if (own_ != 0) (*out_)[own_] = static_cast<char>(out_->size() - own_);
  }

  bool at_end() const { return at_ == end_; }

 private:
  void put(const FieldRow& field) {
    if (field.unit == Unit::kOwnSize) {
      own_ = out_->size();
      return out_->push_back(0);  // until it is known
    }
    if (at_ == end_) throw std::logic_error(formatted("no value was given for {}", field.name));
    const Value& value = *at_++;
    if (field.storage == FieldRow::kPool) return put_number(value.number_, out_);
    if (field.type == TypeId::kString) return put_text(value.text_, out_);
    if (field.type == TypeId::kFloat) return put_float(static_cast<float>(value.real_));
    if (field.type == TypeId::kBoolean || field.type == TypeId::kByte)
      return out_->push_back(static_cast<char>(value.number_));
    put_number(written(value.number_, field.unit), out_);
  }

  int64_t written(int64_t number, Unit unit) const {
    if (unit == Unit::kTicks) return clock_.written(number);
    return unit == Unit::kTickSpan ? clock_.written_span(number) : number;
  }

  void put_float(float number) {
    uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    put_big_endian(bits, out_);
  }

  const Value *at_, *end_;
  const ChunkClock& clock_;
  size_t own_ = 0;  // place of the size of hearth's fields; 0: none
  std::string* out_;
};

int64_t ConstantPool::number_of(const std::string& encoded) {
  auto [found, is_new] = numbers_.try_emplace(encoded, 0);
  if (is_new) found->second = add(encoded);
  return found->second;
}

int64_t ConstantPool::add(int64_t number, std::string_view encoded) {
  ++new_count_;
  put_number(number, &new_);
  new_ += encoded;
  return number;
}

void ConstantPool::take_new(std::string* out) {
  put_number(static_cast<int64_t>(type_), out);
  put_number(static_cast<int64_t>(new_count_), out);
  *out += new_;
  new_count_ = 0;
  new_.clear();
}

ChunkWriter::ChunkWriter(const ChunkClock& clock, const FirstNumbers& first) : clock_(clock), first_(first) {
  put_enumerations();
  // The JDK reads an empty symbol as null where it is the first one of all that it reads, and prints no such event. It
  // begins with the last piece: the empty one is behind another in the first piece, and in no other.
  symbol("()V");
  symbol("");
}

std::vector<ConstantPool*> ChunkWriter::pools() {
  return {&frame_types_, &thread_states_, &threads_, &stacks_,           &methods_,
          &classes_,     &packages_,      &symbols_, &user_event_types_, &texts_};
}

int64_t ChunkWriter::next_constant() {
  int64_t last = 0;
  for (const ConstantPool* pool : pools()) last = std::max(last, pool->last());
  return last + 1;
}

void ChunkWriter::put_enumerations() {
  constexpr std::string_view kFrameTypes[] = {"Interpreted", "JIT compiled", "Inlined",    "Native",
                                              "C++",         "Kernel",       "C1 compiled"};
  auto put = [this](ConstantPool* pool, int64_t number, std::string_view name) {
    scratch_.clear();
    put_text(name, &scratch_);
    pool->add(number, scratch_);
  };
  int64_t number = 0;
  for (std::string_view name : kFrameTypes) put(&frame_types_, number++, name);
  number = 0;
  for (std::string_view name : kThreadStates) put(&thread_states_, number++, name);
}

int64_t ChunkWriter::symbol(std::string_view text) {
  scratch_.clear();
  put_utf8(text, &scratch_);
  return symbols_.number_of(scratch_);
}

int64_t ChunkWriter::text(std::string_view text) {
  if (text.empty()) return 0;
  scratch_.clear();
  put_text(text, &scratch_);
  return texts_.number_of(scratch_);
}

int64_t ChunkWriter::user_event_type(std::string_view name) {
  scratch_.clear();
  put_text(name, &scratch_);
  return user_event_types_.number_of(scratch_);
}

int64_t ChunkWriter::java_class(std::string_view name) {
  // The number of a hidden class follows another slash.
  std::string_view plain = name.substr(0, name.rfind("/0x"));
  size_t slash = plain.rfind('/');
  int64_t package = 0;
  if (slash != std::string_view::npos && name.front() != '[') {
    int64_t package_name = symbol(name.substr(0, slash));
    scratch_.clear();
    put_number(package_name, &scratch_);
    package = packages_.number_of(scratch_);
  }
  int64_t symbol_number = symbol(name);
  scratch_.clear();
  for (int64_t part : {int64_t{0}, symbol_number, package, int64_t{0}}) put_number(part, &scratch_);
  return classes_.number_of(scratch_);
}

int64_t ChunkWriter::method(const MethodParts& parts) {
  constexpr int64_t kNativeModifier = 0x100;
  int64_t of_class = java_class(parts.class_name);
  int64_t name = symbol(parts.name);
  int64_t descriptor = symbol(parts.descriptor);
  scratch_.clear();
  for (int64_t part : {of_class, name, descriptor, parts.is_native ? kNativeModifier : 0}) put_number(part, &scratch_);
  scratch_.push_back(0);  // not hidden
  return methods_.number_of(scratch_);
}

int64_t ChunkWriter::thread(std::string_view name, int64_t tid) {
  scratch_.clear();
  put_text(name, &scratch_);
  put_number(tid, &scratch_);
  put_text(name, &scratch_);
  put_number(0, &scratch_);
  return threads_.number_of(scratch_);
}

int64_t ChunkWriter::stack(const std::vector<StackEntry>& frames, bool is_truncated) {
  constexpr uint64_t kFnvBasis = 0xCBF29CE484222325, kFnvPrime = 0x100000001B3;
  scratch_.clear();
  scratch_.push_back(is_truncated ? 1 : 0);
  put_number(static_cast<int64_t>(frames.size()), &scratch_);
  for (const StackEntry& frame : frames)
    for (int64_t part : {frame.method, frame.line, frame.bci, static_cast<int64_t>(frame.type)})
      put_number(part, &scratch_);
  // Different nodes of a tree may look alike. A copy of each stack would be much memory, and two equal hashes of 128
  // bits are as good as equal stacks.
  uint64_t second = kFnvBasis;
  for (char byte : scratch_) second = (second ^ static_cast<uint8_t>(byte)) * kFnvPrime;
  int64_t& number = stack_numbers_[{std::hash<std::string>()(scratch_), second}];
  if (number == 0) number = stacks_.add(scratch_);
  return number;
}

void ChunkWriter::event(TypeId type, std::initializer_list<Value> values) {
  scratch_.clear();
  put_number(number_of(type), &scratch_);
  RecordWriter writer(values, clock_, &scratch_);
  writer.put(row_of(type));
  if (!writer.at_end()) throw std::logic_error(formatted("too many values were given for {}", row_of(type).name));
  put_sized(scratch_, &events_);
}

size_t ChunkWriter::pending() const {
  return events_.size() + stacks_.new_bytes() + methods_.new_bytes() + symbols_.new_bytes() + texts_.new_bytes();
}

void ChunkWriter::put_checkpoint(int64_t now_ticks, std::string* out) {
  std::string content;
  int64_t offset = size_ + static_cast<int64_t>(out->size());
  constexpr int64_t kNoDuration = 0, kNoKind = 0;
  put_number(static_cast<int64_t>(kCheckpointEvent), &content);
  put_number(clock_.written(now_ticks), &content);
  put_number(kNoDuration, &content);
  put_number(checkpoint_ == 0 ? 0 : checkpoint_ - offset, &content);
  put_number(kNoKind, &content);
  int64_t count = 0;
  for (const ConstantPool* pool : pools()) count += pool->has_new() ? 1 : 0;
  put_number(count, &content);
  for (ConstantPool* pool : pools())
    if (pool->has_new()) pool->take_new(&content);
  put_sized(content, out);
  checkpoint_ = offset;
}

std::string ChunkWriter::take_piece(int64_t now_ticks) {
  std::string piece;
  if (size_ == 0) {
    piece = header(0);
    put_metadata_event(clock_, first_.event, &piece);
  }
  piece += events_;
  events_.clear();
  bool has_new = false;
  for (const ConstantPool* pool : pools()) has_new = has_new || pool->has_new();
  if (has_new) put_checkpoint(now_ticks, &piece);
  size_ += static_cast<int64_t>(piece.size());
  return piece;
}

std::string ChunkWriter::header(int64_t duration_ns) const {
  constexpr uint16_t kMinorVersion = 0;
  std::string out(kMagic);
  put_big_endian(kMajorVersion, &out);
  put_big_endian(kMinorVersion, &out);
  for (int64_t field : {size_, checkpoint_, static_cast<int64_t>(header::kSize), clock_.unix_ns, duration_ns,
                        clock_.written(clock_.ticks), clock_.written_per_second()})
    put_big_endian(field, &out);
  put_big_endian(uint32_t{kCompressedIntegers}, &out);
  return out;
}

}  // namespace hearth::profile::jfr
