#include "options/calls/call_pattern.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hearth::options {
namespace {

bool matches(const std::string& pattern, std::string_view type, std::string_view name,
             std::string_view descriptor = "()V", bool has_invoke_static = false) {
  CallPattern one(pattern);
  return one.matches_class(type) && one.matches_method(name, descriptor, has_invoke_static);
}

TEST(CallPattern, NamesOneMethod) {
  EXPECT_TRUE(matches("com.acme.Shop.buy", "com/acme/Shop", "buy"));
  EXPECT_FALSE(matches("com.acme.Shop.buy", "com/acme/Shop", "buyAll"));
  EXPECT_FALSE(matches("com.acme.Shop.buy", "com/acme/Shop$Item", "buy"));
  EXPECT_TRUE(matches("Shop.<init>", "Shop", "<init>"));
}

TEST(CallPattern, HasWildcards) {
  EXPECT_TRUE(matches("*.*", "com/acme/Shop", "buy"));
  EXPECT_TRUE(matches("com.*.buy", "com/acme/shop/Shop", "buy"));
  EXPECT_TRUE(matches("com.acme.Sh*p.b*y", "com/acme/Shop", "buy"));
  EXPECT_TRUE(matches("java.lang.Thread.<in*", "java/lang/Thread", "<init>"));
  EXPECT_FALSE(matches("java.lang.Thread.<in*", "java/lang/Thread", "run"));
  EXPECT_TRUE(matches("a*a*.b", "aXaaY", "b"));
  EXPECT_FALSE(matches("a*ab.b", "aXaaY", "b"));
}

TEST(CallPattern, HasDescriptors) {
  EXPECT_TRUE(matches("A.b(Ljava/time/Duration;)V", "A", "b", "(Ljava/time/Duration;)V"));
  EXPECT_FALSE(matches("A.b()V", "A", "b", "(Ljava/time/Duration;)V"));
  EXPECT_TRUE(matches("A.b(*)V", "A", "b", "(Ljava/time/Duration;)V"));
}

TEST(CallPattern, NamesFunctionsOfClojure) {
  EXPECT_TRUE(matches("my-shop.core/buy!", "my_shop/core$buy_BANG_", "invoke"));
  EXPECT_TRUE(matches("my-shop.core/buy!", "my_shop/core$buy_BANG_", "invokeStatic", "()V", true));
  EXPECT_FALSE(matches("my-shop.core/buy!", "my_shop/core$buy_BANG_", "invoke", "()V", true));
  EXPECT_FALSE(matches("my-shop.core/buy!", "my_shop/core$buy_BANG_", "<clinit>"));
  EXPECT_TRUE(matches("shop/*", "shop$buy", "doInvoke"));
  EXPECT_TRUE(matches("a/b->c?", "a$b__GT_c_QMARK_", "invoke"));
  EXPECT_TRUE(names_method("shop/buy") && names_method("Shop.buy") && !names_method("page-faults"));
  EXPECT_TRUE(names_method("shop/buy=") && !names_method("file=/tmp/x") && !names_method("file=x.html"));
}

TEST(CallPattern, RefusesOtherText) {
  for (const char* text : {"", "buy", ".buy", "Shop.", "/buy", "shop/", "(I)V"}) EXPECT_THROW(CallPattern{text}, Error);
}

}  // namespace
}  // namespace hearth::options
