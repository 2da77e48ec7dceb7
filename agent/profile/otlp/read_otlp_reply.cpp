#include "profile/codec/proto.h"
#include "profile/otlp/otlp.h"

namespace hearth::profile {
namespace {

constexpr uint32_t kPartialSuccess = 1;
constexpr uint32_t kStatusMessage = 2;
namespace partial_success_field {
enum : uint32_t { kRejected = 1, kMessage = 2 };
}

}  // namespace

OtlpReply read_otlp_reply(std::string_view bytes) {
  OtlpReply reply;
  for (proto::Message message(bytes, 0); message.next();) {
    if (message.field() != kPartialSuccess) continue;
    for (proto::Message partial = message.message(); partial.next();) {
      if (partial.field() == partial_success_field::kRejected) reply.rejected = partial.signed_number();
      if (partial.field() == partial_success_field::kMessage) reply.message = partial.bytes();
    }
  }
  return reply;
}

std::string read_otlp_error(std::string_view bytes) {
  std::string text;
  for (proto::Message message(bytes, 0); message.next();)
    if (message.field() == kStatusMessage) text = message.bytes();
  return text;
}

}  // namespace hearth::profile
