// Reads collapsed stacks in pieces: a file of any size takes the memory of its profile and of one line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/id_index.h"
#include "profile/model/profile.h"
#include "profile/model/string_arena.h"

namespace hearth::profile {

class CollapsedReader {
 public:
  CollapsedReader() { profile_.value_types = {{"samples", "count"}}; }

  // Pieces may end anywhere, also within a line; none is used after its call. Throws FormatError with the line.
  void feed(std::string_view piece);
  // The last line needs no line break.
  Profile finish();

 private:
  struct OpenFrame {
    size_t end;  // in the line before
    NodeId node;
  };
  struct Spelling {
    std::string_view text;  // with its suffix
    LocationId location;
  };

  void read_line(std::string_view line);
  int64_t read_count(std::string_view line, std::string_view digits) const;
  NodeId read_stack(std::string_view line, std::string_view stack);
  LocationId location(std::string_view frame);
  void keep_line_before();
  [[noreturn]] void fail(std::string_view line, const std::string& problem) const;

  size_t line_number_ = 0;
  int64_t sum_ = 0;
  Profile profile_;
  std::string begun_line_;  // an incomplete line, continued by the next piece
  // The stack of the line before: the shared frames need no look-up.
  std::string_view stack_before_;
  std::string kept_stack_before_;  // its memory after its piece is invalid
  std::vector<OpenFrame> open_;
  StringArena texts_;
  std::vector<Spelling> spellings_;
  IdIndex spelling_index_;
};

}  // namespace hearth::profile
