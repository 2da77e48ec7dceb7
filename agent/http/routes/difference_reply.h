// The difference of two profiles, as requests ask for it.
#pragma once

#include "http/routes/json_options.h"
#include "http/routes/profile_formats.h"
#include "profile/analysis/difference.h"

namespace hearth::http {

// Reads a query: absolute, normalize, and the options that shape outputs. Throws Refusal 400.
profile::DifferenceOptions difference_options(Query query);

// Throws Refusal 400 for a format that differences are not written in, and for two that cannot be compared.
Reply difference_reply(const profile::Profile& before, const profile::Profile& after, const ResponseFormat& format,
                       const profile::DifferenceOptions& options);

}  // namespace hearth::http
