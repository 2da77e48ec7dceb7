#include "naming/io_labels.h"

#include <arpa/inet.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/formatted.h"
#include "profile/analysis/sampling_variance.h"
#include "profile/formats/frame_text.h"
#include "profile/model/label_values.h"

namespace hearth::naming {
namespace {

using events::IoCall;
using events::IoKind;
using events::IoRole;
using events::IoTarget;

constexpr std::string_view kJavaHandshakes[] = {
    "sun/security/ssl/SSLSocketImpl.startHandshake", "sun/security/ssl/SSLSocketImpl.readHandshakeRecord",
    "sun/security/ssl/SSLSocketImpl.performInitialHandshake"};  // the last one: JDK 8
constexpr std::string_view kNativeHandshakes[] = {"SSL_do_handshake", "SSL_connect", "SSL_accept"};

template <size_t kCount>
bool has_part(const std::string_view (&parts)[kCount], std::string_view name) {
  for (std::string_view part : parts)
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

const char* word(IoCall call) {
  switch (call) {
    case IoCall::kRead:
      return "read";
    case IoCall::kWrite:
      return "write";
    case IoCall::kConnect:
      return "connect";
    case IoCall::kAccept:
      return "accept";
    case IoCall::kResolve:
      return "resolve";
    case IoCall::kSync:
      break;
  }
  return "sync";
}

const char* word(IoKind kind) {
  switch (kind) {
    case IoKind::kTcp:
      return "tcp";
    case IoKind::kUdp:
      return "udp";
    case IoKind::kUnix:
      return "unix";
    case IoKind::kFile:
      return "file";
    case IoKind::kPipe:
      return "pipe";
    case IoKind::kDevice:
      return "device";
    case IoKind::kHost:
    case IoKind::kUnknown:
      break;
  }
  return "";
}

// "" if it is not known.
std::string address_text(const IoTarget& target) {
  char text[INET6_ADDRSTRLEN] = "";
  bool is_long = target.name_size == sizeof(in6_addr);
  if (!is_long && target.name_size != sizeof(in_addr)) return "";
  if (inet_ntop(is_long ? AF_INET6 : AF_INET, target.name, text, sizeof text) == nullptr) return "";
  return is_long ? formatted("[{}]", text) : text;
}

std::string name_text(const IoTarget& target) {
  if (target.kind == IoKind::kTcp || target.kind == IoKind::kUdp) return address_text(target);
  std::string name(target.name_view());
  return target.is_cut ? "…" + name : name;
}

std::string peer_text(const IoTarget& target) {
  std::string name = name_text(target);
  if (name.empty()) return "";
  if (target.kind == IoKind::kHost) return name;
  bool is_unix = target.kind == IoKind::kUnix;
  std::string place = is_unix ? "unix:" + name : formatted("{}:{}", name, target.port);
  if (target.role == IoRole::kListener) return "listener " + place;
  if (target.role == IoRole::kPeer) return place;
  return is_unix ? "client of " + place : formatted("client {} of :{}", name, target.port);
}

bool is_handshake(const profile::Profile& profile, const profile::Function& function) {
  return profile::is_java(function.kind) ? has_part(kJavaHandshakes, profile.text(function.system_name))
                                         : has_part(kNativeHandshakes, profile.text(function.name));
}

}  // namespace

bool Handshakes::is_one(const profile::Profile& profile, profile::FunctionId function) {
  if (function >= known_.size()) known_.resize(profile.functions().size(), -1);
  int8_t& known = known_[function];
  if (known < 0) known = is_handshake(profile, profile.functions()[function]) ? 1 : 0;
  return known != 0;
}

bool Handshakes::has_one(const profile::Profile& profile, profile::NodeId stack) {
  for (; stack != 0; stack = profile.nodes()[stack].parent)
    if (is_one(profile, profile.function_of(stack))) return true;
  return false;
}

void add_io_labels(uint16_t number, bool in_handshake, const events::IoTraits& traits, profile::LabelSet* labels) {
  events::IoTraits::Traits io = traits.of(number);
  if (io.target == nullptr) return;
  // A label of the program has precedence.
  auto add = [labels](std::string_view key, std::string text) {
    bool is_there = std::any_of(labels->begin(), labels->end(), [&](const auto& label) { return label.key == key; });
    if (!text.empty() && !is_there) labels->push_back({std::string(key), std::move(text), 0, ""});
  };
  bool is_file = io.target->kind == IoKind::kFile || io.target->kind == IoKind::kDevice;
  bool moves = io.call == IoCall::kRead || io.call == IoCall::kWrite;
  add(profile::kIoLabel, in_handshake && moves && !is_file ? std::string(kHandshake) : word(io.call));
  add(profile::kDescriptorLabel, word(io.target->kind));
  add(is_file ? profile::kPathLabel : profile::kPeerLabel, is_file ? name_text(*io.target) : peer_text(*io.target));
  if (io.least_bytes > 0) labels->push_back({std::string(profile::kSizeLabel), "", io.least_bytes, "bytes"});
}

}  // namespace hearth::naming
