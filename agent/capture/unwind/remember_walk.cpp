#include "capture/unwind/remember_walk.h"

#include <algorithm>
#include <cstring>

namespace hearth::capture {

void remember_walk(const WalkResult& result, const WalkScratch& scratch, StackMemory* memory) {
  memory->mark_count = result.joined ? result.joined_marks : 0;
  if (scratch.marks_overflow || result.truncated || !(result.joined || !result.root_missing)) return;
  uint32_t words = memory->mark_count > 0 ? memory->marks[memory->mark_count - 1].words : 0;
  uint32_t depth_of_all = result.base_depth + result.java_frames;
  for (uint32_t i = result.mark_count; i-- > 0 && memory->mark_count < StackMemory::kMarks;) {
    const WalkScratch::NewMark& fresh = scratch.marks[i];
    uint32_t first = i == 0 ? 0 : scratch.marks[i - 1].mark.words;
    uint32_t count = fresh.mark.words - std::min(first, fresh.mark.words);
    if (words + count > StackMemory::kWords) return;
    std::memcpy(memory->words + words, scratch.words + first, count * sizeof(StackMemory::Word));
    words += count;
    StackMemory::Mark& mark = memory->marks[memory->mark_count++];
    mark = fresh.mark;
    mark.words = words;
    mark.depth = depth_of_all - fresh.mark.depth;
  }
}

}  // namespace hearth::capture
