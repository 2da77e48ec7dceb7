// Malformed class files: every outcome is a class or a ClassFileError.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "bytecode/class_rewriter.h"

namespace hearth::bytecode {
namespace {

const HookClass kHooks = {"java/lang/TestHooks", "enter", "begin", "leave"};

Bytes compiled_class() {
  std::ifstream in(HEARTH_EXITS_CLASS_FILE, std::ios::binary);
  return Bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

RewrittenClass rewrite(const Bytes& bytes) {
  // Of its own size: a sanitizer sees a read beyond its end.
  Bytes exact(bytes.begin(), bytes.end());
  return rewrite_class(ByteReader(exact), kHooks, [](const MethodId&) { return MethodHooks{1, 2}; });
}

// True if it is a class.
bool survives(const Bytes& bytes) {
  try {
    rewrite(bytes);
    return true;
  } catch (const ClassFileError&) {
    return false;
  }
}

TEST(HostileClass, CompiledOneIsWhole) {
  RewrittenClass result = rewrite(compiled_class());
  EXPECT_GE(result.hooked, 10u);
  EXPECT_TRUE(result.refused.empty());
}

TEST(HostileClass, EveryBeginningIsCutShort) {
  Bytes whole = compiled_class();
  for (size_t size = 0; size < whole.size(); size++)
    EXPECT_FALSE(survives(Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)))) << size;
  whole.push_back(0);
  EXPECT_FALSE(survives(whole));
}

TEST(HostileClass, EachByteMayHaveExtremeValues) {
  Bytes bytes = compiled_class();
  for (uint8_t& byte : bytes) {
    uint8_t kept = byte;
    for (int value : {0, 1, 127, 128, 255}) {
      byte = static_cast<uint8_t>(value);
      survives(bytes);
    }
    byte = kept;
  }
}

TEST(HostileClass, ManyBytesMayBeWrong) {
  const Bytes whole = compiled_class();
  std::mt19937 random(20);
  for (int round = 0; round < 30'000; round++) {
    Bytes bytes = whole;
    for (uint32_t left = random() % 6 + 1; left > 0; left--) {
      size_t at = random() % bytes.size();
      bytes[at] = static_cast<uint8_t>(random());
      if (random() % 8 == 0) bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(at), random() % 9, bytes[at]);
    }
    survives(bytes);
  }
}

TEST(HostileClass, IsNoClass) {
  EXPECT_FALSE(survives({}));
  EXPECT_FALSE(survives({0xca, 0xfe, 0xba, 0xbe}));
  EXPECT_FALSE(survives(Bytes(1000, 0xff)));
}

}  // namespace
}  // namespace hearth::bytecode
