// What a page's payload (page_data.h) is made of, whatever it shows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "profile/model/profile.h"
#include "profile/page/base_tree.h"

namespace hearth::profile {

// The header's "values" for the columns of a tree.
nlohmann::json values_json(const std::vector<ValueType>& types, const BaseTree& tree);

// Adds how the page opens: "view" and "transforms".
void add_view(const WriteOptions& options, nlohmann::json* header);

// The payload: the header with what is counted added to it, and the tree; deviations of those of its "values" that say
// so. Throws FormatError on negative values.
std::string encode_tree(nlohmann::json header, BaseTree tree);

// What the header tells of where a profile comes from, and of its quality.
nlohmann::json origin_json(const Metadata& about, const Quality& quality);

}  // namespace hearth::profile
