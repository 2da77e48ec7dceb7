#include "profile/formats/formats.h"

#include <algorithm>
#include <cctype>

#include "base/formatted.h"
#include "base/text_parts.h"
#include "profile/codec/deflate.h"
#include "profile/formats/read_collapsed.h"
#include "profile/jfr/read_jfr.h"
#include "profile/model/event_view.h"
#include "profile/page/asprof_frames.h"

namespace hearth::profile {
namespace {

struct FormatName {
  std::string_view name;
  Format format;
};

constexpr FormatName kSuffixes[] = {
    {".collapsed", Format::kCollapsed}, {".folded", Format::kCollapsed}, {".pb.gz", Format::kPprof},
    {".pprof", Format::kPprof},         {".pb", Format::kPprof},         {".html", Format::kFlameGraph},
    {".htm", Format::kFlameGraph},      {".jfr", Format::kJfr},          {".otlp", Format::kOtlp},
};

// The first word of a format is the agent's own.
constexpr FormatName kWords[] = {
    {"collapsed", Format::kCollapsed},
    {"flamegraph", Format::kFlameGraph},
    {"html", Format::kFlameGraph},
    {"flat", Format::kFlat},
    {"traces", Format::kTraces},
    {"pprof", Format::kPprof},
    {"pb", Format::kPprof},
    {"pb.gz", Format::kPprof},
    {"jfr", Format::kJfr},
    {"otlp", Format::kOtlp},
};

// Formats of other profilers and viewers, by the extensions and words that people give for them.
struct ForeignFormat {
  std::string_view ending;
  std::string_view name;
};
constexpr ForeignFormat kForeign[] = {
    {".svg", "SVG pictures; a page that is open in a browser saves one"},
    {".png", "pictures; a page that is open in a browser saves one"},
    {".pdf", "PDF"},
    {".json", "JSON; hearth report --json makes it of a stored profile"},
    {".csv", "CSV"},
    {".gz", "compressed files, except .pb.gz"},
    {".zip", "compressed files, except .pb.gz"},
    {".zst", "compressed files, except .pb.gz"},
};

template <size_t N>
std::string joined(const FormatName (&names)[N]) {
  std::string list;
  for (const FormatName& entry : names) list.append(list.empty() ? "" : " ").append(entry.name);
  return list;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// The foreign format of the extension of `name`; null: none.
const ForeignFormat* foreign_format(std::string_view name) {
  const auto* found = std::find_if(std::begin(kForeign), std::end(kForeign),
                                   [&](const ForeignFormat& one) { return ends_with(name, one.ending); });
  return found == std::end(kForeign) ? nullptr : found;
}

std::optional<Format> known_format(std::string_view name) {
  for (const FormatName& suffix : kSuffixes)
    if (ends_with(name, suffix.name)) return suffix.format;
  return std::nullopt;
}

bool is_gzip(std::string_view bytes) {
  return bytes.substr(0, 2) == "\x1F\x8B";
}

bool is_html(std::string_view bytes) {
  size_t start = bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (start == std::string_view::npos) return false;
  std::string head = lower(bytes.substr(start, 14));
  return head == "<!doctype html" || head.substr(0, 5) == "<html";
}

// True for pprof and OTLP: text has no such control characters, and the first fields of profile.proto, short messages,
// begin with one.
bool is_binary(std::string_view bytes) {
  constexpr size_t kLooked = 64;
  auto is_control = [](char c) { return static_cast<unsigned char>(c) < '\t'; };
  std::string_view head = bytes.substr(0, kLooked);
  return std::any_of(head.begin(), head.end(), is_control);
}

Profile read_binary(std::string_view bytes) {
  if (is_otlp(bytes)) return read_otlp(bytes, bytes.size());
  if (!is_gzip(bytes)) return read_pprof(bytes);
  std::string inflated = inflate(bytes, Wrapping::kGzip, "the profile");
  return is_otlp(inflated) ? read_otlp(inflated, bytes.size()) : read_pprof(bytes);
}

bool is_collapsed(std::string_view bytes) {
  return !bytes.empty() && !is_gzip(bytes) && !is_html(bytes) && !is_binary(bytes);
}

}  // namespace

std::string write(const Profile& stored, Format format, const WriteOptions& options) {
  std::optional<Profile> view = view_of(stored, format, options);
  const Profile& profile = view ? *view : stored;
  switch (format) {
    case Format::kCollapsed:
      return write_collapsed(profile, options);
    case Format::kPprof:
      return write_pprof(profile, options);
    case Format::kFlameGraph:
      return write_flame_graph(profile, options) +
             (options.has_asprof_frames ? asprof_frames(profile, options) : std::string());
    case Format::kFlat:
      return write_flat(profile, options);
    case Format::kTraces:
      return write_traces(profile, options);
    case Format::kJfr:
      return write_jfr(profile, options);
    case Format::kOtlp:
      return write_otlp(profile, options);
  }
  throw FormatError("this is no format");
}

Profile read(std::string_view bytes) {
  if (bytes.empty()) throw FormatError("the input is empty");
  if (bytes.size() > kMostBytes) throw FormatError(formatted("it has more than {} MiB", kMostBytes >> 20));
  if (is_collapsed(bytes)) return read_collapsed(bytes);
  if (jfr::is_recording(bytes)) return jfr::read(bytes);
  Profile profile = is_html(bytes) ? read_flame_graph(bytes) : read_binary(bytes);
  if (profile.value_types.empty()) throw FormatError("it names no sample types: it is empty or cut short");
  return profile;
}

Profile read_pieces(const std::function<std::string_view()>& next) {
  std::string_view piece = next();
  if (!is_collapsed(piece)) {
    std::string whole;
    for (; !piece.empty() && whole.size() <= kMostBytes; piece = next()) whole += piece;
    return read(whole);
  }
  CollapsedReader reader;
  for (; !piece.empty(); piece = next()) reader.feed(piece);
  return reader.finish();
}

void refuse_foreign_file(std::string_view path) {
  std::string name = lower(path);
  const ForeignFormat* foreign = known_format(name) ? nullptr : foreign_format(name);
  if (foreign != nullptr)
    throw FormatError(formatted(
        "cannot write {}: hearth does not write {}; accepted are names that end in .html, .pb.gz, .jfr, .otlp, "
        ".collapsed, and .txt for text",
        path, foreign->name));
}

std::optional<Format> format_of_output(std::string_view path) {
  refuse_foreign_file(path);
  return known_format(lower(path));
}

Format format_of_file(std::string_view path) {
  if (std::optional<Format> format = known_format(lower(path))) return *format;
  throw FormatError(formatted("the format of {} is not known by its name; names end in {}", path, joined(kSuffixes)));
}

Format format_of_word(std::string_view word) {
  for (const FormatName& known : kWords)
    if (word == known.name) return known.format;
  if (std::string foreign = foreign_format_named(word); !foreign.empty())
    throw FormatError(formatted("hearth does not write {}; formats are {}", foreign, joined(kWords)));
  throw FormatError(formatted("{} is not a format; formats are {}", word, joined(kWords)));
}

std::string foreign_format_named(std::string_view word) {
  const ForeignFormat* foreign = foreign_format(formatted(".{}", word));
  return foreign == nullptr ? "" : std::string(foreign->name);
}

std::string_view ending_of(Format format) {
  for (const FormatName& suffix : kSuffixes)
    if (format == suffix.format) return suffix.name;
  return "";
}

std::string_view word_of(Format format) {
  for (const FormatName& known : kWords)
    if (format == known.format) return known.name;
  return "";
}

}  // namespace hearth::profile
