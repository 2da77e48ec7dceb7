#include "bytecode/class_rewriter.h"

#include <gtest/gtest.h>

#include "bytecode/constant_pool.h"

namespace hearth::bytecode {
namespace {

const HookClass kHooks = {"H", "enter", "begin", "leave", "made"};
constexpr uint8_t kStatic = 8;

// A class T with one method `m`. Constants: 1 "T", 2 class T, 3 "m", 4 "(IJ)V", 5 "Code", 6 and on of `names`.
struct Made {
  std::vector<std::string> names;
  Bytes code;
  Bytes exceptions = {0, 0};
  Bytes attributes = {0, 0};
  uint16_t max_locals = 3;
  uint8_t version = 52;

  Bytes bytes() const {
    Bytes out;
    put_u4(&out, 0xcafebabe);
    put_u4(&out, version);
    put_u2(&out, 6 + names.size());
    put_text(&out, "T");
    put_u1(&out, 7);
    put_u2(&out, 1);
    for (const char* text : {"m", "(IJ)V", "Code"}) put_text(&out, text);
    for (const std::string& name : names) put_text(&out, name);
    for (int value : {0x21, 2, 0, 0, 0, 1, int{kStatic}, 3, 4, 1, 5}) put_u2(&out, static_cast<size_t>(value));
    Bytes content;
    put_u2(&content, 2);
    put_u2(&content, max_locals);
    put_u4(&content, code.size());
    for (const Bytes& part : {code, exceptions, attributes}) put_bytes(&content, part);
    put_u4(&out, content.size());
    put_bytes(&out, content);
    put_u2(&out, 0);
    return out;
  }
  static void put_text(Bytes* out, const std::string& text) {
    put_u1(out, 1);
    put_u2(out, text.size());
    put_bytes(out, Bytes(text.begin(), text.end()));
  }
};

// Code and tables of the method after hooks were inserted.
struct Read {
  size_t max_stack, max_locals;
  Bytes code;
  std::vector<std::vector<size_t>> exceptions;
  std::map<std::string, Bytes> attributes;
};

Bytes rest_of(ByteReader part) {
  return Bytes(part.begin(), part.begin() + part.size());
}

Read read_method(const Bytes& bytes) {
  ByteReader reader(bytes);
  reader.take(8);
  ConstantPool pool(&reader);
  reader.take(22);
  reader.u4();
  Read read;
  read.max_stack = reader.u2();
  read.max_locals = reader.u2();
  read.code = rest_of(reader.part(reader.u4()));
  for (size_t left = reader.u2(); left > 0; left--) {
    std::vector<size_t> one;
    for (int i = 0; i < 4; i++) one.push_back(reader.u2());
    read.exceptions.push_back(one);
  }
  for (size_t left = reader.u2(); left > 0; left--) {
    std::string name(pool.utf8(reader.u2()));
    read.attributes[name] = rest_of(reader.part(reader.u4()));
  }
  return read;
}

RewrittenClass rewrite(const Made& made, MethodHooks hooks) {
  return rewrite_class(ByteReader(made.bytes()), kHooks, [&](const MethodId&) { return hooks; });
}

Bytes slice(const Bytes& bytes, size_t begin, size_t end) {
  return Bytes(bytes.begin() + static_cast<ptrdiff_t>(begin), bytes.begin() + static_cast<ptrdiff_t>(end));
}

TEST(ClassRewriter, EntersAtTheBeginning) {
  Made made;
  made.code = {0x03, 0x57, 0xb1};  // iconst_0, pop, return
  Read read = read_method(rewrite(made, {7, {}}).bytes);
  ASSERT_EQ(read.code.size(), 9u);
  EXPECT_EQ(slice(read.code, 0, 4), (Bytes{0x11, 0, 7, 0xb8}));
  EXPECT_EQ(slice(read.code, 6, 9), made.code);
  EXPECT_EQ(read.max_locals, 3u);
  EXPECT_TRUE(read.exceptions.empty());
}

TEST(ClassRewriter, LeavesAtReturnsAndExceptions) {
  Made made;
  made.code = {0x1a, 0x99, 0, 4, 0xb1, 0xb1};  // iload_0, ifeq to the second return, return, return
  made.names = {"StackMapTable"};
  made.attributes = {0, 1, 0, 6, 0, 0, 0, 3, 0, 1, 5};  // same frame at 5
  Read read = read_method(rewrite(made, {{}, 9}).bytes);
  // begin, lstore 3; 4 of the method; leave of 8, return; leave, return; leave, athrow
  ASSERT_EQ(read.code.size(), 5u + 4 + 9 + 9 + 9);
  EXPECT_EQ(slice(read.code, 3, 5), (Bytes{0x37, 3}));
  EXPECT_EQ(slice(read.code, 6, 9), (Bytes{0x99, 0, 12}));  // to the hook of the second return, at 18
  EXPECT_EQ(slice(read.code, 18, 24), (Bytes{0x16, 3, 0x11, 0, 9, 0xb8}));
  EXPECT_EQ(read.code.back(), 0xbf);
  EXPECT_EQ(read.max_locals, 5u);
  std::vector<std::vector<size_t>> ranges = {{5, 9, 27, 0}, {17, 18, 27, 0}, {26, 27, 27, 0}};
  EXPECT_EQ(read.exceptions, ranges);
  // Two full frames: int, long, long at 18; top, top, top, long and a Throwable at 27.
  Bytes frames = read.attributes["StackMapTable"];
  EXPECT_EQ(slice(frames, 0, 12), (Bytes{0, 2, 255, 0, 18, 0, 3, 1, 4, 4, 0, 0}));
  EXPECT_EQ(slice(frames, 12, 24), (Bytes{255, 0, 8, 0, 4, 0, 0, 0, 4, 0, 1, 7}));
}

TEST(ClassRewriter, OldClassesGetNoFrames) {
  Made made;
  made.version = 49;
  made.code = {0xb1};
  EXPECT_TRUE(read_method(rewrite(made, {{}, 1}).bytes).attributes.empty());
}

TEST(ClassRewriter, MovesSwitchesHandlersLinesAndVariables) {
  Made made;
  made.version = 49;
  // iload_0, lookupswitch with one pair at 1, returns at 20 and 21
  made.code = {0x1a, 0xab, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 20, 0xb1, 0xb1};
  made.exceptions = {0, 1, 0, 0, 0, 22, 0, 21, 0, 0};
  made.names = {"LineNumberTable", "LocalVariableTable", "RuntimeVisibleTypeAnnotations"};
  made.attributes = {0, 3, 0, 6, 0, 0,  0, 6, 0, 1, 0, 20, 0, 77, 0, 7, 0, 0, 0, 12,
                     0, 1, 0, 0, 0, 22, 0, 3, 0, 4, 0, 0,  0, 8,  0, 0, 0, 2, 0, 0};
  Read read = read_method(rewrite(made, {7, {}}).bytes);
  // The switch is at 7 and needs no padding: 6 more bytes, and 2 fewer.
  ASSERT_EQ(read.code.size(), 22u + 6 - 2);
  EXPECT_EQ(slice(read.code, 7, 12), (Bytes{0xab, 0, 0, 0, 17}));
  EXPECT_EQ(slice(read.code, 20, 24), (Bytes{0, 0, 0, 18}));
  EXPECT_EQ(read.exceptions, (std::vector<std::vector<size_t>>{{6, 26, 25, 0}}));
  EXPECT_EQ(read.attributes["LineNumberTable"], (Bytes{0, 1, 0, 24, 0, 77}));
  EXPECT_EQ(slice(read.attributes["LocalVariableTable"], 2, 6), (Bytes{0, 0, 0, 26}));
  EXPECT_EQ(read.attributes.size(), 2u);
}

TEST(ClassRewriter, HasWideLocals) {
  Made made;
  made.code = {0xb1};
  made.max_locals = 300;
  Read read = read_method(rewrite(made, {{}, 1}).bytes);
  EXPECT_EQ(slice(read.code, 3, 7), (Bytes{0xc4, 0x37, 1, 44}));
  EXPECT_EQ(slice(read.code, 7, 11), (Bytes{0xc4, 0x16, 1, 44}));
}

TEST(ClassRewriter, RefusesWhatIsTooLong) {
  Made made;
  made.version = 49;
  made.code = Bytes(65'530, 0);
  made.code.back() = 0xb1;
  RewrittenClass result = rewrite(made, {1, {}});
  EXPECT_TRUE(result.bytes.empty());
  ASSERT_EQ(result.refused.size(), 1u);
  EXPECT_NE(result.refused[0].find("m(IJ)V: its code would have more than 65,535 bytes"), std::string::npos);

  // goto over returns, each of which gets a hook
  made.code = Bytes(32'000, 0xb1);
  made.code[0] = 0xa7;
  made.code[1] = 31'000 >> 8;
  made.code[2] = 31'000 & 255;
  for (size_t i = 3; i < 31'000; i++) made.code[i] = i % 16 == 0 ? 0xb1 : 0;
  for (size_t i = 31'000; i < 31'999; i++) made.code[i] = 0;
  result = rewrite(made, {{}, 1});
  ASSERT_EQ(result.refused.size(), 1u);
  EXPECT_NE(result.refused[0].find("a jump would be too long"), std::string::npos);
}

// verify_rewritten tries it in constructors.
TEST(ClassRewriter, OnlyConstructorsMakeObjects) {
  Made made;
  made.code = {0xb1};
  RewrittenClass result = rewrite(made, {{}, {}, true});
  ASSERT_EQ(result.refused.size(), 1u);
  EXPECT_NE(result.refused[0].find("the method is no constructor"), std::string::npos);
  EXPECT_TRUE(result.bytes.empty());
}

TEST(ClassRewriter, UnwantedMethodsStayAsTheyAre) {
  Made made;
  made.code = {0xb1};
  RewrittenClass result = rewrite(made, {});
  EXPECT_TRUE(result.bytes.empty());
  EXPECT_TRUE(result.refused.empty());
}

}  // namespace
}  // namespace hearth::bytecode
