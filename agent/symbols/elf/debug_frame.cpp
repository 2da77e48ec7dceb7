#include "symbols/elf/debug_frame.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "symbols/elf/debug_file.h"
#include "symbols/elf/unwind_rules_eh_frame.h"

namespace hearth::symbols {
namespace {

using capture::CfaBase;
using capture::NativeRule;

constexpr size_t kMostInflated = 256 << 20;
constexpr size_t kMostRatio = 1032;  // the maximum of deflate

// Returns the content of a compressed section; empty if it is damaged, or not compressed by zlib.
std::string inflated(std::string_view compressed) {
  Elf64_Chdr header;
  if (compressed.size() < sizeof header) return {};
  std::memcpy(&header, compressed.data(), sizeof header);
  compressed.remove_prefix(sizeof header);
  bool fits = header.ch_size <= kMostInflated && header.ch_size / kMostRatio <= compressed.size();
  if (header.ch_type != ELFCOMPRESS_ZLIB || !fits) return {};
  std::string bytes(header.ch_size, '\0');
  uLongf size = bytes.size();
  auto* target = reinterpret_cast<Bytef*>(bytes.data());
  auto* source = reinterpret_cast<const Bytef*>(compressed.data());
  if (::uncompress(target, &size, source, compressed.size()) != Z_OK || size != bytes.size()) return {};
  return bytes;
}

std::vector<NativeRule> rules_of(const ElfImage& image, const char* name, FrameSection kind,
                                 const std::vector<CodeRange>& code) {
  const Elf64_Shdr* section = image.section_named(name);
  if (section == nullptr) return {};
  if ((section->sh_flags & SHF_COMPRESSED) == 0)
    return unwind_rules({kind, image.content(section), section->sh_addr}, code);
  std::string bytes = inflated(image.raw_content(section));
  return unwind_rules({kind, bytes, section->sh_addr}, code);
}

// True if a stretch of code without rules is large enough for a function. Shorter ones are padding between functions; a
// procedure linkage table before them has no rules of compilers, either.
bool lacks_functions(const std::vector<NativeRule>& rules, const std::vector<CodeRange>& code) {
  constexpr uint64_t kSmallest = 16;
  if (rules.empty()) return true;
  for (const CodeRange& range : code) {
    for (size_t i = 0; i < rules.size(); i++) {
      if (rules[i].base() != CfaBase::kUnknown) continue;
      uint64_t begin = std::max<uint64_t>(rules[i].start, range.start);
      uint64_t end = std::min<uint64_t>(i + 1 < rules.size() ? rules[i + 1].start : range.end, range.end);
      if (end > begin && end - begin >= kSmallest) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<NativeRule> with_rules_of_file(std::vector<NativeRule> rules, const SymbolSource& source) {
  if (!lacks_functions(rules, source.code)) return rules;
  ElfImage file(source.path);
  if (!file || (!source.build_id.empty() && file.build_id() != source.build_id)) return rules;
  if (rules.empty()) rules = rules_of(file, ".eh_frame", FrameSection::kEhFrame, source.code);
  std::vector<NativeRule> others = rules_of(file, ".debug_frame", FrameSection::kDebugFrame, source.code);
  if (others.empty()) {
    ElfImage debug_file = find_debug_file(file, source.path, source.debug_root);
    others = rules_of(debug_file, ".debug_frame", FrameSection::kDebugFrame, source.code);
  }
  return completed(rules, others);
}

}  // namespace hearth::symbols
