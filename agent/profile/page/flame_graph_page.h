// A profile in a page and out of it; what is in the payload is page_data.h's matter.
#pragma once

#include <string>
#include <string_view>

namespace hearth::profile {

// `page` holds {{HEARTH_TITLE}} and, after it, {{HEARTH_DATA}} once each; throws std::logic_error otherwise.
std::string fill_page(std::string_view page, std::string_view title, std::string_view payload);

// The inverse: the payload. Throws FormatError when `page` was not made so.
std::string page_payload(std::string_view page);

}  // namespace hearth::profile
