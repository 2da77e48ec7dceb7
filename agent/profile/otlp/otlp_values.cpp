#include "profile/otlp/otlp_values.h"

#include "profile/codec/bytes.h"
#include "profile/codec/proto.h"
#include "profile/codec/utf8.h"
#include "profile/otlp/otlp_fields.h"

namespace hearth::profile {

std::string any_value(const Label& label) {
  std::string value;
  if (!label.text.empty()) {
    proto::put_bytes(value, any_value_field::kString, valid_utf8(label.text));
  } else {
    proto::put_tag(value, any_value_field::kInt, proto::Wire::kVarint);  // a zero, too
    put_varint(value, static_cast<uint64_t>(label.number));
  }
  return value;
}

std::string key_value(std::string_view key, const std::string& value) {
  std::string pair;
  proto::put_bytes(pair, key_value_field::kKey, valid_utf8(key));
  proto::put_bytes(pair, key_value_field::kValue, value);
  return pair;
}

std::string any_value(const std::vector<std::string>& texts) {
  std::string list, value;
  for (const std::string& text : texts)
    proto::put_bytes(list, array_value_field::kValues, any_value(Label{"", text, 0, ""}));
  proto::put_bytes(value, any_value_field::kArray, list);
  return value;
}

}  // namespace hearth::profile
