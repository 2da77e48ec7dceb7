// Readers and writers of the profile model, one file a format (write_*.cpp, read_*.cpp). Pure functions: any thread, no
// signals.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/label_choice.h"
#include "profile/model/profile.h"
#include "profile/page/transforms.h"

namespace hearth::profile {

enum class Format { kCollapsed, kPprof, kFlameGraph, kFlat, kTraces, kJfr, kOtlp };

// The value that collapsed stacks or the page's first view show: the first value type, the last, or the usual one
// there, which is the first except for a page of allocations. Flat and traces show both and sort by the last.
enum class Lens { kUsual, kSamples, kTotal };

struct WriteOptions {
  Lens lens = Lens::kUsual;
  std::string event;      // text: which of several events; empty: the first
  bool annotate = false;  // _[j] _[i] _[0] _[1] on Java frames in text
  bool lines = false;     // Java frames as name:line, all but pprof; each line is then a frame of its own
  std::vector<std::string>
      include;  // stack kept when any frame matches any pattern; * at either end as in async-profiler
  std::vector<std::string> exclude;     // stack dropped when any frame matches
  std::vector<LabelChoice> labels;      // only samples that have these
  std::string title;                    // page; empty: from the metadata
  double minwidth = 0;                  // page: percent below which a frame is not written
  bool reverse = false;                 // page: callers on top, merged from the leaves
  bool inverted = false;                // page: icicles, root at the top
  bool opens_tree = false;              // page: opens on its tree
  bool has_asprof_frames = false;       // page: async-profiler's converter can read it, too
  std::vector<Transform> transforms;    // page: applied to its stacks when it opens
  bool sort_by_width = false;           // page: widest siblings first, else by name
  std::vector<std::string> highlights;  // page: patterns of frames that are coloured when it opens
  int limit = 0;                        // flat, traces: number of rows; 0: format's default (200)
};

// Error in an input: the problem, the input and the place (line or byte offset).
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Each returns the whole output and writes nothing to disk. All except pprof, JFR and OTLP merge frames of equal text
// (call_tree.h) and give equal bytes for equal profiles.
std::string write_collapsed(const Profile& profile, const WriteOptions& options);  // lines ordered frame by frame
std::string write_flat(const Profile& profile, const WriteOptions& options);
std::string write_traces(const Profile& profile, const WriteOptions& options);
std::string write_pprof(const Profile& profile, const WriteOptions& options);        // gzip'd profile.proto
std::string write_jfr(const Profile& profile, const WriteOptions& options);          // a recording of one chunk
std::string write_flame_graph(const Profile& profile, const WriteOptions& options);  // one self-contained HTML page
std::string write_otlp(const Profile& profile, const WriteOptions& options);  // OpenTelemetry's ProfilesData (otlp.h)
// All events in pprof, JFR and OTLP; otherwise the view for people (event_view.h). Throws FormatError for an event or
// labels that the profile does not have, and for a page of negative values.
std::string write(const Profile& stored, Format format, const WriteOptions& options);

// Each throws FormatError on bad input, never crashes on any, and takes memory in proportion to it. Data that the
// format lacks is guessed (kinds, from names: frame_text.h) or left at its default.
Profile read_collapsed(std::string_view text);
Profile read_pprof(std::string_view bytes);       // gzip'd or not; hearth's own or anybody's
Profile read_flame_graph(std::string_view html);  // a page written by write_flame_graph
// OTLP of 1.10.0 or newer, not compressed; `stored`: size of the file.
Profile read_otlp(std::string_view bytes, size_t stored);
bool is_otlp(std::string_view bytes);

// Limit of a file's size and of inflated data; collapsed stacks have none.
inline constexpr size_t kMostBytes = size_t{1} << 30;

// Recognises the format by content: a recording of JFR (jfr/read_jfr.h) has its magic number, gzip or control
// characters are pprof or OTLP, an HTML start is a page, else collapsed.
Profile read(std::string_view bytes);
// As read(), for an input in pieces, the first of which determines the format; `next` returns an empty one at the end,
// and each call may invalidate the previous piece. Collapsed stacks are never held as a whole.
Profile read_pieces(const std::function<std::string_view()>& next);

// Format by file name: .collapsed .folded, .pb.gz .pprof .pb, .html .htm, .jfr, .otlp; throws FormatError that lists
// these.
Format format_of_file(std::string_view path);
// The first of these endings; "" of a format without one.
std::string_view ending_of(Format format);
// Format of a file that a session writes; empty: text, as for .txt or a name without extension. Throws FormatError as
// refuse_foreign_file() does.
std::optional<Format> format_of_output(std::string_view path);
// Throws FormatError, with the accepted names, for an extension of a foreign format (.svg, .png …).
void refuse_foreign_file(std::string_view path);
// Format by option word: collapsed, pprof, flamegraph, flat, traces, jfr, otlp, html, pb, pb.gz.
Format format_of_word(std::string_view word);
// Description of the foreign format of this word: "PDF" for pdf; "" if there is none.
std::string foreign_format_named(std::string_view word);
// The agent's own word for it.
std::string_view word_of(Format format);

}  // namespace hearth::profile
