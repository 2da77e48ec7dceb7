// Field numbers of OTLP's profiles, by message (opentelemetry-proto 1.11.0: profiles.proto, common.proto), and words.
#pragma once

#include <cstdint>
#include <string_view>

namespace hearth::profile {

namespace request_field {
enum : uint32_t { kResourceProfiles = 1, kDictionary = 2 };
}
namespace dictionary_field {
enum : uint32_t { kMapping = 1, kLocation = 2, kFunction = 3, kLink = 4, kString = 5, kAttribute = 6, kStack = 7 };
}
namespace resource_profiles_field {
enum : uint32_t { kResource = 1, kScopeProfiles = 2 };
}
namespace resource_field {
enum : uint32_t { kAttributes = 1 };
}
namespace process_context_field {  // of OTEP 4719
enum : uint32_t { kResource = 1, kAttributes = 2 };
}
namespace scope_profiles_field {
enum : uint32_t { kScope = 1, kProfiles = 2 };
}
namespace scope_field {
enum : uint32_t { kName = 1, kVersion = 2, kAttributes = 3 };
}
namespace otlp_profile_field {
enum : uint32_t { kSampleType = 1, kSamples = 2, kTime = 3, kDuration = 4, kPeriodType = 5, kPeriod = 6 };
}
namespace otlp_sample_field {
enum : uint32_t { kStack = 1, kAttributes = 2, kLink = 3, kValues = 4, kTimes = 5 };
}
namespace otlp_location_field {
enum : uint32_t { kMapping = 1, kAddress = 2, kLines = 3, kAttributes = 4 };
}
namespace otlp_function_field {
enum : uint32_t { kName = 1, kSystemName = 2, kFileName = 3 };
}
namespace stack_field {
enum : uint32_t { kLocations = 1 };
}
namespace link_field {
enum : uint32_t { kTrace = 1, kSpan = 2 };
}
namespace key_value_field {
enum : uint32_t { kKey = 1, kValue = 2, kUnit = 3 };
}
namespace array_value_field {
enum : uint32_t { kValues = 1 };
}
namespace otlp_mapping_field {
enum : uint32_t { kFileName = 4 };
}
namespace any_value_field {
enum : uint32_t { kString = 1, kBool = 2, kInt = 3, kDouble = 4, kArray = 5 };
}

// Of a process context: the names of the attributes of its threads, an array of texts.
inline constexpr std::string_view kThreadAttributesKey = "threadlocal.attribute_key_map";
inline constexpr std::string_view kFrameTypeKey = "profile.frame.type";
inline constexpr std::string_view kJvmFrameType = "jvm";
inline constexpr std::string_view kThreadNameKey = "thread.name";
inline constexpr std::string_view kThreadIdKey = "thread.id";
// Of the scope, in files: what pprof has as comments (pprof_extensions.h), an array of texts.
inline constexpr std::string_view kCommentsKey = "hearth.comments";

}  // namespace hearth::profile
