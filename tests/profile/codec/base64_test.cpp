#include "profile/codec/base64.h"

#include <gtest/gtest.h>

#include "profile/formats/formats.h"

namespace hearth::profile {
namespace {

std::string encoded(std::string_view bytes) {
  std::string out;
  append_base64(out, bytes);
  return out;
}

// RFC 4648, section 10.
TEST(Base64, VectorsOfTheRfc) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : vectors) {
    EXPECT_EQ(encoded(plain), text);
    EXPECT_EQ(decode_base64(text, "it"), plain);
  }
}

TEST(Base64, AllBytes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(decode_base64(" \n" + encoded(bytes) + "\r\n", "it"), bytes);
}

TEST(Base64, RefusesOtherText) {
  for (const char* bad : {"Zg=", "Z", "Zm9v!m9v", "Zm=v", "===="})
    EXPECT_THROW(decode_base64(bad, "it"), FormatError) << bad;
}

}  // namespace
}  // namespace hearth::profile
