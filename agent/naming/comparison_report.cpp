#include "naming/comparison_report.h"

#include <vector>

#include "base/formatted.h"

namespace hearth::naming {
namespace {

std::string stack_text(const capture::StackTree& tree, uint32_t node, FrameNamer* namer,
                       const profile::Profile& profile) {
  std::vector<capture::Frame> frames;
  for (; node != capture::StackTree::kRoot && node != capture::StackTree::kFull; node = tree.parent(node))
    frames.push_back(tree.frame(node));
  std::string text;
  for (size_t i = frames.size(); i-- > 0;) {
    const profile::Location& location = profile.locations()[namer->location(frames[i])];
    text += profile.text(profile.functions()[location.function].name);
    if (frames[i].is_java()) text += formatted("@{}", frames[i].bci());
    if (i > 0) text += ';';
  }
  return text;
}

}  // namespace

std::string comparison_summary(const capture::Comparison& comparison) {
  capture::Comparison::Counts counts = comparison.counts();
  return formatted(
      "compared with AsyncGetCallTrace: {} samples, {} differ, {} differ in the innermost frame, {} it could not walk; "
      "{} differ from a walk without the cache",
      counts.compared, counts.differ, counts.finer, counts.agct_failed, counts.cache_differs);
}

std::string comparison_examples(const capture::Comparison& comparison, const capture::StackTree& tree,
                                FrameNamer* namer, const profile::Profile& profile) {
  std::string text;
  for (uint32_t i = 0; i < comparison.example_count(); i++) {
    capture::Comparison::Example example = comparison.example(i);
    text += formatted("ours:  {}\nasked: {}\n", stack_text(tree, example.ours, namer, profile),
                      stack_text(tree, example.theirs, namer, profile));
  }
  return text;
}

}  // namespace hearth::naming
