#include "base/nearest_word.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

const std::vector<std::string_view> kWords = {"event", "interval", "file", "flat", "cpu", "cpu-clock", "title"};

TEST(NearestWord, OneSlipOfTheFinger) {
  EXPECT_EQ(nearest_word("evnt", kWords), "event");
  EXPECT_EQ(nearest_word("eventt", kWords), "event");
  EXPECT_EQ(nearest_word("fiel", kWords), "file") << "a swap of neighbours is one slip";
  EXPECT_EQ(nearest_word("cpuclock", kWords), "cpu-clock");
  EXPECT_EQ(nearest_word("TITLE", kWords), "title");
  EXPECT_EQ(nearest_word("event", kWords), "event");
  EXPECT_EQ(nearest_word("cpuu", kWords), "cpu") << "in a short word, too";
}

TEST(NearestWord, NoGuessWhenNothingIsNear) {
  EXPECT_EQ(nearest_word("frobnicate", kWords), std::nullopt);
  EXPECT_EQ(nearest_word("", kWords), std::nullopt);
  EXPECT_EQ(nearest_word("event", {}), std::nullopt);
  EXPECT_EQ(nearest_word("ab", {"cd"}), std::nullopt);
  for (const auto& [word, other] : {std::pair("bogus", "begin"),
                                    {"preciise", "reverse"},
                                    {"json", "on"},
                                    {"loop", "stop"},
                                    {"fdtransfer", "transform"},
                                    {"proc", "from"}})
    EXPECT_EQ(nearest_word(word, {other}), std::nullopt) << word;
}

TEST(NearestWord, TheNearestWinsAndThenTheFirst) {
  EXPECT_EQ(nearest_word("flatt", {"float", "flat"}), "flat");
  EXPECT_EQ(nearest_word("bat", {"cat", "hat"}), "cat");
}

}  // namespace
}  // namespace hearth
