#include "symbols/elf/cfa_program.h"

#include <algorithm>
#include <array>

namespace hearth::symbols {
namespace {

using capture::CfaBase;
using capture::NativeRule;
using capture::SavedSlots;
using Where = SavedRegister::Where;

constexpr uint64_t kFp = capture::kDwarfFp;
constexpr uint64_t kSp = capture::kDwarfSp;
constexpr uint64_t kReturnAddress = capture::kDwarfReturnAddress;

constexpr int64_t kMaxCfaOffset = int64_t{0x7fff} * 8;  // bounds of the fields in NativeRule::packed
constexpr int64_t kPltEntrySize = 16;
constexpr int64_t kPltThreshold = 11;      // of CfaBase::kPlt
constexpr uint32_t kMaxPltSize = 1 << 20;  // a larger one is damage instead of a PLT

// DW_CFA_* opcodes: the three with an operand in their low six bits, then the others.
enum Primary : uint8_t { kExtended = 0x00, kAdvance = 0x40, kOffset = 0x80, kRestore = 0xc0 };
enum Extended : uint8_t {
  kNop = 0x00,
  kAdvance1 = 0x02,
  kAdvance2 = 0x03,
  kAdvance4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefCfa = 0x0c,
  kDefCfaRegister = 0x0d,
  kDefCfaOffset = 0x0e,
  kDefCfaExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSf = 0x11,
  kDefCfaSf = 0x12,
  kDefCfaOffsetSf = 0x13,
  kValOffset = 0x14,
  kValOffsetSf = 0x15,
  kValExpression = 0x16,
  kNegateRaState = 0x2d,  // DW_CFA_AARCH64_negate_ra_state: the return address is signed from here on, or no longer
  kGnuArgsSize = 0x2e,
  kGnuNegativeOffsetExtended = 0x2f
};

constexpr uint8_t kOpDeref = 0x06;
constexpr uint8_t kOpLit0 = 0x30;
constexpr uint8_t kOpBreg0 = 0x70;
constexpr uint8_t kOpBregFp = kOpBreg0 + kFp;

// True for the expression DW_OP_breg6 offset, `tail`.
bool is_fp_expression(ByteReader expression, const void* tail, size_t tail_size, int64_t& offset) {
  if (expression.fixed<uint8_t>() != kOpBregFp) return false;
  offset = expression.sleb();
  return tail_size == 0 ? expression.at_end() && !expression.failed() : expression.next_is(tail, tail_size);
}

// True for the expression that linkers of x86-64 write: breg7 8, breg16 0, lit15, and, litN, ge, lit3, shl, plus; N is
// the offset in an entry after its push.
bool is_plt_expression(ByteReader expression, int64_t& threshold) {
  static constexpr std::array<uint8_t, 6> kHead = {kOpBreg0 + 7, 8, kOpBreg0 + 16, 0, kOpLit0 + 15, 0x1a};
  static constexpr std::array<uint8_t, 4> kTail = {0x2a, kOpLit0 + 3, 0x24, 0x22};
  if (!expression.take(kHead.size()).next_is(kHead.data(), kHead.size())) return false;
  threshold = expression.fixed<uint8_t>() - kOpLit0;
  return threshold > 0 && threshold < kPltEntrySize && expression.next_is(kTail.data(), kTail.size());
}

// Returns the distance of the caller's register below the CFA, 0 if it is unchanged, -1 if unknown.
int64_t below_cfa(const SavedRegister& saved) {
  if (saved.where == Where::kUnchanged) return SavedSlots::kNotSaved;
  return saved.where == Where::kAtCfa && saved.offset < 0 ? -saved.offset : -1;
}

class Interpreter {
 public:
  Interpreter(ByteReader program, const CfaContext& context)
      : program_(program), context_(context), row_(context.initial) {}

  const CfaRow& row() const { return row_; }

  // Runs up to the next change of location. True: the current row is valid for `advance` bytes of code; false: the
  // program has ended.
  bool run_to_advance(uint64_t& advance) {
    while (!failed() && !program_.at_end()) {
      auto code = program_.fixed<uint8_t>();
      uint8_t operand = code & 0x3f;
      switch (code & 0xc0) {
        case kAdvance:
          advance = operand * context_.code_alignment;
          return true;
        case kOffset:
          set(operand, Where::kAtCfa, factored(static_cast<int64_t>(program_.uleb())));
          break;
        case kRestore:
          restore(operand);
          break;
        default:
          if (operand >= kAdvance1 && operand <= kAdvance4) {
            advance = wide_advance(operand);
            return !program_.failed();
          }
          if (!define_cfa(operand) && !save_register(operand)) understood_ = false;
      }
    }
    return false;
  }

