#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "always_on/store_push.h"
#include "base/error.h"
#include "options/options.h"
#include "profile/model/label_values.h"

namespace hearth::always_on {
namespace {

std::string refusal_of(std::string_view text) {
  try {
    options::parse_options(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

options::PushTarget target_of(const std::string& more, const std::string& main = "com.acme.Main") {
  return push_target(options::parse_options("start,store=/tmp/s,push=http://h:4040" + more),
                     {main, "Vendor", "A VM", "1+2"});
}

TEST(PushOptions, GoWithAStoreThatStarts) {
  EXPECT_EQ(refusal_of("start,store=/tmp/s,push=http://h,push-labels=env:prod,push-token=/t,push-tenant=a"),
            "accepted");
  for (const char* text : {"start,push=http://h", "stop,store,push=http://h", "dump,store,push=http://h"})
    EXPECT_NE(refusal_of(text).find("there is no store to push"), std::string::npos) << text;
  for (const char* text : {"start,store=/tmp/s,push-labels=env:prod", "start,store=/tmp/s,push-token=/t",
                           "start,store=/tmp/s,push-tenant=a"})
    EXPECT_NE(refusal_of(text).find("nothing is pushed"), std::string::npos) << text;
  EXPECT_EQ(refusal_of("start,store=/tmp/s,push=http://h,push-credentials=/c"), "accepted");
  EXPECT_NE(refusal_of("start,store=/tmp/s,push-credentials=/c").find("nothing is pushed"), std::string::npos);
  for (const char* both : {"push=http://a:b@h,push-token=/t", "push=http://a:b@h,push-credentials=/c",
                           "push=http://h,push-token=/t,push-credentials=/c"})
    EXPECT_NE(refusal_of(std::string("start,store=/tmp/s,") + both).find("give one or the other"), std::string::npos)
        << both;
}

TEST(PushOptions, TrustAuthoritiesOfHttpsAlone) {
  EXPECT_EQ(refusal_of("start,store=/tmp/s,push=https://h,push-ca=/ca.pem"), "accepted");
  EXPECT_NE(refusal_of("start,store=/tmp/s,push=http://h,push-ca=/ca.pem").find("is not https://"), std::string::npos);
  EXPECT_NE(refusal_of("start,store=/tmp/s,push-ca=/ca.pem").find("nothing is pushed"), std::string::npos);
}

TEST(PushOptions, NameTheServiceAndItsHost) {
  ::unsetenv("PYROSCOPE_APPLICATION_NAME");
  ::unsetenv("OTEL_SERVICE_NAME");
  EXPECT_EQ(target_of("").service, "com.acme.Main");
  EXPECT_EQ(target_of("", "").service, "java");
  EXPECT_EQ(target_of("").tenant, "");
  EXPECT_EQ(target_of(",push-tenant=team-a").tenant, "team-a");
  ::setenv("OTEL_SERVICE_NAME", "check out", 1);
  EXPECT_EQ(target_of("").service, "check_out");
  ::setenv("PYROSCOPE_APPLICATION_NAME", "shop/checkout", 1);
  EXPECT_EQ(target_of("").service, "shop/checkout");
  options::PushTarget labelled = target_of(",push-labels=service:mine;hostname:web-3");
  EXPECT_EQ(labelled.name(), "mine{hostname=web-3}");
  EXPECT_EQ(target_of("").labels.front().first, "hostname");
  ::unsetenv("PYROSCOPE_APPLICATION_NAME");
  ::unsetenv("OTEL_SERVICE_NAME");
}

TEST(PushOptions, CallThingsAsOpenTelemetryDoes) {
  ::setenv("OTEL_SERVICE_NAME", "check out", 1);
  std::map<std::string, std::string> resource;
  for (const profile::Label& label : target_of(",push-labels=version:1.2;env:prod;hostname:web-3").resource)
    EXPECT_TRUE(resource.emplace(label.key, profile::label_text(label)).second) << label.key << " comes once";
  ::unsetenv("OTEL_SERVICE_NAME");
  EXPECT_EQ(resource["service.name"], "check out");
  EXPECT_EQ(resource["service.version"], "1.2");
  EXPECT_EQ(resource["host.name"], "web-3");
  EXPECT_EQ(resource["env"], "prod");
  EXPECT_EQ(resource["deployment.environment.name"], "prod");
  EXPECT_EQ(resource["telemetry.sdk.name"], "hearth");
  EXPECT_EQ(resource["telemetry.sdk.language"], "java");
  EXPECT_EQ(resource["process.runtime.name"], "A VM");
  EXPECT_EQ(resource["process.runtime.version"], "1+2");
  EXPECT_EQ(resource["process.runtime.description"], "Vendor A VM 1+2");
  EXPECT_EQ(resource["process.pid"], std::to_string(::getpid()));
}

}  // namespace
}  // namespace hearth::always_on
