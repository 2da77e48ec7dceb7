#include "profile/jfr/read_jfr.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/formatted.h"
#include "profile/formats/amount_text.h"
#include "profile/formats/formats.h"
#include "profile/jfr/layout.h"
#include "profile/jfr/read_chunk.h"

namespace hearth::profile::jfr::recorded {
namespace {

constexpr size_t kMostNamed = 10;  // damaged chunks with a note of their own

class RecordingReader {
 public:
  RecordingReader(std::string_view recording, const TimeChoice& range, std::function<void(size_t, size_t)> release)
      : recording_(recording),
        release_(std::move(release)),
        chunks_(chunks_of(recording, release_)),
        sum_(recording.size()) {
    sum_.range = range;
    TimeChoice time = time_of(chunks_);
    sum_.begin_ns = std::max(range.from_ns, time.from_ns);
    sum_.profile.metadata.start_unix_ns = sum_.begin_ns;
    sum_.profile.metadata.duration_ns = std::max<int64_t>(0, std::min(range.to_ns, time.to_ns) - sum_.begin_ns);
  }

  Profile read() {
    for (size_t number = 0; number < chunks_.size(); ++number) {
      read_chunk(number);
      if (release_) release_(chunks_[number].begin, chunks_[number].end);
    }
    if (skipped_ == chunks_.size()) throw FormatError(first_problem_);
    finish();
    return std::move(sum_.profile);
  }

 private:
  void read_chunk(size_t number);
  void note(size_t number, const std::string& problem);
  void finish();
  void add_notes(Quality* quality) const;

  std::string_view recording_;
  std::function<void(size_t, size_t)> release_;
  std::vector<Chunk> chunks_;
  Recording sum_;
  std::vector<std::string> notes_;
  size_t damaged_ = 0;  // chunks
  size_t skipped_ = 0;
  std::string first_problem_;
};

void RecordingReader::read_chunk(size_t number) {
  const Chunk& chunk = chunks_[number];
  try {
    std::string problem = ChunkReader(recording_, chunk, &sum_).read();
    if (!problem.empty())
      note(number,
           formatted("the rest of its events is left out: {}", chunk.problem.empty() ? problem : chunk.problem));
    else if (!chunk.problem.empty())
      note(number, formatted("everything could be read, but {}", chunk.problem));
  } catch (const FormatError& error) {
    ++skipped_;
    if (first_problem_.empty()) first_problem_ = chunk.problem.empty() ? error.what() : chunk.problem;
    note(number, formatted("it is skipped: {}", chunk.problem.empty() ? error.what() : chunk.problem));
  }
}

void RecordingReader::note(size_t number, const std::string& problem) {
  const Chunk& chunk = chunks_[number];
  if (damaged_++ < kMostNamed)
    notes_.push_back(
        formatted("chunk {} of {} (bytes {} to {}): {}", number + 1, chunks_.size(), chunk.begin, chunk.end, problem));
}

void RecordingReader::finish() {
  Profile& profile = sum_.profile;
  sum_.facts.put_into(&profile.metadata, &profile.quality);
  sum_.samples.move_to(&profile);
  add_notes(&profile.quality);
  profile.pack();
}

void RecordingReader::add_notes(Quality* quality) const {
  std::vector<std::string>& notes = quality->notes;
  notes.insert(notes.end(), notes_.begin(), notes_.end());
  if (damaged_ > kMostNamed) notes.push_back(formatted("{} more chunks are damaged", damaged_ - kMostNamed));
  if (sum_.damaged > 0) notes.push_back(formatted("{} damaged events are left out", grouped(sum_.damaged)));
  if (!sum_.has_sizes)
    notes.push_back("live objects have no sizes in this recording: use --samples, which counts them");
  if (!sum_.has_known_period) notes.push_back("the sampling period is not in the recording: times are for 20 ms");
}

}  // namespace

}  // namespace hearth::profile::jfr::recorded

namespace hearth::profile::jfr {

bool is_recording(std::string_view bytes) {
  return bytes.substr(0, kMagic.size()) == kMagic;
}

TimeChoice recorded_time(std::string_view recording) {
  return recorded::time_of(recorded::chunks_of(recording));
}

Profile read(std::string_view recording, const TimeChoice& range,
             const std::function<void(size_t begin, size_t end)>& release) {
  return recorded::RecordingReader(recording, range, release).read();
}

}  // namespace hearth::profile::jfr
