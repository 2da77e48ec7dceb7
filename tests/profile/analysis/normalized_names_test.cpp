#include "profile/analysis/normalized_names.h"

#include <gtest/gtest.h>

namespace hearth::profile {
namespace {

std::string java(std::string_view name) {
  return normalized_name(name, FrameKind::kJit);
}

TEST(NormalizedNames, LoseTheNumbersOfGeneratedClasses) {
  for (const char* lambda : {"foo/Bar$$Lambda$14/0x0000000800c03000.run", "foo/Bar$$Lambda/0x00007f1c0a12bc.run",
                             "foo/Bar$$Lambda$14.0x0000000800c03000.run", "foo/Bar$$Lambda$14/1830712962.run"})
    EXPECT_EQ(java(lambda), "foo/Bar$$Lambda.run");
  EXPECT_EQ(java("java/lang/invoke/LambdaForm$DMH/0x00007f1c.invokeStatic"),
            "java/lang/invoke/LambdaForm$DMH.invokeStatic");
  EXPECT_EQ(java("java/lang/invoke/LambdaForm$MH12.invoke"), "java/lang/invoke/LambdaForm$MH.invoke");
  EXPECT_EQ(java("jdk/proxy2/$Proxy12.equals"), "jdk/proxy2/$Proxy.equals");
  EXPECT_EQ(java("jdk/internal/reflect/GeneratedMethodAccessor7.invoke"),
            "jdk/internal/reflect/GeneratedMethodAccessor.invoke");
  EXPECT_EQ(normalized_name("foo.Bar$$Lambda$14", FrameKind::kClass), "foo.Bar$$Lambda");
}

TEST(NormalizedNames, LoseTheNumbersOfClojuresCompiler) {
  EXPECT_EQ(java("my.ns/outer/fn--12/inner--34"), "my.ns/outer/fn/inner");
  EXPECT_EQ(java("user/eval123/fn--456"), "user/eval/fn");
  EXPECT_EQ(java("G/G--8149--8161"), "G/G");
  EXPECT_EQ(normalized_name("clojure.core$map$fn__5935", FrameKind::kClass), "clojure.core$map$fn");
}

TEST(NormalizedNames, KeepNumbersOfTheSource) {
  for (const char* name : {"foo/Base64.encode", "foo/Bar$1.run", "a.b/parse2", "a.b/x--", "foo/Utf8.m1", "Md5.x12",
                           "a.b/evaluate2", "foo/Bar.run(Lfoo/Proxy12;)V", "", "12", "a.b/->v3", "--1"})
    EXPECT_EQ(java(name), name);
  EXPECT_EQ(normalized_name("memcpy.part.0", FrameKind::kNative), "memcpy.part.0");
  EXPECT_EQ(normalized_name("do_sys_openat2", FrameKind::kKernel), "do_sys_openat2");
}

TEST(NormalizedNames, LoseTheIdsOfThreads) {
  EXPECT_EQ(normalized_name("[pool-1-thread-7 tid=4711]", FrameKind::kThread), "[pool-1-thread-7]");
  EXPECT_EQ(normalized_name("[main]", FrameKind::kThread), "[main]");
}

}  // namespace
}  // namespace hearth::profile
