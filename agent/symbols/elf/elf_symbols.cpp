#include "symbols/elf/elf_symbols.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "capture/arch/processor.h"
#include "symbols/elf/debug_file.h"
#include "symbols/elf/mapping_symbol.h"

namespace hearth::symbols {
namespace {

constexpr uint64_t kMaxUnsized = 4096;  // maximum size of hand-written code without a size in its symbol
constexpr int kMaxNesting = 8;          // bound of a search in nested symbols

const CodeRange* range_of(const std::vector<CodeRange>& code, uint64_t address) {
  for (const CodeRange& range : code) {
    if (address >= range.start && address < range.end) return &range;
  }
  return nullptr;
}

bool names_code(const Elf64_Sym& symbol) {
  unsigned type = ELF64_ST_TYPE(symbol.st_info);
  return symbol.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE);
}

// Prefers the usual name among aliases: read to __read, and memcmp (global) to bcmp (weak).
bool is_better_alias(const char* left, bool left_global, const char* right, bool right_global) {
  auto key = [](const char* name, bool is_global) {
    return std::make_tuple(std::strspn(name, "_"), !is_global, std::strlen(name), std::string_view(name));
  };
  return key(left, left_global) < key(right, right_global);
}

// Cuts after the last terminated string, so that each offset in bounds is a C string.
std::string_view whole_strings(std::string_view strings) {
  return strings.substr(0, strings.rfind('\0') + 1);
}

}  // namespace

// Collects the symbols of one table, then sorts and sizes them.
class ElfSymbols::Collector {
 public:
  explicit Collector(const std::vector<CodeRange>& code) : code_(code) {}

  void add(const Elf64_Sym& symbol, std::string_view strings, const ElfImage* image) {
    if (!names_code(symbol) || symbol.st_name >= strings.size()) return;
    const char* name = strings.data() + symbol.st_name;
    const CodeRange* range = range_of(code_, symbol.st_value);
    if (*name == 0 || is_mapping_symbol(name) || range == nullptr || range->end > UINT32_MAX) return;
    uint64_t limit = range->end;
    const Elf64_Shdr* section = image == nullptr ? nullptr : image->section(symbol.st_shndx);
    if (section != nullptr && symbol.st_value - section->sh_addr < section->sh_size)
      limit = std::min(limit, section->sh_addr + section->sh_size);
    bool is_sized = symbol.st_size != 0;
    uint64_t size = std::min(limit - symbol.st_value, is_sized ? symbol.st_size : kMaxUnsized);
    auto start = static_cast<uint32_t>(symbol.st_value);
    if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) choosers_.push_back(name);
    found_.push_back(
        {{start, start + static_cast<uint32_t>(size), name}, is_sized, ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL});
  }

  std::vector<const char*> choosers() { return std::move(choosers_); }

  std::vector<Symbol> finish() {
    std::sort(found_.begin(), found_.end(), [](const Entry& left, const Entry& right) {
      if (left.symbol.start != right.symbol.start) return left.symbol.start < right.symbol.start;
      if (left.is_sized != right.is_sized) return left.is_sized;
      return is_better_alias(left.symbol.name, left.is_global, right.symbol.name, right.is_global);
    });
    auto same_start = [](const Entry& left, const Entry& right) { return left.symbol.start == right.symbol.start; };
    found_.erase(std::unique(found_.begin(), found_.end(), same_start), found_.end());
    std::vector<Symbol> result;
    result.reserve(found_.size());
    uint32_t covered = 0;  // end of the functions with a size so far
    for (size_t i = 0; i < found_.size(); ++i) {
      Entry& entry = found_[i];
      if (entry.is_sized) {
        covered = std::max(covered, entry.symbol.end);
      } else {
        if (entry.symbol.start < covered) continue;  // a label within a function
        if (i + 1 < found_.size()) entry.symbol.end = std::min(entry.symbol.end, found_[i + 1].symbol.start);
      }
      result.push_back(entry.symbol);
    }
    return result;
  }

 private:
  struct Entry {
    Symbol symbol;
    bool is_sized;
    bool is_global;
  };
  const std::vector<CodeRange>& code_;
  std::vector<Entry> found_;
  std::vector<const char*> choosers_;
};

ElfSymbols::ElfSymbols(const SymbolSource& source) : file_(source.path) {
  if (!file_ || (!source.build_id.empty() && file_.build_id() != source.build_id)) {
    file_ = {};
    return;
  }
  if (!collect(file_, SHT_SYMTAB, source.code)) {
    debug_file_ = find_debug_file(file_, source.path, source.debug_root);
    if (!collect(debug_file_, SHT_SYMTAB, source.code)) collect(file_, SHT_DYNSYM, source.code);
  }
  name_plt();
}