  bool failed() const { return !understood_ || program_.failed(); }

 private:
  uint64_t wide_advance(uint8_t code) {
    uint64_t count = code == kAdvance1   ? program_.fixed<uint8_t>()
                     : code == kAdvance2 ? program_.fixed<uint16_t>()
                                         : program_.fixed<uint32_t>();
    return count * context_.code_alignment;
  }

  bool define_cfa(uint8_t code) {
    switch (code) {
      case kDefCfa:
      case kDefCfaSf:
        row_.reg = program_.uleb();
        row_.offset = cfa_offset(code == kDefCfaSf);
        row_.cfa = CfaRow::Cfa::kRegister;
        return true;
      case kDefCfaRegister:
        row_.reg = program_.uleb();
        return row_.cfa == CfaRow::Cfa::kRegister;
      case kDefCfaOffset:
      case kDefCfaOffsetSf:
        row_.offset = cfa_offset(code == kDefCfaOffsetSf);
        return row_.cfa == CfaRow::Cfa::kRegister;
      case kDefCfaExpression:
        define_cfa_by(program_.take(program_.uleb()));
        return true;
      default:
        return false;
    }
  }

  void define_cfa_by(ByteReader expression) {
    static constexpr uint8_t kDeref[] = {kOpDeref};
    row_.cfa = is_fp_expression(expression, kDeref, sizeof kDeref, row_.offset) ? CfaRow::Cfa::kFpDeref
               : is_plt_expression(expression, row_.offset)                     ? CfaRow::Cfa::kPlt
                                                                                : CfaRow::Cfa::kOther;
  }

  // The signed forms of an offset are factored, the unsigned ones are not (DWARF 5, 6.4.2.2).
  int64_t cfa_offset(bool is_signed) {
    return is_signed ? factored(program_.sleb()) : static_cast<int64_t>(program_.uleb());
  }

  bool save_register(uint8_t code) {
    switch (code) {
      case kNop:
      case kNegateRaState:
        return true;
      case kGnuArgsSize:  // outgoing arguments, on which the CFA does not depend
        program_.uleb();
        return true;
      case kRememberState:
        if (depth_ == remembered_.size()) return false;
        remembered_[depth_++] = row_;
        return true;
      case kRestoreState:
        if (depth_ == 0) return false;
        row_ = remembered_[--depth_];
        return true;
      default:
        break;
    }
    if (code < kOffsetExtended || code > kGnuNegativeOffsetExtended) return false;
    uint64_t reg = program_.uleb();
    switch (code) {
      case kOffsetExtended:
        set(reg, Where::kAtCfa, factored(static_cast<int64_t>(program_.uleb())));
        return true;
      case kOffsetExtendedSf:
        set(reg, Where::kAtCfa, factored(program_.sleb()));
        return true;
      case kGnuNegativeOffsetExtended:
        set(reg, Where::kAtCfa, factored(-static_cast<int64_t>(program_.uleb() & INT64_MAX)));
        return true;
      case kRestoreExtended:
        restore(reg);
        return true;
      case kUndefined:
        set(reg, Where::kUndefined, 0);
        return true;
      case kSameValue:
        set(reg, Where::kUnchanged, 0);
        return true;
      case kRegister:
      case kValOffset:
      case kValOffsetSf:
        program_.uleb();
        set(reg, Where::kElsewhere, 0);
        return true;
      case kExpression:
        save_by(reg, program_.take(program_.uleb()));
        return true;
      case kValExpression:
        program_.skip(program_.uleb());
        set(reg, Where::kElsewhere, 0);
        return true;
      default:
        return false;
    }
  }

  void save_by(uint64_t reg, ByteReader expression) {
    int64_t offset = 0;
    bool at_fp = is_fp_expression(expression, nullptr, 0, offset) && offset == 0;
    set(reg, at_fp ? Where::kAtFp : Where::kElsewhere, 0);
  }

  void set(uint64_t reg, Where where, int64_t offset) {
    if (reg == kFp) row_.fp = {where, offset};
    if (reg == kReturnAddress) row_.return_address = {where, offset};
  }

  void restore(uint64_t reg) {
    if (reg == kFp) row_.fp = context_.initial.fp;
    if (reg == kReturnAddress) row_.return_address = context_.initial.return_address;
  }

