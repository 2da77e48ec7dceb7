#include "naming/io_labels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace hearth::naming {
namespace {

using events::IoCall;
using events::IoKind;
using events::IoRole;
using events::IoTarget;

IoTarget target(IoKind kind, const std::string& name, uint16_t port = 0, IoRole role = IoRole::kPeer) {
  IoTarget target;
  target.kind = kind;
  target.role = role;
  target.port = port;
  target.name_size = static_cast<uint8_t>(name.size());
  std::memcpy(target.name, name.data(), name.size());
  return target;
}

// "key=value" for each label.
std::string labels_of(IoCall call, const IoTarget& target, int64_t bytes = 0, bool in_handshake = false) {
  events::IoTraits traits;
  profile::LabelSet labels;
  add_io_labels(traits.number_of(call, target, bytes, 1), in_handshake, traits, &labels);
  std::string text;
  for (const profile::Label& label : labels)
    text += label.key + "=" + (label.text.empty() ? std::to_string(label.number) : label.text) + " ";
  return text;
}

const std::string kAddress("\x0a\0\0\x07", 4);

TEST(IoLabels, PeersByTheirPlaceInTheConnection) {
  EXPECT_EQ(labels_of(IoCall::kRead, target(IoKind::kTcp, kAddress, 5432), 1000),
            "io=read descriptor=tcp peer=10.0.0.7:5432 bytes=896 ");
  EXPECT_EQ(labels_of(IoCall::kWrite, target(IoKind::kTcp, kAddress, 8080, IoRole::kClient)),
            "io=write descriptor=tcp peer=client 10.0.0.7 of :8080 ");
  EXPECT_EQ(labels_of(IoCall::kAccept, target(IoKind::kTcp, std::string(16, '\0'), 80, IoRole::kListener)),
            "io=accept descriptor=tcp peer=listener [::]:80 ");
  EXPECT_EQ(labels_of(IoCall::kRead, target(IoKind::kUnix, "/run/db", 0, IoRole::kClient)),
            "io=read descriptor=unix peer=client of unix:/run/db ");
  EXPECT_EQ(labels_of(IoCall::kResolve, target(IoKind::kHost, "db.example")), "io=resolve peer=db.example ");
}

TEST(IoLabels, FilesByTheirPaths) {
  EXPECT_EQ(labels_of(IoCall::kSync, target(IoKind::kFile, "/data/log")), "io=sync descriptor=file path=/data/log ");
  IoTarget cut = target(IoKind::kFile, "end/of/path");
  cut.is_cut = true;
  EXPECT_EQ(labels_of(IoCall::kWrite, cut), "io=write descriptor=file path=…end/of/path ");
  EXPECT_EQ(labels_of(IoCall::kRead, target(IoKind::kPipe, "")), "io=read descriptor=pipe ");
}

TEST(IoLabels, WithoutNamesTheKindIsThere) {
  EXPECT_EQ(labels_of(IoCall::kRead, target(IoKind::kTcp, "", 5432)), "io=read descriptor=tcp ");
  EXPECT_EQ(labels_of(IoCall::kRead, IoTarget()), "io=read ");
}

TEST(IoLabels, ReadsAndWritesOfSocketsMayBeAHandshake) {
  IoTarget peer = target(IoKind::kTcp, kAddress, 443);
  EXPECT_EQ(labels_of(IoCall::kRead, peer, 0, true), "io=handshake descriptor=tcp peer=10.0.0.7:443 ");
  EXPECT_EQ(labels_of(IoCall::kConnect, peer, 0, true), "io=connect descriptor=tcp peer=10.0.0.7:443 ");
  EXPECT_EQ(labels_of(IoCall::kRead, target(IoKind::kFile, "/etc/ssl/certs"), 0, true),
            "io=read descriptor=file path=/etc/ssl/certs ");
}

TEST(IoLabels, HandshakesByTheFunctionsThatMakeThem) {
  profile::Profile profile;
  auto function = [&](const char* name, profile::FrameKind kind) {
    profile::Function one;
    one.name = one.system_name = profile.string(name);
    one.kind = kind;
    return profile.function(one);
  };
  Handshakes handshakes;
  auto is_one = [&](profile::FunctionId id) { return handshakes.is_one(profile, id); };
  EXPECT_TRUE(is_one(function("sun/security/ssl/SSLSocketImpl.startHandshake(Z)V", profile::FrameKind::kJit)));
  EXPECT_TRUE(is_one(function("SSL_do_handshake", profile::FrameKind::kNative)));
  EXPECT_FALSE(is_one(function("sun/security/ssl/SSLSocketImpl.read([BII)I", profile::FrameKind::kJit)));
}

}  // namespace
}  // namespace hearth::naming
