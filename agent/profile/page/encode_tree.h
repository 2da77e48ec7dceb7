// Encodes a page's payload (page_data.h) for any kind of page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "profile/model/profile.h"
#include "profile/page/page_tree.h"

namespace hearth::profile {

// The header's "values" for the columns of a tree.
nlohmann::json values_json(const std::vector<ValueType>& types, const PageTree& tree);

// Adds the initial view of the page: "view" and "transforms".
void add_view(const WriteOptions& options, nlohmann::json* header);

// The payload: the header with the counts added, and the tree; with deviations for those of its "values" that declare
// them. Throws FormatError for negative values.
std::string encode_tree(nlohmann::json header, PageTree tree);

// The header's fields for origin and quality of a profile.
nlohmann::json origin_json(const Metadata& about, const Quality& quality);

}  // namespace hearth::profile
