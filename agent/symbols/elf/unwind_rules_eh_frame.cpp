#include "symbols/elf/unwind_rules_eh_frame.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "symbols/elf/byte_reader.h"
#include "symbols/elf/cfa_program.h"

namespace hearth::symbols {
namespace {

using capture::CfaBase;
using capture::NativeRule;

constexpr uint32_t kUnknownRule = NativeRule::pack(CfaBase::kUnknown, 0);
constexpr uint64_t kMaxAddress = INT32_MAX;  // the bound of .eh_frame_hdr's 32-bit table
constexpr uint32_t kLongLength = 0xffffffff;
constexpr uint64_t kReturnAddressColumn = capture::kDwarfReturnAddress;
constexpr size_t kMostRules = 4 << 20;  // libjvm has 300,000; damaged tables could have any number

// DW_EH_PE_* encodings of a pointer: format (low four bits) and origin (the next three).
constexpr uint8_t kOmit = 0xff;
constexpr uint8_t kFormatMask = 0x0f;
constexpr uint8_t kOriginMask = 0x70;
constexpr uint8_t kIndirect = 0x80;
enum Format : uint8_t {
  kAbsolute = 0x00,
  kUleb = 0x01,
  kUdata2 = 0x02,
  kUdata4 = 0x03,
  kUdata8 = 0x04,
  kSleb = 0x09,
  kSdata2 = 0x0a,
  kSdata4 = 0x0b,
  kSdata8 = 0x0c
};
enum Origin : uint8_t { kFromZero = 0x00, kFromHere = 0x10, kFromHeader = 0x30 };

uint64_t read_number(ByteReader& reader, uint8_t format, bool& known) {
  switch (format) {
    case kAbsolute:
    case kUdata8:
    case kSdata8:
      return reader.fixed<uint64_t>();
    case kUleb:
      return reader.uleb();
    case kSleb:
      return static_cast<uint64_t>(reader.sleb());
    case kUdata2:
      return reader.fixed<uint16_t>();
    case kSdata2:
      return static_cast<uint64_t>(int64_t{reader.fixed<int16_t>()});
    case kUdata4:
      return reader.fixed<uint32_t>();
    case kSdata4:
      return static_cast<uint64_t>(int64_t{reader.fixed<int32_t>()});
    default:
      known = false;
      return 0;
  }
}

// Values of a CIE for its functions.
struct Cie {
  CfaContext context;
  uint8_t pointer_encoding = kAbsolute;
  bool has_augmentation = false;
  bool is_signal_frame = false;
};

struct Fde {
  const Cie* cie = nullptr;
  uint64_t start = 0;
  uint64_t size = 0;
  ByteReader program;
};

struct Header {
  uint64_t eh_frame = 0;
  uint64_t count = 0;
  uint8_t table_encoding = kOmit;
  size_t table = 0;  // position
};

class Tables {
 public:
  explicit Tables(const EhFrameBytes& tables, FrameSection kind = FrameSection::kEhFrame)
      : tables_(tables), is_debug_frame_(kind == FrameSection::kDebugFrame) {}

  std::optional<Header> header() const {
    ByteReader reader = at(tables_.header);
    auto version = reader.fixed<uint8_t>();
    auto frame_encoding = reader.fixed<uint8_t>();
    auto count_encoding = reader.fixed<uint8_t>();
    Header header;
    header.table_encoding = reader.fixed<uint8_t>();
    auto eh_frame = pointer(reader, frame_encoding);
    if (version != 1 || !eh_frame) return std::nullopt;
    header.eh_frame = *eh_frame;
    bool known = count_encoding != kOmit;
    if (known) header.count = read_number(reader, count_encoding & kFormatMask, known);
    header.table = reader.position();
    if (!known || reader.failed()) header.count = 0;
    return header;
  }

  // Calls visit(position) for every FDE in the header's sorted table. False if there is no readable table.
  template <typename Visit>
  bool each_listed_fde(const Header& header, Visit visit) const {
    if (header.count == 0 || header.table_encoding == kOmit) return false;
    ByteReader reader(tables_.bytes, header.table, tables_.size);
    for (uint64_t i = 0; i < header.count; ++i) {
      auto start = pointer(reader, header.table_encoding);
      auto fde = pointer(reader, header.table_encoding);
      if (!start || !fde) return i > 0;
      visit(position_of(*fde));
    }
    return true;
  }

  // The same for all records of .eh_frame, for linkers that omit the table. In memory, where the section's size is
  // unknown, an empty record is the end.
  template <typename Visit>
  void each_fde(uint64_t address, bool is_section, Visit visit) const {
    ByteReader reader = at(address);
    while (!reader.at_end()) {
      size_t position = reader.position();
      Record record = next_record(reader);
      if (record.body.at_end() && !is_section) return;
      if (!record.body.at_end() && !is_cie(read_id(record))) visit(position);
    }
  }

