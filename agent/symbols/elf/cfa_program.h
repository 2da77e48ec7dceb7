// Converts DWARF call frame instructions to NativeRules. DWARF 5, 6.4; the GNU opcodes from the Linux Standard Base.
// Pure functions of bytes: any thread, not signal safe.
#pragma once

#include <cstdint>
#include <vector>

#include "capture/unwind/native/native_rules.h"
#include "symbols/elf/byte_reader.h"

namespace hearth::symbols {

// Location of the caller's value of a register. Only rbp and the return address are tracked.
struct SavedRegister {
  enum class Where : uint8_t {
    kUnchanged,
    kAtCfa,  // in memory at CFA + offset
    kAtFp,   // in memory where rbp points
    kUndefined,
    kElsewhere
  };
  Where where = Where::kUnchanged;
  int64_t offset = 0;
};

// One row of the unwind table.
struct CfaRow {
  enum class Cfa : uint8_t {
    kRegister,  // reg + offset
    kFpDeref,   // *(rbp + offset)
    kPlt,       // rsp + 8, plus 8 when (pc & 15) >= offset
    kOther
  };
  Cfa cfa = Cfa::kOther;
  uint64_t reg = 0;  // a DWARF register number
  int64_t offset = 0;
  SavedRegister fp;
  SavedRegister return_address;
};

// Values of a CIE for its FDEs.
struct CfaContext {
  uint64_t code_alignment = 1;
  int64_t data_alignment = 1;
  CfaRow initial;
};

// Returns the rule of a row; kUnknown if NativeRule cannot express it.
uint32_t packed_rule(const CfaRow& row);

// Appends a rule, unless the last one is equal.
void append_rule(std::vector<capture::NativeRule>& rules, uint32_t start, uint32_t packed);

// Runs a CIE's initial instructions into context.initial. False if they are not supported.
bool run_initial_instructions(ByteReader program, CfaContext& context);

// Appends the rules of one function, [start, end) in bytes from the load address. After an unsupported instruction the
// function is kUnknown.
void append_function_rules(ByteReader program, const CfaContext& context, uint32_t start, uint32_t end,
                           std::vector<capture::NativeRule>& rules);

}  // namespace hearth::symbols
