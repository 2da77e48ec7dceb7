#include "session/stack_places.h"

#include <utility>

namespace hearth::session {
namespace {

using capture::StackTree;

// By node, the newest run that begins under it; by the word before a run, the one that began there before; 0 for none.
std::vector<uint32_t> linked_runs(const StackTree& tree) {
  std::vector<uint32_t> links(tree.id_end());
  for (uint32_t id = 2; id < links.size(); ++id) {
    if (!tree.begins_run(id)) continue;
    uint32_t& newest = links[tree.parent(id)];
    links[id - 1] = newest;
    newest = id;
  }
  return links;
}

}  // namespace

std::vector<uint32_t> stack_places(const StackTree& tree) {
  std::vector<uint32_t> places = linked_runs(tree);  // each link is read before a place is put there
  std::vector<uint32_t> pending;
  auto push = [&](uint32_t run) {
    if (run != 0) pending.push_back(run);
  };
  uint32_t last_place = 0;
  push(places.empty() ? 0 : places[StackTree::kRoot]);
  if (!places.empty()) places[StackTree::kRoot] = 0;
  while (!pending.empty()) {
    uint32_t id = pending.back();
    pending.pop_back();
    push(std::exchange(places[id - 1], 0));
    do {
      push(std::exchange(places[id], ++last_place));
      ++id;
    } while (id < places.size() && tree.continues_run(id));
  }
  return places;
}

}  // namespace hearth::session
