#include "symbols/code_blobs.h"

namespace hearth::symbols {

void CodeBlobNames::add(uintptr_t start, uint32_t length, const char* name) {
  std::lock_guard<std::mutex> lock(mutex_);
  Piece& piece = pieces_[start];
  piece.end = start + length;
  piece.name = name == nullptr ? "" : name;
}

// Pieces do not overlap but for the interpreter, which is announced whole and codelet by codelet: a few steps back find
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

}  // namespace hearth::symbols
