// The label sets of a page's payload (page_data.h).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

struct EncodedLabels {
  nlohmann::json keys;             // the header's "labels"
  std::vector<std::string> words;  // valid UTF-8, sorted
  std::string sets;                // encoded, without the first, which is "no labels"
};

EncodedLabels encode_labels(const std::vector<LabelSet>& label_sets);

}  // namespace hearth::profile
