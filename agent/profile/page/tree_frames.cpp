#include "profile/page/tree_frames.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "profile/codec/utf8.h"
#include "profile/formats/frame_text.h"

namespace hearth::profile {
namespace {

TreeFrame named(const Profile& profile, const Location& location) {
  const Function& function = profile.functions()[location.function];
  std::string name = shown_text(profile.text(function.name));
  return {name.empty() ? "[unknown]" : name, function.kind};
}

// `frame(location)`, by location.
template <typename Spell>
TreeFrames numbered(const Profile& profile, const Spell& frame) {
  std::vector<TreeFrame> spelled;
  for (const Location& location : profile.locations()) spelled.push_back(frame(location));
  std::vector<LocationId> sorted(spelled.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](LocationId a, LocationId b) { return spelled[a] < spelled[b]; });
  TreeFrames numbers;
  numbers.of_location.resize(spelled.size());
  for (LocationId location : sorted) {
    if (numbers.frames.empty() || numbers.frames.back() < spelled[location])
      numbers.frames.push_back(std::move(spelled[location]));
    numbers.of_location[location] = static_cast<uint32_t>(numbers.frames.size() - 1);
  }
  return numbers;
}

}  // namespace

bool TreeFrame::operator<(const TreeFrame& other) const {
  return std::tie(name, kind, line) < std::tie(other.name, other.kind, other.line);
}

TreeFrames frames_apart(const Profile& profile) {
  return numbered(profile, [&](const Location& location) {
    TreeFrame frame = named(profile, location);
    frame.line = location.line;
    return frame;
  });
}

TreeFrames frames_as_read(const Profile& profile, const WriteOptions& options) {
  TreeFrames numbers = numbered(profile, [&](const Location& location) {
    TreeFrame frame = named(profile, location);
    if (options.lines && location.line != 0 && is_java(frame.kind))
      frame.name.append(":").append(std::to_string(location.line));
    return frame;
  });
  std::unordered_map<std::string, uint32_t> readings;
  for (const TreeFrame& frame : numbers.frames) {
    auto next = static_cast<uint32_t>(readings.size());
    std::string text = frame_text(frame.name, frame.kind, options.annotate);
    numbers.reading.push_back(readings.emplace(std::move(text), next).first->second);
  }
  return numbers;
}

}  // namespace hearth::profile
