#include "profile/formats.h"

#include <algorithm>
#include <cctype>

#include "base/formatted.h"
#include "profile/event_view.h"
#include "profile/read_collapsed.h"

namespace hearth::profile {
namespace {

struct FormatName {
  std::string_view name;
  Format format;
};

constexpr FormatName kSuffixes[] = {
    {".collapsed", Format::kCollapsed}, {".folded", Format::kCollapsed}, {".pb.gz", Format::kPprof},
    {".pprof", Format::kPprof},         {".pb", Format::kPprof},         {".html", Format::kFlameGraph},
    {".htm", Format::kFlameGraph},
};

// Of several words for a format the first is the agent's own.
constexpr FormatName kWords[] = {
    {"collapsed", Format::kCollapsed},
    {"flamegraph", Format::kFlameGraph},
    {"html", Format::kFlameGraph},
    {"flat", Format::kFlat},
    {"traces", Format::kTraces},
    {"pprof", Format::kPprof},
    {"pb", Format::kPprof},
    {"pb.gz", Format::kPprof},
};

template <size_t N>
std::string joined(const FormatName (&names)[N]) {
  std::string list;
  for (const FormatName& entry : names) list.append(list.empty() ? "" : " ").append(entry.name);
  return list;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
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

// Text has no such control characters; the first fields of profile.proto, short messages, begin with one.
bool is_binary(std::string_view bytes) {
  constexpr size_t kLooked = 64;
  auto is_control = [](char c) { return static_cast<unsigned char>(c) < '\t'; };
  std::string_view head = bytes.substr(0, kLooked);
  return std::any_of(head.begin(), head.end(), is_control);
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
      return write_flame_graph(profile, options);
    case Format::kFlat:
      return write_flat(profile, options);
    case Format::kTraces:
      return write_traces(profile, options);
  }
  throw FormatError("this is no format");
}

Profile read(std::string_view bytes) {
  if (bytes.empty()) throw FormatError("the input is empty");
  if (is_collapsed(bytes)) return read_collapsed(bytes);
  return is_html(bytes) ? read_flame_graph(bytes) : read_pprof(bytes);
}

Profile read_pieces(const std::function<std::string_view()>& next) {
  std::string_view piece = next();
  if (!is_collapsed(piece)) {
    std::string whole;
    for (; !piece.empty(); piece = next()) whole += piece;
    return read(whole);
  }
  CollapsedReader reader;
  for (; !piece.empty(); piece = next()) reader.feed(piece);
  return reader.finish();
}

Format format_of_file(std::string_view path) {
  std::string name = lower(path);
  for (const FormatName& suffix : kSuffixes)
    if (ends_with(name, suffix.name)) return suffix.format;
  throw FormatError(formatted("the format of {} is not known by its name; names end in {}", path, joined(kSuffixes)));
}

Format format_of_word(std::string_view word) {
  for (const FormatName& known : kWords)
    if (word == known.name) return known.format;
  throw FormatError(formatted("{} is not a format; formats are {}", word, joined(kWords)));
}

std::string_view word_of(Format format) {
  for (const FormatName& known : kWords)
    if (format == known.format) return known.name;
  return "";
}

}  // namespace hearth::profile
