#include "profile/names/java_names.h"

#include <gtest/gtest.h>

namespace hearth::profile {
namespace {

std::string frame(const char* signature, const char* method, JavaNameStyle style = {}) {
  return java_frame_name(signature, method, "(I)V", style);
}

JavaNameStyle simple() {
  JavaNameStyle style;
  style.simple = true;
  return style;
}

JavaNameStyle dots() {
  JavaNameStyle style;
  style.dots = true;
  return style;
}

JavaNameStyle normal() {
  JavaNameStyle style;
  style.normalize = true;
  return style;
}

TEST(JavaNames, AreAsyncProfilers) {
  EXPECT_EQ(frame("Ljava/lang/String;", "indexOf"), "java/lang/String.indexOf");
  EXPECT_EQ(frame("java/lang/String", "indexOf"), "java/lang/String.indexOf");
  EXPECT_EQ(frame("LMain;", "main"), "Main.main");
  EXPECT_EQ(frame("Ljava/util/HashMap$Node;", "<init>"), "java/util/HashMap$Node.<init>");
}

TEST(JavaNames, HaveStyles) {
  EXPECT_EQ(frame("Ljava/lang/String;", "indexOf", simple()), "String.indexOf");
  EXPECT_EQ(frame("Ljava/util/HashMap$Node;", "getKey", simple()), "HashMap$Node.getKey");
  EXPECT_EQ(frame("LMain;", "main", simple()), "Main.main");
  EXPECT_EQ(frame("Ljava/lang/String;", "indexOf", dots()), "java.lang.String.indexOf");
  JavaNameStyle signature;
  signature.signature = true;
  EXPECT_EQ(frame("Ljava/lang/String;", "indexOf", signature), "java/lang/String.indexOf(I)V");
}

TEST(JavaNames, KeepHiddenClassesApart) {
  EXPECT_EQ(frame("Lfoo/Bar$$Lambda$14.0x0000000800c03000;", "run"), "foo/Bar$$Lambda$14.0x0000000800c03000.run");
  EXPECT_EQ(frame("Lfoo/Bar$$Lambda$14/0x0000000800c03000;", "run", simple()), "Bar$$Lambda$14/0x0000000800c03000.run");
  EXPECT_EQ(frame("Lfoo/Bar$$Lambda$14/1830712962;", "run", dots()), "foo.Bar$$Lambda$14/1830712962.run");
  EXPECT_EQ(frame("Lfoo/Bar$$Lambda.0x00007f1c;", "run", simple()), "Bar$$Lambda.0x00007f1c.run");
}

TEST(JavaNames, LoseGeneratedNumbersWhenNormal) {
  EXPECT_EQ(frame("Lfoo/Bar$$Lambda$14.0x0000000800c03000;", "run", normal()), "foo/Bar$$Lambda.run");
  EXPECT_EQ(frame("Lfoo/Bar$$Lambda$14/1830712962;", "run", normal()), "foo/Bar$$Lambda.run");
  EXPECT_EQ(frame("Lfoo/Bar$$Lambda+0x00007f1c;", "run", normal()), "foo/Bar$$Lambda.run");
  EXPECT_EQ(frame("Ljava/lang/invoke/LambdaForm$MH.0x00007f1c;", "invoke", normal()),
            "java/lang/invoke/LambdaForm$MH.invoke");
  EXPECT_EQ(frame("Ljdk/proxy2/$Proxy12;", "equals", normal()), "jdk/proxy2/$Proxy.equals");
  EXPECT_EQ(frame("Ljdk/internal/reflect/GeneratedMethodAccessor7;", "invoke", normal()),
            "jdk/internal/reflect/GeneratedMethodAccessor.invoke");
  EXPECT_EQ(frame("Lfoo/Bar$1;", "run", normal()), "foo/Bar$1.run") << "the compiler's numbers do not change";
  EXPECT_EQ(frame("Lfoo/Base64;", "encode", normal()), "foo/Base64.encode");
}

TEST(JavaNames, SpellArraysAndPrimitives) {
  EXPECT_EQ(frame("[Ljava/lang/String;", "clone"), "java/lang/String[].clone");
  EXPECT_EQ(frame("[[I", "clone"), "int[][].clone");
}

TEST(JavaNames, WithoutAMethodAreTheClass) {
  EXPECT_EQ(java_frame_name("[B", "", "", {}), "byte[]");
  EXPECT_EQ(java_frame_name("Ljava/lang/String;", "", "", dots()), "java.lang.String");
  EXPECT_EQ(java_frame_name("Lclojure/core$map$fn__5935;", "", "", {}), "clojure/core$map$fn__5935");
}

TEST(JavaNames, SurviveInvalidSignatures) {
  for (const char* odd : {"", "L", "L;", ";", "[", "[[", "[L", "[X", "$", "/", ".", "Lfoo", "foo;", "$$", "a$", "/0"}) {
    for (bool on : {false, true}) {
      JavaNameStyle style{true, on, on, on, on};
      EXPECT_NO_THROW(java_frame_name(odd, "m", "()V", style)) << odd;
      EXPECT_NO_THROW(java_frame_name(odd, "", "", style)) << odd;
    }
  }
}

}  // namespace
}  // namespace hearth::profile
