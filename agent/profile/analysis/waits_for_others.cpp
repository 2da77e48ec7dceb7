#include "profile/analysis/waits_for_others.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "profile/analysis/program_method.h"
#include "profile/formats/frame_text.h"

namespace hearth::profile {
namespace {

bool is_border(const TreeFrame& frame) {
  return !relation_word(frame.name).empty();
}

class OtherSearch {
 public:
  explicit OtherSearch(const CallTree& tree) : tree_(tree) {}

  // `path`: nodes from the root to a stack's innermost frame.
  std::vector<size_t> borders(const std::vector<size_t>& path) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < path.size(); ++i)
      if (is_border(frame(path[i]))) found.push_back(i);
    return found;
  }

  // As of ProgramMethod, in path[begin, end).
  std::string method(const std::vector<size_t>& path, size_t begin, size_t end) const {
    ProgramMethod method;
    for (size_t i = end; i-- > begin;)
      if (method.add(frame(path[i]).name, frame(path[i]).kind)) break;
    return std::string(method.name());
  }

  std::string_view relation(size_t node) const {
    return relation_word(frame(node).name) == kWakesWord ? kWakesWord : kHoldsWord;
  }

  std::string object(size_t node) const {
    const std::string& name = frame(node).name;
    size_t space = name.find(' ');
    return space == std::string::npos ? "" : name.substr(space + 1, name.size() - space - 2);
  }

 private:
  const TreeFrame& frame(size_t node) const { return tree_.frames[tree_.frame[node]]; }

  const CallTree& tree_;
};

}  // namespace

std::vector<WaitForOther> waits_for_others(const CallTree& tree, size_t value) {
  if (std::none_of(tree.frames.begin(), tree.frames.end(), is_border)) return {};
  OtherSearch search(tree);
  std::map<std::tuple<std::string_view, std::string, std::string, std::string>, WaitForOther> by_names;
  std::vector<size_t> path;
  for (size_t node = 0; node < tree.size(); ++node) {
    path.resize(tree.depth[node] - 1);
    path.push_back(node);
    int64_t self = tree.self[value][node];
    if (self == 0) continue;
    std::vector<size_t> borders = search.borders(path);
    if (borders.empty()) continue;
    size_t end = borders.size() > 1 ? borders[1] : path.size();
    WaitForOther one;
    one.relation = search.relation(path[borders[0]]);
    one.object = search.object(path[borders[0]]);
    one.other = search.method(path, 0, borders[0]);
    one.waiter = search.method(path, borders[0] + 1, end);
    WaitForOther& sum =
        by_names.emplace(std::tuple(one.relation, one.object, one.other, one.waiter), one).first->second;
    sum.total += self;
    if (borders.size() > 1) sum.further += self;
  }
  std::vector<WaitForOther> all;
  all.reserve(by_names.size());
  for (auto& [names, one] : by_names) all.push_back(std::move(one));
  std::stable_sort(all.begin(), all.end(),
                   [](const WaitForOther& a, const WaitForOther& b) { return a.total > b.total; });
  return all;
}

}  // namespace hearth::profile
