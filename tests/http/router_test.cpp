#include "http/server/router.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

Router router() {
  Router made;
  auto say = [](const char* what) { return [what](const Request&) { return Reply::text(what); }; };
  made.add({"GET", "/", say("page")});
  made.add({"GET", "/a", say("a")});
  made.add({"POST", "/a", say("post a")});
  made.add({"GET", "/a/{}", say("one")});
  made.add({"GET", "/a/{}/{}", say("two")});
  return made;
}

std::string answer(const std::string& method, const std::string& path) {
  Request request;
  request.method = method;
  request.path = path;
  try {
    std::string text = router().route_of(&request).handler(request).body;
    for (const std::string& part : request.parts) text += " " + part;
    return text;
  } catch (const Refusal& refusal) {
    return std::to_string(refusal.status) + (refusal.headers.empty() ? "" : " " + refusal.headers[0].second);
  }
}

TEST(Router, Paths) {
  EXPECT_EQ(answer("GET", "/"), "page");
  EXPECT_EQ(answer("GET", "/a"), "a");
  EXPECT_EQ(answer("HEAD", "/a"), "a");
  EXPECT_EQ(answer("POST", "/a"), "post a");
  EXPECT_EQ(answer("GET", "/a/x.html"), "one x.html");
  EXPECT_EQ(answer("GET", "/a/x/y"), "two x y");
}

TEST(Router, UnknownPaths) {
  for (const char* path : {"", "a", "//", "/a/", "//a", "/a//", "/a/x/", "/a/x/y/z", "/b", "/A"})
    EXPECT_EQ(answer("GET", path), "404") << path;
}

TEST(Router, RefusedMethods) {
  EXPECT_EQ(answer("DELETE", "/a"), "405 GET, POST");
  EXPECT_EQ(answer("OPTIONS", "/"), "405 GET");
  EXPECT_EQ(answer("get", "/"), "405 GET");
}

}  // namespace
}  // namespace hearth::http
