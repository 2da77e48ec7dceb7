// The tables of an OTLP profile, as its reader needs them: stacks as nodes of the profile that is read, attributes as
// labels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/codec/bytes.h"
#include "profile/codec/proto.h"
#include "profile/model/profile.h"

namespace hearth::profile {

inline constexpr const char* kOtlpInput = "the OTLP profile";

// Every call may throw FormatError. `profile` and `limit` must outlive it.
class OtlpDictionary {
 public:
  OtlpDictionary(const proto::Message& message, Profile* profile, ExpansionLimit* limit);

  ValueType value_type(proto::Message message) const;
  NodeId stack(uint64_t index, const ByteReader& where);
  // `attributes`: indices as varints.
  LabelSet labels(std::string_view attributes, uint64_t link, const ByteReader& where) const;

  // Of a KeyValue, whose key is a text.
  static Label read_key_value(proto::Message message);
  static void read_comments(proto::Message message, std::vector<std::string>* comments);

 private:
  using Frames = std::vector<LocationId>;  // outermost first

  void read_function(proto::Message message);
  Label read_attribute(proto::Message message) const;
  FrameKind kind_of(proto::Message location, std::string_view name) const;
  Frames frames_of(proto::Message location);
  std::string_view string(uint64_t index, const ByteReader& where) const;
  std::string_view string(const proto::Message& message) const { return string(message.number(), message.where()); }

  Profile* const profile_;
  ExpansionLimit* const limit_;
  std::vector<std::string_view> strings_;
  std::vector<Function> functions_;
  std::vector<std::string_view> mappings_;  // their files
  std::vector<Label> attributes_;
  std::vector<Frames> locations_;
  std::vector<std::string> links_[2];  // ids of traces and of spans in hexadecimal
  std::vector<proto::Message> stacks_;
  std::vector<std::optional<NodeId>> nodes_;  // of stacks
};

}  // namespace hearth::profile
