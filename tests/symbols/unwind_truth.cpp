#include "unwind_truth.h"

#include <dlfcn.h>
#include <elf.h>
#include <glob.h>
#include <link.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>

#include "base/files.h"

namespace hearth::symbols {
namespace {

#if defined(__x86_64__)
constexpr char kSp[] = "rsp", kFp[] = "rbp";
#elif defined(__aarch64__)
constexpr char kSp[] = "sp", kFp[] = "x29";
#endif

std::vector<std::string> output_lines(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  std::vector<std::string> lines;
  char* line = nullptr;
  size_t capacity = 0;
  while (pipe && ::getline(&line, &capacity, pipe.get()) > 0) lines.emplace_back(line);
  ::free(line);
  return lines;
}

// Without "(rcx)", which explains the register before it.
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    if (word.front() != '(') words.push_back(word);
  }
  return words;
}

uint64_t hex(const std::string& text) {
  return std::stoull(text, nullptr, 16);
}

// Reads the listing: a CIE or FDE line, a line of column names, rows, an empty line.
class Listing {
 public:
  void add(const std::string& line) {
    auto words = words_of(line);
    if (words.size() > 4 && words[3] == "CIE") {
      start_cie(words);
    } else if (words.size() > 5 && words[3] == "FDE") {
      start_fde(words);
    } else if (!words.empty() && words[0] == "LOC") {
      columns_ = words;
    } else if (words.size() > 1 && words.size() == columns_.size()) {
      add_row(words);
    } else if (words.empty()) {
      close();
    }
  }

  std::vector<TruthRow> finish() {
    close();
    return std::move(rows_);
  }

 private:
  void start_cie(const std::vector<std::string>& words) {
    close();
    cie_ = words[0];
    cies_[cie_] = {0, 0, "", "u", "", words[4].find('S') != std::string::npos};
  }

  // "00000018 … FDE cie=00000000 pc=0000000000026000..0000000000026360"
  void start_fde(const std::vector<std::string>& words) {
    close();
    in_function_ = true;
    current_ = cies_[words[4].substr(4)];
    size_t dots = words[5].find("..");
    current_.start = hex(words[5].substr(3, dots - 3));
    end_ = hex(words[5].substr(dots + 2));
  }

  void add_row(const std::vector<std::string>& words) {
    TruthRow row = in_function_ ? current_ : cies_[cie_];
    row.fp = "u";
    for (size_t i = 1; i < words.size(); ++i) {
      if (columns_[i] == "CFA") row.cfa = words[i];
      if (columns_[i] == kFp) row.fp = words[i];
      if (columns_[i] == "ra") row.return_address = words[i];
    }
    if (!in_function_) {
      cies_[cie_] = row;
      return;
    }
    row.start = hex(words[0]);
    if (row.start > current_.start) push(row.start);
    current_ = row;
  }

  void push(uint64_t end) {
    current_.end = end;
    rows_.push_back(current_);
  }

  void close() {
    if (in_function_ && current_.start < end_) push(end_);
    in_function_ = false;
    columns_.clear();
  }

  std::map<std::string, TruthRow> cies_;  // rows of FDEs without rows of their own
  std::string cie_;
  std::vector<std::string> columns_;
  bool in_function_ = false;
  TruthRow current_{};
  uint64_t end_ = 0;
  std::vector<TruthRow> rows_;
};

}  // namespace

std::vector<TruthRow> readelf_rows(const std::string& path) {
  Listing listing;
  for (const std::string& line : output_lines("readelf --debug-dump=frames-interp '" + path + "' 2>/dev/null"))
    listing.add(line);
  return listing.finish();
}

