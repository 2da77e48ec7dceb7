// OpenTelemetry's attributes (opentelemetry-proto: common.proto), as profiles and the context of a process have them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

// An AnyValue message: a text, or a label's number where its text is empty; a list of texts.
std::string any_value(const Label& label);
std::string any_value(const std::vector<std::string>& texts);

// A KeyValue message of the AnyValue `value`.
std::string key_value(std::string_view key, const std::string& value);

}  // namespace hearth::profile