  std::optional<Fde> fde(size_t position) {
    ByteReader reader(tables_.bytes, position, tables_.size);
    Record read = next_record(reader);
    ByteReader& record = read.body;
    size_t id_position = record.position();
    uint64_t id = read_id(read);
    bool counts_back = !is_debug_frame_;
    if (is_cie(id) || (counts_back && id > id_position)) return std::nullopt;
    const Cie* owner = cie(counts_back ? id_position - id : id);
    if (owner == nullptr) return std::nullopt;
    Fde result;
    result.cie = owner;
    auto start = pointer(record, owner->pointer_encoding);
    bool known = true;
    result.size = read_number(record, owner->pointer_encoding & kFormatMask, known);
    if (owner->has_augmentation) record.skip(record.uleb());
    if (!start || !known || record.failed()) return std::nullopt;
    result.start = *start;
    result.program = record;
    return result;
  }

 private:
  size_t position_of(uint64_t address) const {
    uint64_t position = address - tables_.address;
    return position < tables_.size ? position : tables_.size;
  }

  ByteReader at(uint64_t address) const { return {tables_.bytes, position_of(address), tables_.size}; }

  struct Record {
    ByteReader body;
    bool is_long;  // 64-bit DWARF
  };

  // Returns the CIE or FDE at `reader`, which then is after it. The terminator's body is empty.
  static Record next_record(ByteReader& reader) {
    uint64_t length = reader.fixed<uint32_t>();
    bool is_long = length == kLongLength;
    if (is_long) length = reader.fixed<uint64_t>();
    return {reader.take(length), is_long};
  }

  // In .eh_frame the id has 32 bits in long records, too.
  uint64_t read_id(Record& record) const {
    if (!is_debug_frame_) return record.body.fixed<uint32_t>();
    if (record.is_long) return record.body.fixed<uint64_t>();
    auto id = record.body.fixed<uint32_t>();
    return id == UINT32_MAX ? UINT64_MAX : id;
  }

  bool is_cie(uint64_t id) const { return id == (is_debug_frame_ ? UINT64_MAX : 0); }

  std::optional<uint64_t> pointer(ByteReader& reader, uint8_t encoding) const {
    uint64_t here = tables_.address + reader.position();
    bool known = (encoding & kIndirect) == 0;
    uint64_t value = read_number(reader, encoding & kFormatMask, known);
    switch (encoding & kOriginMask) {
      case kFromZero:
        value -= tables_.load_address;
        break;
      case kFromHere:
        value += here;
        break;
      case kFromHeader:
        value += tables_.header;
        break;
      default:
        known = false;
    }
    if (!known || reader.failed()) return std::nullopt;
    return value;
  }

  // Parses each CIE once; nullptr if it is not supported.
  const Cie* cie(uint64_t position) {
    if (position == last_position_) return last_cie_;
    auto found = cies_.find(position);
    if (found == cies_.end()) found = cies_.emplace(position, read_cie(position)).first;
    last_position_ = position;
    last_cie_ = found->second ? &*found->second : nullptr;
    return last_cie_;
  }

  std::optional<Cie> read_cie(size_t position) const {
    ByteReader reader(tables_.bytes, position, tables_.size);
    Record read = next_record(reader);
    ByteReader& record = read.body;
    uint64_t id = read_id(read);
    auto version = record.fixed<uint8_t>();
    const char* augmentation = record.text();
    bool known = version == 1 || version == 3 || version == 4;
    if (augmentation == nullptr || !is_cie(id) || !known || !has_plain_addresses(version, record)) return std::nullopt;
    Cie cie;
    cie.context.code_alignment = record.uleb();
    cie.context.data_alignment = record.sleb();
    uint64_t return_column = version == 1 ? record.fixed<uint8_t>() : record.uleb();
    if (return_column != kReturnAddressColumn || !read_augmentation(augmentation, record, cie)) return std::nullopt;
    if (record.failed() || !run_initial_instructions(record, cie.context)) return std::nullopt;
    return cie;
  }

  // From version 4 on a CIE contains the sizes of an address and of a segment selector.
  static bool has_plain_addresses(uint8_t version, ByteReader& record) {
    return version < 4 || (record.fixed<uint8_t>() == sizeof(uint64_t) && record.fixed<uint8_t>() == 0);
  }

