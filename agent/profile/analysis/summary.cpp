#include "profile/analysis/summary.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/formatted.h"
#include "profile/codec/utf8.h"
#include "profile/formats/frame_text.h"
#include "profile/model/label_values.h"
#include "profile/model/stack_filter.h"

namespace hearth::profile {
namespace {

double sum_of(double a, double b) {
  return a + b;
}

int64_t sum_of(int64_t a, int64_t b) {
  return saturating_sum(a, b);
}

// By node: the sum over the node and all below it of `sums`, which are self values.
template <typename Number>
std::vector<Number> totals(const CallTree& tree, std::vector<Number> sums) {
  std::vector<size_t> way;  // from the root to the current node
  std::vector<size_t> parents(tree.size());
  for (size_t node = 0; node < tree.size(); ++node) {
    way.resize(tree.depth[node] - 1);
    parents[node] = way.empty() ? node : way.back();
    way.push_back(node);
  }
  for (size_t node = tree.size(); node-- > 0;)
    if (parents[node] != node) sums[parents[node]] = sum_of(sums[parents[node]], sums[node]);
  return sums;
}

// Self variances by node; zeros if unknown.
std::vector<double> variances_of(const CallTree& tree, size_t value) {
  std::vector<double> variances = tree.variance[value];
  variances.resize(tree.size());
  return variances;
}

std::vector<std::string> frame_texts(const CallTree& tree, bool annotate) {
  std::vector<std::string> texts;
  texts.reserve(tree.frames.size());
  for (const TreeFrame& frame : tree.frames) texts.push_back(frame_text(frame.name, frame.kind, annotate));
  return texts;
}

bool heavier(const MethodWeight& a, const MethodWeight& b) {
  if (a.self != b.self) return a.self > b.self;
  return a.total != b.total ? a.total > b.total : a.name < b.name;
}

class PathFinder {
 public:
  PathFinder(const CallTree& tree, size_t value, bool annotate)
      : tree_(tree),
        self_(tree.self[value]),
        totals_(totals(tree, self_)),
        self_variances_(variances_of(tree, value)),
        total_variances_(totals(tree, self_variances_)),
        texts_(frame_texts(tree, annotate)) {
    ends_.resize(tree.size());
    std::vector<size_t> open;
    for (size_t node = 0; node <= tree.size(); ++node) {
      size_t depth = node < tree.size() ? tree.depth[node] : 1;
      for (; open.size() >= depth; open.pop_back()) ends_[open.back()] = node;
      open.push_back(node);
    }
  }

  // The paths with a total of at least `least`.
  std::vector<Path> find(int64_t least) const { return paths(0, tree_.size(), least); }

  static size_t count(const std::vector<Path>& paths) {
    size_t sum = paths.size();
    for (const Path& path : paths) sum += count(path.callees);
    return sum;
  }

 private:
  // Siblings in [begin, end).
  std::vector<size_t> heavy(size_t begin, size_t end, int64_t least) const {
    std::vector<size_t> nodes;
    for (size_t node = begin; node < end; node = ends_[node])
      if (totals_[node] >= least) nodes.push_back(node);
    std::stable_sort(nodes.begin(), nodes.end(), [this](size_t a, size_t b) { return totals_[a] > totals_[b]; });
    return nodes;
  }

  // A path ends if its weight divides among two shown callees, or is lost: so the recursion is not deep.
  std::vector<Path> paths(size_t begin, size_t end, int64_t least) const {
    std::vector<Path> found;
    for (size_t node : heavy(begin, end, least)) found.push_back(path_from(node, least));
    return found;
  }

  Path path_from(size_t node, int64_t least) const {
    constexpr double kNearlyAll = 0.95;
    Path path;
    path.total = totals_[node];
    path.total_variance = total_variances_[node];
    auto nearly_all = static_cast<int64_t>(kNearlyAll * static_cast<double>(path.total));
    for (;;) {
      path.frames.push_back(texts_[tree_.frame[node]]);
      path.self = saturating_sum(path.self, self_[node]);
      path.self_variance += self_variances_[node];
      std::vector<size_t> callees = heavy(node + 1, ends_[node], least);
      if (callees.size() != 1 || totals_[callees.front()] < nearly_all) break;
      node = callees.front();
    }
    path.callees = paths(node + 1, ends_[node], least);
    return path;
  }

  const CallTree& tree_;
  const std::vector<int64_t>& self_;
  std::vector<int64_t> totals_;
  std::vector<double> self_variances_;
  std::vector<double> total_variances_;
  std::vector<std::string> texts_;
  std::vector<size_t> ends_;  // by node: the first node after its callees
};

// Treats functions of equal text as one method, and formats each once.
class MethodTexts {
 public:
  MethodTexts(const Profile& profile, bool annotate)
      : profile_(profile), annotate_(annotate), methods_(profile.functions().size(), kUnknown) {}

  size_t method_of(FunctionId id) {
    if (methods_[id] != kUnknown) return methods_[id];
    const Function& function = profile_.functions()[id];
    std::string text = frame_text(shown_text(profile_.text(function.name)), function.kind, annotate_);
    auto [place, is_new] = known_.try_emplace(std::move(text), texts_.size());
    if (is_new) texts_.push_back(&place->first);
    return methods_[id] = place->second;
  }

