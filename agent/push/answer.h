// Interprets the reply of a server to a window.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "options/push_target.h"

namespace hearth::push {

enum class Answer {
  kTaken,
  kRefused,
  kLater,   // other windows would fail, too
  kFailed,  // to be tried again; this window may be the cause of the failure
};

// By OTLP only 429, 502, 503 and 504 are to be tried again; clients of Pyroscope do so for 408, 429 and all 5xx.
// `status` 0: no reply. Redirections are not followed: the user did not choose their targets.
Answer answer_of(options::Protocol protocol, int status);

// The remedy for a refusal, "; …", or "".
std::string hint_for(const options::PushTarget& target, int status);

// The wait that the Retry-After header of a reply asks for, received at `now`; at most an hour. 0 if there is none.
int64_t retry_after_ns(std::string_view header, std::time_t now);

}  // namespace hearth::push
