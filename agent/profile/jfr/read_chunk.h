// Reads one chunk of a recording into what its profile is made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/codec/bytes.h"
#include "profile/jfr/read_constants.h"
#include "profile/jfr/read_events.h"
#include "profile/jfr/read_facts.h"
#include "profile/jfr/read_header.h"
#include "profile/jfr/read_input.h"
#include "profile/jfr/read_jfr.h"
#include "profile/jfr/read_samples.h"
#include "profile/jfr/read_stacks.h"
#include "profile/jfr/read_types.h"

namespace hearth::profile::jfr::recorded {

// The sum of all chunks.
struct Recording {
  explicit Recording(size_t size) : names(size, size) {}

  Profile profile;  // stacks and labels; its samples come last
  Samples samples;
  Facts facts;
  ExpansionLimit names;
  TimeChoice range;
  std::string metadata;  // of the chunk before: most chunks have the same
  std::shared_ptr<const Types> types;
  int64_t begin_ns = 0;  // of the profile, since 1970
  uint64_t damaged = 0;  // events
  bool has_known_period = true;
  bool has_sizes = true;  // of live objects
};

class ChunkReader {
 public:
  // All outlive the reader. Throws FormatError if nothing of the chunk can be read.
  ChunkReader(std::string_view recording, const Chunk& chunk, Recording* sum);

  // Adds its events to the sum. Returns the problem where they end too early; "": none. Throws FormatError, and then
  // has added no samples.
  std::string read();

 private:
  struct Reader {
    const EventRow* row = nullptr;  // of a sample
    FactEvent fact = FactEvent::kNone;
    RecordReader record;
    int64_t period_ns = 0;  // between two samples
  };
  struct Event {
    size_t at;  // of its fields
    size_t end;
    const Reader* reader;
  };

  std::shared_ptr<const Types> read_types() const;
  void find_readers();
  void add_reader(std::string_view type, const std::vector<std::string_view>& fields, Reader reader);
  const Reader* reader_of(uint64_t type) const;
  std::string find_events();
  void follow_checkpoints();
  void set_periods();
  // Calls use(reader, record) for each event of samples, or of facts.
  template <typename Use>
  void for_each(bool are_samples, const Use& use);
  void add_sample(const Reader& reader, const Record& record, Stacks* stacks);
  Column column_of(const Reader& reader, const Record& record);
  int64_t weight_of(const Reader& reader, const Record& record, Column column);
  int64_t amount(const Reader& reader, const Record& record, size_t number, Column column) const;
  int64_t count_of(const Reader& reader, const Record& record, Column column, int64_t weight);
  NodeId with_class(const Reader& reader, const Record& record, NodeId stack, Stacks* stacks);
  LabelSetId labels_of(const Reader& reader, const Record& record, Column column);
  LabelSet thread_labels(uint64_t thread);
  void add_own_labels(const Reader& reader, const Record& record, LabelSet* labels);
  std::string_view text(const Reader& reader, const Record& record, size_t wanted) {
    return constants_.text(reader.record, record, wanted);
  }
  void count_quality(const Stack& stack);

  const Chunk& chunk_;
  Recording* sum_;
  Input input_;
  std::shared_ptr<const Types> types_;
  Constants constants_;
  std::unordered_map<uint64_t, Reader> readers_;  // by type
  std::vector<const Reader*> small_readers_;      // likewise, of small types; null: others
  std::vector<Event> events_;
  std::vector<size_t> checkpoints_;  // offsets
  std::string counter_;              // Facts::counter()
  // By the thread, the state, and texts that are constants.
  std::map<std::array<uint64_t, 5>, LabelSetId> labels_;
};

}  // namespace hearth::profile::jfr::recorded