  // Multiplies unsigned numbers, because damaged tables may overflow.
  int64_t factored(int64_t value) const {
    return static_cast<int64_t>(static_cast<uint64_t>(value) * static_cast<uint64_t>(context_.data_alignment));
  }

  ByteReader program_;
  const CfaContext& context_;
  CfaRow row_;
  std::array<CfaRow, 16> remembered_;
  size_t depth_ = 0;
  bool understood_ = true;
};

// Appends rules entry by entry for a PLT with another threshold than kPlt (those with an endbr64 in front).
void append_plt_rules(std::vector<NativeRule>& rules, uint32_t start, uint32_t end, uint32_t threshold) {
  if (end - start > kMaxPltSize) return append_rule(rules, start, NativeRule::pack(CfaBase::kUnknown, 0));
  for (uint32_t entry = start & ~uint32_t{kPltEntrySize - 1}; entry < end; entry += kPltEntrySize) {
    if (entry + threshold > start) append_rule(rules, std::max(entry, start), NativeRule::pack(CfaBase::kSp, 8));
    uint32_t pushed = std::max(entry + threshold, start);
    if (pushed < end) append_rule(rules, pushed, NativeRule::pack(CfaBase::kSp, 16));
  }
}

void append_row(std::vector<NativeRule>& rules, uint32_t start, uint32_t end, const CfaRow& row) {
  if (row.cfa == CfaRow::Cfa::kPlt && row.offset != kPltThreshold)
    append_plt_rules(rules, start, end, static_cast<uint32_t>(row.offset));
  else
    append_rule(rules, start, packed_rule(row));
}

}  // namespace

uint32_t packed_rule(const CfaRow& row) {
  constexpr uint32_t kUnknown = NativeRule::pack(CfaBase::kUnknown, 0);
  if (row.return_address.where == Where::kUndefined) return NativeRule::pack(CfaBase::kEndOfStack, 0);
  int64_t fp = below_cfa(row.fp);
  int64_t return_address = below_cfa(row.return_address);
  bool is_plain = SavedSlots::can_hold(fp, return_address);
  switch (row.cfa) {
    case CfaRow::Cfa::kRegister: {
      if (row.reg != kSp && row.reg != kFp) return kUnknown;
      if (row.offset < 0 || row.offset > kMaxCfaOffset || row.offset % 8 != 0 || !is_plain) return kUnknown;
      CfaBase base = row.reg == kSp ? CfaBase::kSp : CfaBase::kFp;
      return NativeRule::pack(base, static_cast<uint32_t>(row.offset), SavedSlots::of(fp, return_address));
    }
    case CfaRow::Cfa::kFpDeref:
      if (!SavedSlots::can_hold(SavedSlots::kNotSaved, return_address)) return kUnknown;
      if (row.fp.where != Where::kAtFp || row.offset > 0 || row.offset < -kMaxCfaOffset || row.offset % 8 != 0)
        return kUnknown;
      return NativeRule::pack(CfaBase::kFpDeref, static_cast<uint32_t>(-row.offset));
    case CfaRow::Cfa::kPlt:
      return row.offset == kPltThreshold && fp == 0 && is_plain ? NativeRule::pack(CfaBase::kPlt, 0) : kUnknown;
    default:
      return kUnknown;
  }
}

void append_rule(std::vector<NativeRule>& rules, uint32_t start, uint32_t packed) {
  if (rules.empty() || rules.back().packed != packed) rules.push_back({start, packed});
}

bool run_initial_instructions(ByteReader program, CfaContext& context) {
  Interpreter interpreter(program, context);
  uint64_t advance = 0;
  if (interpreter.run_to_advance(advance) || interpreter.failed()) return false;
  context.initial = interpreter.row();
  return true;
}

void append_function_rules(ByteReader program, const CfaContext& context, uint32_t start, uint32_t end,
                           std::vector<NativeRule>& rules) {
  Interpreter interpreter(program, context);
  uint64_t advance = 0;
  while (interpreter.run_to_advance(advance)) {
    if (advance == 0) continue;
    uint32_t row_end = advance < end - start ? start + static_cast<uint32_t>(advance) : end;
    append_row(rules, start, row_end, interpreter.row());
    if (row_end == end) return;
    start = row_end;
  }
  if (interpreter.failed())
    append_rule(rules, start, NativeRule::pack(CfaBase::kUnknown, 0));
  else
    append_row(rules, start, end, interpreter.row());
}

}  // namespace hearth::symbols