FileTables file_tables(const std::string& path) {
  std::string file = read_file(path);
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  std::memcpy(segments.data(), file.data() + header.e_phoff, segments.size() * sizeof(Elf64_Phdr));
  FileTables tables;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_GNU_EH_FRAME) tables.header = segment.p_vaddr;
  }
  for (const Elf64_Phdr& segment : segments) {
    uint64_t end = segment.p_vaddr + segment.p_filesz;
    if (segment.p_type != PT_LOAD || tables.header < segment.p_vaddr || tables.header >= end) continue;
    tables.address = tables.header;
    auto first = file.begin() + static_cast<std::ptrdiff_t>(segment.p_offset + tables.header - segment.p_vaddr);
    tables.bytes.assign(first, first + static_cast<std::ptrdiff_t>(end - tables.header));
  }
  return tables;
}

std::string loaded_file(const std::string& library) {
  struct Search {
    std::string library;
    std::string path;
  } search{library, ""};
  auto visit = [](dl_phdr_info* info, size_t, void* data) {
    auto* wanted = static_cast<Search*>(data);
    std::string path = info->dlpi_name;
    if (path.substr(path.rfind('/') + 1) == wanted->library) wanted->path = path;
    return 0;
  };
  ::dlopen(library.c_str(), RTLD_LAZY);  // a program may have its parts linked in; stays loaded
  ::dl_iterate_phdr(visit, &search);
  return search.path;
}

std::string own_program() {
  std::unique_ptr<char, decltype(&::free)> real(::realpath("/proc/self/exe", nullptr), &::free);
  return real ? real.get() : "";
}

std::vector<std::string> installed_jvms() {
  glob_t found{};
  std::map<std::string, bool> real_paths;
  if (::glob("/usr/lib/jvm/*/lib/server/libjvm.so", 0, nullptr, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; ++i) {
      std::unique_ptr<char, decltype(&::free)> real(::realpath(found.gl_pathv[i], nullptr), &::free);
      if (real) real_paths[real.get()] = true;
    }
  }
  ::globfree(&found);
  std::vector<std::string> paths;
  paths.reserve(real_paths.size());
  for (const auto& entry : real_paths) paths.push_back(entry.first);
  return paths;
}

const capture::NativeRule& rule_at(const std::vector<capture::NativeRule>& rules, uint64_t address) {
  auto after = std::upper_bound(rules.begin(), rules.end(), address,
                                [](uint64_t wanted, const capture::NativeRule& rule) { return wanted < rule.start; });
  return *(after - 1);
}

namespace {

// "c-16" -> 16, "u" and "s" -> 0 (unchanged), else -1.
int64_t below_cfa(const std::string& column) {
  if (column == "u" || column == "s") return 0;
  return column.compare(0, 2, "c-") == 0 ? std::stoll(column.substr(2)) : -1;
}

}  // namespace

// readelf prints only "exp" for an expression, and "u" as well for a return address that is in its register.
bool agrees(const TruthRow& row, const capture::NativeRule& rule) {
  using capture::CfaBase;
  if (row.is_signal_frame) return rule.base() == CfaBase::kSignal;
  if (row.return_address == "u" && (!capture::kReturnsByRegister || rule.base() == CfaBase::kEndOfStack))
    return rule.base() == CfaBase::kEndOfStack;
  int64_t return_address = below_cfa(row.return_address);
  if (row.return_address.empty()) return_address = 0;
  int64_t fp = below_cfa(row.fp);
  if (!capture::kReturnsByRegister && return_address != 8) return rule.base() == CfaBase::kUnknown;
  if (row.cfa == "exp") return rule.base() != CfaBase::kSp && rule.base() != CfaBase::kFp;
  std::string reg = row.cfa.substr(0, row.cfa.find('+'));
  int64_t offset = std::stoll(row.cfa.substr(row.cfa.find('+') + 1));
  bool fits = fp >= 0 && offset % 8 == 0 && capture::SavedSlots::can_hold(fp, return_address);
  if ((reg != kSp && reg != kFp) || !fits) return rule.base() == CfaBase::kUnknown;
  CfaBase base = reg == kSp ? CfaBase::kSp : CfaBase::kFp;
  return rule.base() == base && rule.cfa_offset() == offset && rule.fp_below_cfa() == fp &&
         rule.saved().return_below_cfa() == return_address;
}

}  // namespace hearth::symbols
