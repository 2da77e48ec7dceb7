// The frames of trees: which of a profile's locations are distinct, and their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

struct TreeFrame {
  std::string name;  // valid UTF-8, no suffix
  FrameKind kind;
  uint32_t line = 0;  // 0: unknown, or part of the name

  bool operator<(const TreeFrame& other) const;
};

struct TreeFrames {
  std::vector<TreeFrame> frames;      // ascending, no two equal
  std::vector<uint32_t> of_location;  // the frame of each of the profile's locations
  // By frame: equal for frames of equal text, numbered by the first of them. Only from frames_as_read().
  std::vector<uint32_t> reading;
};

// Each name, kind and line is a frame.
TreeFrames frames_apart(const Profile& profile);

// Each name and kind is a frame, and with options.lines each text with a Java line; frames of equal frame_text() have
// the same reading.
TreeFrames frames_as_read(const Profile& profile, const WriteOptions& options);

}  // namespace hearth::profile
