// Resolves the stacks and classes of one chunk to those of the profile, when they are first used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/codec/bytes.h"
#include "profile/jfr/read_constants.h"
#include "profile/model/id_index.h"
#include "profile/model/profile.h"

namespace hearth::profile::jfr::recorded {

struct Stack {
  NodeId node = 0;  // 0: no frames
  bool is_truncated = false;
  bool has_java = false;
};

class Stacks {
 public:
  // All outlive the object. `names`: the limit of the recording's names.
  Stacks(const Input& chunk, const Types& types, Constants* constants, ExpansionLimit* names, Profile* profile);

  // No frames for an id that is not in the chunk. Throws FormatError.
  Stack of(uint64_t stack_trace);
  // The stack with the class of an object at its inner end, and a suffix that outlives this object; `stack` if the
  // class is unknown.
  NodeId with_class(NodeId stack, uint64_t java_class, std::string_view suffix);

 private:
  static constexpr uint32_t kUnresolved = UINT32_MAX;

  struct Frame {  // as in the recording
    uint64_t method;
    uint64_t type;
    uint32_t line;
    bool operator==(const Frame& other) const {
      return method == other.method && type == other.type && line == other.line;
    }
  };
  struct Method {
    StringId name = kUnresolved;
    StringId system_name = 0;
    uint64_t java_class = 0;
    std::string clojure_method;  // "" for others
    bool is_java = true;         // else a function of native code, whose class is its library or empty
  };
  struct ClassFrame {
    uint64_t java_class;
    std::string_view suffix;
    LocationId location;  // kUnresolved: unknown
  };
  struct Place {  // of a frame in the profile
    LocationId location;
    uint32_t method;  // kUnresolved: not in the chunk
    bool is_java;
  };

  Stack resolve(uint32_t stack_trace);
  void put_path(uint64_t frames);
  LocationId truncated();
  uint32_t place_of(const Frame& frame);
  Place resolve(const Frame& frame);
  const Method& method(uint32_t constant, FrameKind described);
  Method named(uint32_t constant, FrameKind described);
  FrameKind described_kind(uint64_t type);
  bool are_one_call(uint32_t outer, uint32_t inner);
  StringId interned(const std::string& name);

  const Input& chunk_;
  Constants* constants_;
  ExpansionLimit* names_;
  Profile* profile_;
  RecordReader frame_reader_;
  bool has_native_code_ = false;  // the stacks have functions of native code, too

  std::vector<Stack> stacks_;  // by number of the constant; node kUnresolved: not yet
  std::vector<Frame> frames_;
  std::vector<Place> places_;  // by frame
  IdIndex frame_index_;
  std::vector<Method> methods_;                              // by number of the constant
  std::vector<std::pair<uint64_t, FrameKind>> frame_kinds_;  // by type
  std::vector<ClassFrame> classes_;
  IdIndex class_index_;

  std::vector<uint32_t> path_;         // places of the current stack, outermost first
  std::vector<uint32_t> path_before_;  // of the stack before, in which the current one mostly begins
  std::vector<NodeId> nodes_before_;
};

}  // namespace hearth::profile::jfr::recorded
