#include <gtest/gtest.h>

#include "profile/names/java_names.h"

namespace hearth::profile {
namespace {

// Class names from Clojure 1.11, and the results of clojure.repl/demunge.
TEST(ClojureNames, MatchClojuresDemunge) {
  const std::pair<const char*, const char*> kTable[] = {
      {"clojure/core$map", "clojure.core/map"},
      {"clojure/core$_PLUS_", "clojure.core/+"},
      {"clojure/core$_PLUS__SINGLEQUOTE_", "clojure.core/+'"},
      {"clojure/core$_", "clojure.core/-"},
      {"clojure/core$_SLASH_", "clojure.core//"},
      {"clojure/core$not_EQ_", "clojure.core/not="},
      {"clojure/core$_LT__EQ_", "clojure.core/<="},
      {"clojure/core$_EQ__EQ_", "clojure.core/=="},
      {"clojure/core$__GT_Vec", "clojure.core/->Vec"},
      {"clojure/core$nil_QMARK_", "clojure.core/nil?"},
      {"clojure/core$swap_BANG_", "clojure.core/swap!"},
      {"clojure/core$list_STAR_", "clojure.core/list*"},
      {"clojure/core$fn__8154$G__8149__8161", "clojure.core/fn--8154/G--8149--8161"},
      {"clojure/core$_AMPERSAND_form", "clojure.core/&form"},
      {"clojure/core/protocols$fn__8228", "clojure.core.protocols/fn--8228"},
      {"clojure/java/io$reader", "clojure.java.io/reader"},
      {"clojure/spec/alpha$every_impl$reify__2254", "clojure.spec.alpha/every-impl/reify--2254"},
      {"cheshire/parse$parse_STAR_", "cheshire.parse/parse*"},
      {"my_app/core_ns$__GT_thing_STAR_$inner__203$fn__204", "my-app.core-ns/->thing*/inner--203/fn--204"},
      {"user$eval123$fn__456", "user/eval123/fn--456"},
      {"x$a_CARET_b_TILDE_c_COLON_d_PERCENT_", "x/a^b~c:d%"},
      {"x$_LBRACK__RBRACK__LBRACE__RBRACE_", "x/[]{}"},
      {"x$_BSLASH__DOUBLEQUOTE__SHARP__CIRCA__BAR__GT__LT_", "x/\\\"#@|><"},
      {"x$_FOO_", "x/-FOO-"},
      {"x$_GT", "x/-GT"},
  };
  for (auto [munged, expected] : kTable) EXPECT_EQ(clojure_name(munged, "invokeStatic"), expected);
}

// clojure.repl/demunge leaves "-DOT-", though the compiler put it for a dot.
TEST(ClojureNames, HaveDots) {
  EXPECT_EQ(clojure_name("clojure/core$_DOT__DOT_", "invoke"), "clojure.core/..");
  EXPECT_EQ(clojure_name("user$eval246$foo_DOT_bar__247", "invoke"), "user/eval246/foo.bar--247");
}

TEST(ClojureNames, AreOneForAllWaysToCallAFunction) {
  for (const char* method : {"invoke", "invokeStatic", "doInvoke", "invokePrim", "applyTo"})
    EXPECT_EQ(clojure_name("clojure/core$map", method), "clojure.core/map");
}

TEST(ClojureNames, KeepOtherMethods) {
  EXPECT_EQ(clojure_name("my/ns$fn__12", "<clinit>"), "my.ns/fn--12.<clinit>");
  EXPECT_EQ(clojure_name("my/ns$parse", "<init>"), "my.ns/parse.<init>");
  EXPECT_EQ(clojure_name("my/ns$parse", "getRequiredArity"), "my.ns/parse.getRequiredArity");
  EXPECT_EQ(clojure_name("my_app/core$eval233$reify__234", "foo_it_BANG_"), "my-app.core/eval233/reify--234.foo-it!");
}

TEST(ClojureNames, AreFoundInNamespacesAndRecordsWithCapitals) {
  EXPECT_EQ(clojure_name("my_app/core/Rec$inner_fn__180", "invoke"), "my-app.core.Rec/inner-fn--180");
  EXPECT_EQ(clojure_name("my/App$eval12", "invokeStatic"), "my.App/eval12");
  EXPECT_EQ(clojure_name("my/ns$Upper", "invoke"), "my.ns/Upper");
}

TEST(ClojureNames, AreNotTakenFromOthers) {
  const std::pair<const char*, const char*> kOthers[] = {
      {"java/lang/String", "indexOf"},
      {"java/util/HashMap$Node", "getKey"},
      {"java/lang/reflect/Method", "invoke"},
      {"java/lang/invoke/LambdaForm$MH.0x0000000800c03000", "invoke"},
      {"java/lang/invoke/LambdaForm$DMH/0x0000000800c03000", "invokeStatic"},
      {"java/lang/invoke/DirectMethodHandle$Holder", "invokeStatic"},
      {"jdk/internal/reflect/DirectMethodHandleAccessor", "invoke"},
      {"clojure/lang/AFn", "applyTo"},
      {"clojure/lang/Var", "invoke"},
      {"clojure/lang/Compiler$InvokeExpr", "eval"},
      {"clojure/core__init", "load"},
      {"clojure/core/proxy$java/io/Writer$ff19274a", "write"},
      {"my_app/core_ns/Rec", "foo_it_BANG_"},
      {"foo/Bar$baz$1", "invoke"},      // a Kotlin lambda
      {"foo/MainKt$main$1", "invoke"},  // and one at the top level of a file
      {"foo/Bar$Baz", "invoke"},
      {"foo/Bar$$Lambda$12.0x0000000800c03000", "invoke"},
      {"foo/bar$$Lambda$12.0x0000000800c03000", "invoke"},
      {"scala/collection/package$", "invoke"},
      {"scala/collection/package$AltBuildFromExtensions$", "invoke"},
      {"com/sun/jndi/url/rmi/rmiURLContext$1", "invoke"},
      {"jdk/proxy2/$Proxy12", "invoke"},
      {"$Proxy12", "invoke"},
      {"foo$", "invoke"},
      {"$", "invoke"},
      {"", "invoke"},
  };
  for (auto [class_name, method] : kOthers) EXPECT_EQ(clojure_name(class_name, method), "") << class_name;
}

TEST(ClojureNames, NameFrames) {
  JavaNameStyle style;
  EXPECT_EQ(java_frame_name("Lclojure/core$map;", "invokeStatic", "()V", style), "clojure.core/map");
  style.simple = true;
  EXPECT_EQ(java_frame_name("Lclojure/core$map;", "invokeStatic", "()V", style), "core/map");
  EXPECT_EQ(java_frame_name("Luser$eval123;", "invoke", "()V", style), "user/eval123");
  EXPECT_EQ(java_frame_name("Lclojure/core$_DOT__DOT_;", "invoke", "()V", style), "core/..");
  style = {};
  style.signature = true;
  EXPECT_EQ(java_frame_name("Lclojure/core$map;", "invokeStatic", "()V", style), "clojure.core/map()V");
  style = {};
  style.clojure = false;
  EXPECT_EQ(java_frame_name("Lclojure/core$map;", "invokeStatic", "()V", style), "clojure/core$map.invokeStatic");
  style.dots = true;
  EXPECT_EQ(java_frame_name("Lclojure/core$map;", "invokeStatic", "()V", style), "clojure.core$map.invokeStatic");
}

TEST(ClojureNames, LoseGeneratedNumbersWhenNormal) {
  JavaNameStyle style;
  style.normalize = true;
  auto normal = [&](const char* class_name) { return java_frame_name(class_name, "invoke", "", style); };
  EXPECT_EQ(normal("user$eval123$fn__456"), "user/eval/fn");
  EXPECT_EQ(normal("my/ns$outer$fn__12$inner__34"), "my.ns/outer/fn/inner");
  EXPECT_EQ(normal("clojure/core$fn__8154$G__8149__8161"), "clojure.core/fn/G");
  EXPECT_EQ(normal("my/ns$sha256"), "my.ns/sha256");
  EXPECT_EQ(normal("my/v2$parse"), "my.v2/parse");
  EXPECT_EQ(normal("eval1$f"), "eval1/f");
  EXPECT_EQ(java_frame_name("my/ns$fn__12$reify__13", "run", "", style), "my.ns/fn/reify.run");
  style.clojure = false;
  EXPECT_EQ(normal("user$eval123$fn__456"), "user$eval$fn.invoke");
}

TEST(ClojureNames, JoinTheHalvesOfACall) {
  EXPECT_TRUE(are_one_clojure_call("invoke", "invokeStatic"));
  EXPECT_TRUE(are_one_clojure_call("applyTo", "doInvoke"));
  EXPECT_FALSE(are_one_clojure_call("invokeStatic", "invoke"));
  EXPECT_FALSE(are_one_clojure_call("invoke", "invoke"));
  EXPECT_FALSE(are_one_clojure_call("<clinit>", "invoke"));
}

TEST(Demunge, RevertsOnlyMungedNames) {
  EXPECT_EQ(demunge(""), "");
  EXPECT_EQ(demunge("a_b"), "a-b");
  EXPECT_EQ(demunge("a__b"), "a--b");
  EXPECT_EQ(demunge("_GT_GT_"), ">GT-");
  EXPECT_EQ(demunge("a$b"), "a/b");
  EXPECT_EQ(demunge("_STAR_ns_STAR_"), "*ns*");
}

}  // namespace
}  // namespace hearth::profile
