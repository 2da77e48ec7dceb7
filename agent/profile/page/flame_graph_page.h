// Puts a payload into a page and takes it out; page_data.h specifies the payload.
#pragma once

#include <string>
#include <string_view>

namespace hearth::profile {

// `page` contains {{HEARTH_TITLE}} and, after it, {{HEARTH_DATA}} once each; throws std::logic_error otherwise.
std::string fill_page(std::string_view page, std::string_view title, std::string_view payload);

// The inverse: the payload. Throws FormatError if `page` is not such a page.
std::string page_payload(std::string_view page);

}  // namespace hearth::profile
