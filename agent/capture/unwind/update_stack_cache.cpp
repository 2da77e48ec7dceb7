#include "capture/unwind/update_stack_cache.h"

#include <algorithm>
#include <cstring>

namespace hearth::capture {

void update_stack_cache(const WalkResult& result, const WalkScratch& scratch, StackCache* cache) {
  cache->checkpoint_count = result.joined ? result.joined_checkpoints : 0;
  if (scratch.checkpoints_overflow || result.truncated || !(result.joined || !result.root_missing)) return;
  uint32_t words = cache->checkpoint_count > 0 ? cache->checkpoints[cache->checkpoint_count - 1].words : 0;
  uint32_t depth_of_all = result.base_depth + result.java_frames;
  for (uint32_t i = result.checkpoint_count; i-- > 0 && cache->checkpoint_count < StackCache::kCheckpoints;) {
    const WalkScratch::NewCheckpoint& fresh = scratch.checkpoints[i];
    uint32_t first = i == 0 ? 0 : scratch.checkpoints[i - 1].checkpoint.words;
    uint32_t count = fresh.checkpoint.words - std::min(first, fresh.checkpoint.words);
    if (words + count > StackCache::kWords) return;
    std::memcpy(cache->words + words, scratch.words + first, count * sizeof(StackCache::Word));
    words += count;
    StackCache::Checkpoint& checkpoint = cache->checkpoints[cache->checkpoint_count++];
    checkpoint = fresh.checkpoint;
    checkpoint.words = words;
    checkpoint.depth = depth_of_all - fresh.checkpoint.depth;
  }
}

}  // namespace hearth::capture
