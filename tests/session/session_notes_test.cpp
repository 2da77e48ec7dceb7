#include "session/session_notes.h"

#include <gtest/gtest.h>

namespace hearth::session {
namespace {

using Notes = std::vector<std::string>;

TEST(SessionNotes, KeepsNotesInTheirOrder) {
  SessionNotes notes;
  notes.add("one");
  notes.add("two");
  notes.add("one");
  EXPECT_EQ(notes.all(), (Notes{"one", "two", "one"}));
}

TEST(SessionNotes, AddOnceLeavesOutAKnownNote) {
  SessionNotes notes;
  notes.add("one");
  notes.add_once("one");
  notes.add_once("two");
  EXPECT_EQ(notes.all(), (Notes{"one", "two"}));
}

TEST(SessionNotes, LeavesOutAnEmptyNote) {
  SessionNotes notes;
  notes.add("");
  notes.add_once("");
  EXPECT_TRUE(notes.all().empty());
}

}  // namespace
}  // namespace hearth::session