  bool read_augmentation(const char* letters, ByteReader& record, Cie& cie) const {
    if (*letters == 0) return true;
    if (*letters != 'z') return false;
    cie.has_augmentation = true;
    ByteReader data = record.take(record.uleb());
    while (*++letters != 0) {
      switch (*letters) {
        case 'R':
          cie.pointer_encoding = data.fixed<uint8_t>();
          break;
        case 'L':
          data.fixed<uint8_t>();
          break;
        case 'P': {
          bool known = true;
          auto encoding = data.fixed<uint8_t>();
          read_number(data, encoding & kFormatMask, known);
          if (!known) return false;
          break;
        }
        case 'B':  // aarch64: return addresses are signed by the second key
          break;
        case 'S':
          cie.is_signal_frame = true;
          break;
        default:
          return false;
      }
    }
    return !data.failed();
  }

  const EhFrameBytes tables_;
  const bool is_debug_frame_;
  std::unordered_map<size_t, std::optional<Cie>> cies_;
  size_t last_position_ = SIZE_MAX;
  const Cie* last_cie_ = nullptr;
};

void append_fde(const Fde& fde, std::vector<NativeRule>& rules) {
  if (rules.size() > kMostRules) return;
  if (fde.size == 0 || fde.start > kMaxAddress || fde.size > kMaxAddress - fde.start) return;
  auto start = static_cast<uint32_t>(fde.start);
  auto end = static_cast<uint32_t>(fde.start + fde.size);
  // Replaces the kUnknown at the end of a neighbour, and overlapping rules of damaged tables.
  while (!rules.empty() && rules.back().start >= start) rules.pop_back();
  if (fde.cie->is_signal_frame)
    append_rule(rules, start, NativeRule::pack(CfaBase::kSignal, 0));
  else
    append_function_rules(fde.program, fde.cie->context, start, end, rules);
  append_rule(rules, end, kUnknownRule);
}

using Positions = std::vector<std::pair<uint64_t, size_t>>;  // of FDEs, by the starts of their functions

void append_sorted(Tables& tables, Positions positions, std::vector<NativeRule>& rules) {
  std::sort(positions.begin(), positions.end());
  for (auto [start, position] : positions) {
    if (auto fde = tables.fde(position)) append_fde(*fde, rules);
  }
}

}  // namespace

uint64_t eh_frame_start(const EhFrameBytes& header) {
  auto parsed = Tables(header).header();
  return parsed ? parsed->eh_frame : 0;
}

std::vector<NativeRule> unwind_rules(const EhFrameBytes& bytes) {
  std::vector<NativeRule> rules;
  Tables tables(bytes);
  auto header = tables.header();
  if (!header) return rules;
  append_rule(rules, 0, kUnknownRule);
  auto add = [&](size_t position) {
    if (auto fde = tables.fde(position)) append_fde(*fde, rules);
  };
  if (!tables.each_listed_fde(*header, add)) {
    Positions positions;
    tables.each_fde(header->eh_frame, false, [&](size_t position) {
      if (auto fde = tables.fde(position)) positions.emplace_back(fde->start, position);
    });
    append_sorted(tables, std::move(positions), rules);
  }
  rules.shrink_to_fit();
  return rules;
}

std::vector<NativeRule> unwind_rules(const SectionBytes& section, const std::vector<CodeRange>& code) {
  std::vector<NativeRule> rules;
  auto* bytes = reinterpret_cast<const uint8_t*>(section.bytes.data());
  Tables tables({bytes, section.bytes.size(), section.address, 0, 0}, section.kind);
  Positions positions;
  tables.each_fde(section.address, true, [&](size_t position) {
    auto fde = tables.fde(position);
    if (!fde) return;
    bool is_loaded = std::any_of(code.begin(), code.end(), [&](const CodeRange& range) {
      return fde->start >= range.start && fde->start < range.end && fde->size <= range.end - fde->start;
    });
    if (is_loaded) positions.emplace_back(fde->start, position);
  });
  if (positions.empty()) return rules;
  append_rule(rules, 0, kUnknownRule);
  append_sorted(tables, std::move(positions), rules);
  rules.shrink_to_fit();
  return rules;
}

std::vector<NativeRule> completed(const std::vector<NativeRule>& rules, const std::vector<NativeRule>& others) {
  if (rules.empty() || others.empty()) return rules.empty() ? others : rules;
  std::vector<NativeRule> result;
  result.reserve(rules.size() + others.size());
  auto one = rules.begin();
  auto other = others.begin();
  uint32_t known = kUnknownRule;
  uint32_t else_known = kUnknownRule;
  while (one != rules.end() || other != others.end()) {
    bool is_ours = other == others.end() || (one != rules.end() && one->start <= other->start);
    uint32_t start = is_ours ? one->start : other->start;
    for (; one != rules.end() && one->start == start; ++one) known = one->packed;
    for (; other != others.end() && other->start == start; ++other) else_known = other->packed;
    append_rule(result, start, known != kUnknownRule ? known : else_known);
  }
  result.shrink_to_fit();
  return result;
}

}  // namespace hearth::symbols
