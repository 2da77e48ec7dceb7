// What a server's answer to a window means.
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
  kLater,   // others would fare no better
  kFailed,  // to be tried again, but it may be for this window that the server fails
};

// By OTLP only 429, 502, 503 and 504 are to be tried again; clients of Pyroscope do so with 408, 429 and all 5xx.
// `status` 0 is no answer. Redirections are not followed: what they lead to was not asked for.
Answer answer_of(options::Protocol protocol, int status);

// "; what to do about it" of a refusal, or "".
std::string hint_for(const options::PushTarget& target, int status);

// How long the Retry-After header of a reply that came at `now` wants us to wait, an hour at most; 0 of one that says
// nothing.
int64_t retry_after_ns(std::string_view header, std::time_t now);

}  // namespace hearth::push
