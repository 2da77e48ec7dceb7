#include "profile/analysis/stack_key.h"

#include <algorithm>

#include "profile/formats/frame_text.h"

namespace hearth::profile {

std::vector<std::string> frames_of(const Profile& profile, NodeId stack) {
  std::vector<std::string> frames;
  for (; stack != 0; stack = profile.nodes()[stack].parent) {
    const Function& function = profile.functions()[profile.function_of(stack)];
    frames.push_back(frame_text(profile.text(function.name), function.kind, false));
  }
  std::reverse(frames.begin(), frames.end());
  return frames;
}

uint64_t stack_key(const std::vector<std::string>& frames) {
  constexpr uint64_t kPrime = 0x100000001b3;
  uint64_t key = 0xcbf29ce484222325;
  auto add = [&](char letter) { key = (key ^ static_cast<unsigned char>(letter)) * kPrime; };
  for (const std::string& frame : frames) {
    for (char letter : frame) add(letter);
    add('\n');
  }
  return key;
}

}  // namespace hearth::profile
