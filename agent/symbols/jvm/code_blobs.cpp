#include "symbols/jvm/code_blobs.h"

#include <cctype>
#include <string_view>

#include "base/text_parts.h"

namespace hearth::symbols {
namespace {

// JDK 27 announces "call_stub_stub (stub gen)" for what others call "call_stub", and likewise "…_entry".
std::string_view usual_name(std::string_view name) {
  constexpr std::string_view kGenerator = " (stub gen)", kKinds[] = {"_stub", "_entry"};
  if (!ends_with(name, kGenerator)) return name;
  name.remove_suffix(kGenerator.size());
  for (std::string_view kind : kKinds)
    if (name.size() > kind.size() && ends_with(name, kind)) return name.substr(0, name.size() - kind.size());
  return name;
}

}  // namespace

void CodeBlobNames::add(uintptr_t start, uint32_t length, const char* name) {
  std::lock_guard<std::mutex> lock(mutex_);
  Piece& piece = pieces_[start];
  piece.end = start + length;
  piece.name = name == nullptr ? "" : usual_name(name);
}

// Pieces do not overlap, except the interpreter, which is announced as a whole and by codelet: a few steps back find
// it.
std::string CodeBlobNames::name_of(uintptr_t pc) const {
  constexpr int kStepsBack = 512;
  std::lock_guard<std::mutex> lock(mutex_);
  auto piece = pieces_.upper_bound(pc);
  for (int i = 0; i < kStepsBack && piece != pieces_.begin(); i++) {
    --piece;
    if (pc < piece->second.end) return piece->second.name;
  }
  return "";
}

uintptr_t CodeBlobNames::start_of(std::string_view letters) const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [start, piece] : pieces_) {
    std::string plain;
    for (char c : piece.name) {
      if (std::isalpha(static_cast<unsigned char>(c)) != 0)
        plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    bool ends =
        plain.size() >= letters.size() && plain.compare(plain.size() - letters.size(), letters.npos, letters) == 0;
    if (ends) return start;
  }
  return 0;
}

}  // namespace hearth::symbols