ElfSymbols::ElfSymbols(DynamicSymbols symbols, const std::vector<CodeRange>& code) : memory_(std::move(symbols)) {
  Collector collector(code);
  std::string_view strings = whole_strings(memory_.strings);
  for (const Elf64_Sym& symbol : memory_.symbols) collector.add(symbol, strings, nullptr);
  symbols_ = collector.finish();
  choosers_ = collector.choosers();
}

bool ElfSymbols::starts_earlier(const Symbol& left, const Symbol& right) {
  return left.start < right.start;
}

bool ElfSymbols::collect(const ElfImage& image, uint32_t table_type, const std::vector<CodeRange>& code) {
  const Elf64_Shdr* table = image.section_of_type(table_type);
  if (table == nullptr) return false;
  Collector collector(code);
  std::string_view strings = whole_strings(image.content(image.section(table->sh_link)));
  for (const Elf64_Sym& symbol : image.array<Elf64_Sym>(table)) collector.add(symbol, strings, &image);
  symbols_ = collector.finish();
  choosers_ = collector.choosers();
  return !symbols_.empty();
}

// Returns the functions' names by the addresses of their slots in the global offset table.
std::unordered_map<uint64_t, const char*> ElfSymbols::function_slots() const {
  std::unordered_map<uint64_t, const char*> slots;
  const Elf64_Shdr* table = file_.section_of_type(SHT_DYNSYM);
  if (table == nullptr) return slots;
  auto symbols = file_.array<Elf64_Sym>(table);
  std::string_view strings = whole_strings(file_.content(file_.section(table->sh_link)));
  for (const char* name : {".rela.plt", ".rela.dyn"}) {
    for (const Elf64_Rela& relocation : file_.array<Elf64_Rela>(file_.section_named(name))) {
      uint64_t type = ELF64_R_TYPE(relocation.r_info);
      uint64_t index = ELF64_R_SYM(relocation.r_info);
      if (type == capture::kResolverRelocation) {
        const Symbol* resolver = covering(symbols_, static_cast<uint64_t>(relocation.r_addend));
        if (resolver != nullptr) slots.emplace(relocation.r_offset, resolver->name);
      } else if ((type == capture::kJumpSlotRelocation || type == capture::kGlobalDataRelocation) &&
                 index < symbols.count) {
        uint32_t symbol_name = symbols.first[index].st_name;
        if (symbol_name < strings.size()) slots.emplace(relocation.r_offset, strings.data() + symbol_name);
      }
    }
  }
  return slots;
}

// Names each entry after the function of the slot that it jumps through.
void ElfSymbols::name_plt() {
  using Entries = capture::LinkageEntries;
  auto slots = function_slots();
  for (const char* name : {".plt", ".plt.sec", ".plt.got"}) {
    const Elf64_Shdr* section = file_.section_named(name);
    std::string_view code = file_.content(section);
    if (code.empty() || section->sh_addr > UINT32_MAX - code.size()) continue;
    size_t size = Entries::size(section->sh_entsize);
    size_t stride = Entries::stride(section->sh_entsize);
    for (size_t entry = 0; entry + size <= code.size(); entry += stride) {
      auto slot = slots.find(Entries::slot(code.substr(entry, size), section->sh_addr + entry));
      if (slot == slots.end()) continue;
      auto start = static_cast<uint32_t>(section->sh_addr + entry);
      plt_.push_back({start, start + static_cast<uint32_t>(size), slot->second});
    }
  }
  std::sort(plt_.begin(), plt_.end(), starts_earlier);
}

const ElfSymbols::Symbol* ElfSymbols::covering(const std::vector<Symbol>& symbols, uint64_t address) {
  auto after = std::upper_bound(symbols.begin(), symbols.end(), address,
                                [](uint64_t wanted, const Symbol& symbol) { return wanted < symbol.start; });
  for (int level = 0; level < kMaxNesting && after != symbols.begin(); ++level) {
    --after;
    if (address < after->end) return &*after;
  }
  return nullptr;
}

void ElfSymbols::add(CodeRange code, const char* name) {
  if (code.start >= code.end || code.end > UINT32_MAX) return;
  Symbol symbol = {static_cast<uint32_t>(code.start), static_cast<uint32_t>(code.end), name};
  auto place = std::lower_bound(symbols_.begin(), symbols_.end(), symbol, starts_earlier);
  if (place == symbols_.end() || place->start != symbol.start) symbols_.insert(place, symbol);
}

void ElfSymbols::each(const std::function<void(std::string_view, uint64_t)>& visit) const {
  for (const Symbol& symbol : symbols_) visit(symbol.name, symbol.start);
}

ElfSymbols::Found ElfSymbols::find(uint64_t address) const {
  if (const Symbol* symbol = covering(symbols_, address)) return {symbol->name, false};
  if (const Symbol* entry = covering(plt_, address)) return {entry->name, true};
  return {};
}

}  // namespace hearth::symbols