  // By self value; the first name if equal.
  MethodWeight hottest(const std::unordered_map<size_t, int64_t>& self) const {
    MethodWeight hottest;
    for (const auto& [method, sum] : self) {
      const std::string& name = *texts_[method];
      bool is_first = hottest.name.empty() || sum > hottest.self || (sum == hottest.self && name < hottest.name);
      if (is_first) hottest = {name, sum};
    }
    return hottest;
  }

 private:
  static constexpr size_t kUnknown = SIZE_MAX;

  const Profile& profile_;
  bool annotate_;
  std::vector<size_t> methods_;  // by function
  std::unordered_map<std::string, size_t> known_;
  std::vector<const std::string*> texts_;  // keys of known_, which do not move
};

}  // namespace

bool has_classes(const CallTree& tree, size_t value) {
  for (size_t node = 0; node < tree.size(); ++node) {
    if (tree.self[value][node] != 0 && tree.frames[tree.frame[node]].kind == FrameKind::kClass) return true;
  }
  return false;
}

CallTree at_allocating_methods(CallTree tree) {
  auto give = [](auto* columns, size_t from, size_t to) {
    for (auto& column : *columns)
      if (!column.empty()) column[to] = sum_of(column[to], std::exchange(column[from], 0));
  };
  std::vector<size_t> way;  // from the root to the current node
  for (size_t node = 0; node < tree.size(); ++node) {
    way.resize(tree.depth[node] - 1);
    if (!way.empty() && tree.frames[tree.frame[node]].kind == FrameKind::kClass) {
      give(&tree.self, node, way.back());
      give(&tree.variance, node, way.back());
    }
    way.push_back(node);
  }
  return tree;
}

std::vector<MethodWeight> method_weights(const CallTree& tree, size_t value, bool annotate) {
  std::vector<std::string> texts = frame_texts(tree, annotate);
  std::unordered_map<std::string_view, size_t> known;
  std::vector<MethodWeight> methods;
  std::vector<size_t> method_of_frame(texts.size());
  for (size_t frame = 0; frame < texts.size(); ++frame) {
    auto [entry, is_new] = known.try_emplace(texts[frame], methods.size());
    if (is_new) methods.push_back({texts[frame]});
    method_of_frame[frame] = entry->second;
  }
  std::vector<int64_t> node_totals = totals(tree, tree.self[value]);
  std::vector<double> self_variances = variances_of(tree, value);
  std::vector<double> total_variances = totals(tree, self_variances);
  std::vector<size_t> way;  // methods from the root to the current node
  std::vector<uint32_t> on_way(methods.size());
  for (size_t node = 0; node < tree.size(); ++node) {
    for (; way.size() >= tree.depth[node]; way.pop_back()) --on_way[way.back()];
    size_t id = method_of_frame[tree.frame[node]];
    MethodWeight& method = methods[id];
    method.self = saturating_sum(method.self, tree.self[value][node]);
    method.samples = saturating_sum(method.samples, tree.self.front()[node]);
    method.self_variance += self_variances[node];
    if (on_way[id]++ == 0) {
      method.total = saturating_sum(method.total, node_totals[node]);
      method.total_variance += total_variances[node];
    }
    way.push_back(id);
  }
  auto unused = [](const MethodWeight& method) { return method.total == 0 && method.samples == 0; };
  methods.erase(std::remove_if(methods.begin(), methods.end(), unused), methods.end());
  std::sort(methods.begin(), methods.end(), heavier);
  return methods;
}

std::vector<Path> hottest_paths(const CallTree& tree, size_t value, bool annotate, size_t limit) {
  PathFinder finder(tree, value, annotate);
  auto whole = static_cast<double>(tree.total(value));
  for (int percent = 1; percent < 100; ++percent) {
    std::vector<Path> paths = finder.find(std::max<int64_t>(static_cast<int64_t>(whole * percent / 100), 1));
    if (PathFinder::count(paths) <= limit) return paths;
  }
  return {};
}

std::vector<LabelWeight> label_weights(const Profile& profile, const WriteOptions& options, std::string_view key,
                                       size_t value) {
  LabelValues labels(profile, key);
  std::vector<bool> shown = shown_stacks(profile, options);
  MethodTexts texts(profile, options.annotate);
  std::unordered_map<std::string_view, size_t> known;
  std::vector<LabelWeight> groups;
  std::vector<std::unordered_map<size_t, int64_t>> self;  // by group, then method
  for (size_t index = 0; index < profile.sample_count(); ++index) {
    const Profile::Sample& sample = profile.sample(index);
    if (!shown[sample.stack]) continue;
    std::string_view label = labels.of(sample);
    auto [place, is_new] = known.try_emplace(label, groups.size());
    if (is_new) {
      groups.push_back({std::string(label), 0, 0, {}});
      self.emplace_back();
    }
    int64_t weight = profile.values(index)[value];
    LabelWeight& group = groups[place->second];
    group.total = saturating_sum(group.total, weight);
    group.samples = saturating_sum(group.samples, profile.values(index)[0]);
    int64_t& sum = self[place->second][texts.method_of(profile.function_of(sample.stack))];
    sum = saturating_sum(sum, weight);
  }
  for (size_t group = 0; group < groups.size(); ++group) groups[group].hottest = texts.hottest(self[group]);
  std::sort(groups.begin(), groups.end(), [](const LabelWeight& a, const LabelWeight& b) {
    return a.total != b.total ? a.total > b.total : a.label < b.label;
  });
  return groups;
}

}  // namespace hearth::profile
