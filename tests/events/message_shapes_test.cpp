#include "events/exceptions/message_shapes.h"

#include <gtest/gtest.h>

namespace hearth::events {
namespace {

TEST(MessageShapes, KeepWordsAndDropNumbers) {
  EXPECT_EQ(shape_of_message(u"Index 5 out of bounds for length 3"), "Index # out of bounds for length #");
  EXPECT_EQ(shape_of_message(u"took 1.5 s of 30s, -7 left"), "took # s of #, -# left");
  EXPECT_EQ(shape_of_message(u"version 1.2.3-rc4 at 2026-11-27 05:13:22"), "version # at # #");
  EXPECT_EQ(shape_of_message(u"order-17 of abc123"), "order-# of #");
  EXPECT_EQ(shape_of_message(u"Connection refused"), "Connection refused");
}

TEST(MessageShapes, DropIdentifiers) {
  EXPECT_EQ(shape_of_message(u"user 550e8400-e29b-41d4-abcd-446655440000 is gone"), "user # is gone");
  EXPECT_EQ(shape_of_message(u"user aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"), "user #");
  EXPECT_EQ(shape_of_message(u"hash deadbeefcafe, byte 0xff"), "hash #, byte #");
  EXPECT_EQ(shape_of_message(u"Object@1b28cdfa"), "*");
}

TEST(MessageShapes, DropTextsInQuotesPathsAddressesAndValues) {
  EXPECT_EQ(shape_of_message(u"For input string: \"x 1\""), "For input string: \"*\"");
  EXPECT_EQ(shape_of_message(u"key 'Bob's' can't be read"), "key '*' can't be read");
  EXPECT_EQ(shape_of_message(u"\u201eBob\u201d, \u00abBob\u00bb and `Bob` and 'Bob"),
            "\u201e*\u201d, \u00ab*\u00bb and `*` and '*");
  EXPECT_EQ(shape_of_message(u"/home/bob/x (No such file)"), "* (No such file)");
  EXPECT_EQ(shape_of_message(u"C:\\Users\\bob is locked"), "* is locked");
  EXPECT_EQ(shape_of_message(u"GET https://shop/bob?x=1 failed: bob@shop.com"), "GET *=* failed: *");
  EXPECT_EQ(shape_of_message(u"name=Bob, mood='good' (age=Bob)"), "name=*, mood='*' (age=*)");
  EXPECT_EQ(shape_of_message(u"/ by zero"), "/ by zero");
}

TEST(MessageShapes, DropValuesOfSeveralWords) {
  EXPECT_EQ(shape_of_message(u"User[name=John Smith, city=new york]"), "User[name=*, city=*]");
  EXPECT_EQ(shape_of_message(u"{a=b {c=d e}, f=g h} is bad"), "{a=*}, f=*} is bad");
  EXPECT_EQ(shape_of_message(u"name=John Smith is gone"), "name=* is gone");
  EXPECT_EQ(shape_of_message(u"password = hunter is wrong"), "password =* is wrong");
  EXPECT_EQ(shape_of_message(u"a = 'b c' d"), "a ='*' d");
}

TEST(MessageShapes, DropQuotedTextsWithoutSpacesAroundThem) {
  EXPECT_EQ(shape_of_message(u"\u7528'\u5f20\u4e09'\u4e0d"), "\u7528'*'\u4e0d");
  EXPECT_EQ(shape_of_message(u"\u7528\u201c\u5f20\u4e09\u201d\u4e0d"), "\u7528\u201c*\u201d\u4e0d");
  EXPECT_EQ(shape_of_message(u"\u7528\u300c\u5f20\u4e09\u300d"), "\u7528\u300c*\u300d");
  EXPECT_EQ(shape_of_message(u"column\"Bob Smith\"is gone"), "column\"*\"is gone");
  EXPECT_EQ(shape_of_message(u"can\u2019t"), "can\u2019t");
}

TEST(MessageShapes, AreOneShortLine) {
  EXPECT_EQ(shape_of_message(u""), "");
  EXPECT_EQ(shape_of_message(u" a\n\tb\u0001 c "), "a b c");
  std::string cut = shape_of_message(std::u16string(200, u'x') + u" y");
  EXPECT_EQ(cut, std::string(63, 'x') + "\u2026");
  EXPECT_EQ(shape_of_message(u"\u00fcber \U0001f600 \xd83d!"), "\u00fcber \U0001f600 \ufffd!");
}

TEST(MessageShapes, HaveNumbersWithinABound) {
  MessageShapes shapes;
  EXPECT_EQ(shapes.number_of(u""), MessageShapes::kNone);
  uint16_t first = shapes.number_of(u"order 1");
  EXPECT_EQ(shapes.number_of(u"order 2"), first);
  EXPECT_EQ(shapes.text(first), "order #");
  EXPECT_EQ(shapes.text(MessageShapes::kNone), "");
  std::u16string message = u"x";
  for (int i = 0; i < 2 * MessageShapes::kMost; i++) {
    message = u"x";
    for (int left = i; left > 0; left /= 20) message += static_cast<char16_t>(u'a' + left % 20);
    shapes.number_of(message);
  }
  EXPECT_EQ(shapes.text(shapes.number_of(message)), "(other messages)");
  EXPECT_EQ(shapes.text(shapes.number_of(u"order 3")), "order #");
}

}  // namespace
}  // namespace hearth::events
