#include "events/exceptions/catchers.h"

#include <gtest/gtest.h>

#include <cstring>

namespace hearth::events {
namespace {

constexpr uint32_t kHandlers = 1, kSignature = 2, kParameters = 4, kChecked = 8, kAnnotations = 16;

// A method of two handlers, as the JVM lays it out: everything that may follow the handlers is there if `flags` has it.
class MadeUpMethod {
 public:
  explicit MadeUpMethod(uint32_t flags, bool has_name_index) {
    layout.class_names = {true, 8, 0, 2};
    layout.method_const = 8;
    layout.const_constants = 8;
    layout.pool_bytes = 16;
    layout.handlers = {true, 16, 20, kHandlers, kSignature, kParameters, kChecked, {kAnnotations}, has_name_index};
    // The symbol: its length, and then its letters.
    constexpr std::string_view kName = "java/io/IOException";
    auto length = static_cast<uint16_t>(kName.size());
    std::memcpy(symbol_, &length, sizeof length);
    std::memcpy(symbol_ + 2, kName.data(), kName.size());
    auto name = reinterpret_cast<uintptr_t>(symbol_);
    pool_[2 + 3] = has_name_index ? uintptr_t{4} << 16 | 9 : name | 1;
    pool_[2 + 4] = name;

    size_t at = 40;  // behind bytecodes and lines
    auto put = [&](uint16_t value) {
      std::memcpy(const_ + at, &value, sizeof value);
      at += sizeof value;
    };
    for (uint16_t value : {2, 9, 20, 3, 2, 30, 40, 0, 2}) put(static_cast<uint16_t>(value));
    if ((flags & kChecked) != 0)
      for (uint16_t value : {7, 8, 2}) put(static_cast<uint16_t>(value));
    if ((flags & kParameters) != 0)
      for (uint16_t value : {1, 0, 1}) put(static_cast<uint16_t>(value));
    if ((flags & kSignature) != 0) put(11);
    size_t padded = (at + 7) / 8 * 8;
    std::memmove(const_ + padded - (at - 40), const_ + 40, at - 40);
    if ((flags & kAnnotations) != 0) padded += sizeof(uintptr_t);
    auto words = static_cast<uint32_t>(padded / 8);
    auto pool = reinterpret_cast<uintptr_t>(pool_);
    std::memcpy(const_ + 8, &pool, sizeof pool);
    std::memcpy(const_ + 16, &words, sizeof words);
    std::memcpy(const_ + 20, &flags, sizeof flags);
    method_[1] = reinterpret_cast<uintptr_t>(const_);
  }

  std::vector<ExceptionHandler> handlers() const {
    return handlers_at(layout, reinterpret_cast<uintptr_t>(method_), 5);
  }

  capture::VmLayout layout;

 private:
  alignas(8) char symbol_[32] = {};
  uintptr_t pool_[8] = {};
  alignas(8) char const_[128] = {};
  uintptr_t method_[2] = {};
};

TEST(Catchers, AreReadBehindWhateverAMethodHas) {
  for (uint32_t others = 0; others < 2 * kAnnotations; others += 2) {
    for (bool has_name_index : {false, true}) {
      std::vector<ExceptionHandler> handlers = MadeUpMethod(kHandlers | others, has_name_index).handlers();
      ASSERT_EQ(handlers.size(), 2U) << others;
      EXPECT_EQ(handlers[0].begin, 2);
      EXPECT_EQ(handlers[0].end, 9);
      EXPECT_EQ(handlers[0].handler, 20);
      EXPECT_EQ(handlers[0].type, "java/io/IOException");
      EXPECT_EQ(handlers[1].handler, 40);
      EXPECT_EQ(handlers[1].type, "");
    }
  }
}

TEST(Catchers, AreNoneWithoutATableOrALayout) {
  EXPECT_TRUE(MadeUpMethod(kSignature, true).handlers().empty());
  MadeUpMethod method(kHandlers, true);
  method.layout.handlers.known = false;
  EXPECT_TRUE(method.handlers().empty());
}

TEST(ExceptionTraits, AreNumberedWithinABound) {
  ExceptionTraits traits;
  EXPECT_EQ(traits.number_of(0, {}), ExceptionTraits::kNone);
  Catcher nobody = {Catcher::Kind::kNobody, nullptr, 0};
  uint16_t number = traits.number_of(7, nobody);
  EXPECT_NE(number, ExceptionTraits::kNone);
  EXPECT_EQ(traits.number_of(7, nobody), number);
  EXPECT_EQ(traits.of(number).message, 7);
  EXPECT_EQ(traits.of(number).catcher.kind, Catcher::Kind::kNobody);
  for (int bci = 0; bci < 70'000; bci++) traits.number_of(7, {Catcher::Kind::kHandler, nullptr, bci});
  uint16_t late = traits.number_of(8, {Catcher::Kind::kHandler, nullptr, 0});
  EXPECT_EQ(traits.of(late).message, 8);
  EXPECT_EQ(traits.of(late).catcher.kind, Catcher::Kind::kUnknown);
  EXPECT_EQ(traits.number_of(0, {Catcher::Kind::kHandler, nullptr, 70'001}), ExceptionTraits::kNone);
  EXPECT_EQ(traits.of(number).message, 7);
}

}  // namespace
}  // namespace hearth::events
