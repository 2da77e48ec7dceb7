// A file's unwind tables as read by binutils, to compare ours with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/elf/unwind_rules_eh_frame.h"

namespace hearth::symbols {

// A row of `readelf --debug-dump=frames-interp`, as it is spelled there.
struct TruthRow {
  uint64_t start;
  uint64_t end;
  std::string cfa;             // "rsp+16", "exp"
  std::string fp;              // "c-16", "u"
  std::string return_address;  // "c-8", "u"
  bool is_signal_frame;
};
std::vector<TruthRow> readelf_rows(const std::string& path);

// True if a rule equals such a row.
bool agrees(const TruthRow& row, const capture::NativeRule& rule);
const capture::NativeRule& rule_at(const std::vector<capture::NativeRule>& rules, uint64_t address);

// The segment of a file that holds its unwind tables, in memory of its exact size.
struct FileTables {
  std::vector<uint8_t> bytes;
  uint64_t address = 0;
  uint64_t header = 0;

  EhFrameBytes view() const { return {bytes.data(), bytes.size(), address, header, 0}; }
};
FileTables file_tables(const std::string& path);

// The file behind a library that this process has loaded, "libc.so.6".
std::string loaded_file(const std::string& library);

std::string own_program();

// Those of the usual places that are there.
std::vector<std::string> installed_jvms();

}  // namespace hearth::symbols
