// Reads mutated profiles: whatever the bytes are, the answer is a FormatError, or a profile that every writer takes and
// that comes back the same.
//   hearth_profile_fuzzer COUNT [SEED]

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/files.h"
#include "base/formatted.h"
#include "fuzz_main.h"
#include "jfr/made_recording.h"
#include "mutator.h"
#include "profile/analysis/summary.h"
#include "profile/codec/deflate.h"
#include "profile/formats/formats.h"
#include "profile/formats/read_collapsed.h"
#include "profile/jfr/read_jfr.h"
#include "profile/page/page_data.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr std::string_view kCollapsedWords[] = {";",
                                                " ",
                                                "\n",
                                                "\r\n",
                                                "\t",
                                                " 1\n",
                                                "; 1",
                                                " -1\n",
                                                " 9223372036854775807\n",
                                                " 9223372036854775808\n",
                                                "_[k]",
                                                "_[j]",
                                                "_[i]",
                                                "[unknown]",
                                                "[main tid=1]",
                                                "::",
                                                "/",
                                                ".",
                                                "()",
                                                "[]",
                                                "\xff",
                                                "\xe2\x80\xae",
                                                "\x1b[",
                                                "<"};
// Keys and lengths of profile.proto's fields, and numbers at the ends of their ranges.
constexpr std::string_view kPprofWords[] = {"\x0a\x04",
                                            "\x12\x06",
                                            "\x1a\x02",
                                            "\x22\x04",
                                            "\x2a\x04",
                                            "\x32\x00",
                                            "\x32\x05hello",
                                            "\x08\x01",
                                            "\x10\x02",
                                            "\x18\x03",
                                            "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                                            "\xff\xff\xff\xff\x0f",
                                            "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
                                            "\x7f",
                                            "\x80\x01",
                                            "\x09",
                                            "\x0d",
                                            "\x0b",
                                            "\x1f\x8b\x08"};
constexpr std::string_view kPageWords[] = {"\xff\xff\xff\xff\x0f",
                                           "\x80\x80\x80\x80\x10",
                                           "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                                           "\x7f",
                                           "\x80\x01",
                                           "\x01",
                                           "\x02",
                                           "\"format\":1",
                                           "\"format\":2",
                                           "\"nodes\":4294967295",
                                           "\"nodes\":-1",
                                           "\"rows\":1e9",
                                           "\"names\":0",
                                           "\"frames\":99",
                                           "\"time\":{\"step_ns\":1,\"count\":9}",
                                           "\"labels\":[{\"key\":\"k\",\"unit\":\"\"}]",
                                           "null",
                                           "{",
                                           "}",
                                           "[",
                                           "]",
                                           "\"",
                                           ",",
                                           "</script>",
                                           "<script id=\"hearth-data\" type=\"application/octet-stream\">",
                                           "=",
                                           "A",
                                           "AAAA"};

// Sizes of events, integers at the ends of their ranges, encodings of strings, headers.
constexpr std::string_view kJfrWords[] = {
    {"FLR\0\0\2\0\1", 8},
    {"\x80\x80\x80\0", 4},
    {"\xff\xff\xff\x7f", 4},
    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9},
    {"\xff\xff\xff\xff\x07", 5},
    {"\0", 1},
    "\1",
    "\2",
    "\3",
    "\4",
    "\5",
    "\7",
    {"\0\0\0\0\0\0\0\0", 8},
};

Profile read_recording(std::string_view bytes) {
  return jfr::read(bytes);
}

template <size_t N>
std::vector<std::string_view> all(const std::string_view (&words)[N]) {
  return {std::begin(words), std::end(words)};
}

bool has_negative_values(const Profile& profile) {
  for (size_t index = 0; index < profile.sample_count(); ++index)
    for (size_t type = 0; type < profile.value_types.size(); ++type)
      if (profile.values(index)[type] < 0) return true;
  return false;
}

size_t count_of(std::string_view part, std::string_view text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void expect_readable_page(const Profile& profile) {
  static const size_t kScripts = count_of("<script", write_flame_graph(Profile(), {}));
  std::string page = write_flame_graph(profile, {});
  expect(count_of("<script", page) == kScripts, "a page has a script of a stranger");
  expect(write_collapsed(read_flame_graph(page), {}) == write_collapsed(profile, {}),
         "a page was read as something else");
}

void expect_writable(const Profile& profile) {
  WriteOptions options;
  options.annotate = true;
  options.minwidth = 1;
  write_flat(profile, options);
  write_traces(profile, options);
  label_weights(profile, options, "thread", 0);
  std::string pprof = write_pprof(profile, {});
  if (profile.value_types.empty() || has_negative_values(profile)) return;
  expect(write_collapsed(read_pprof(pprof), {}) == write_collapsed(profile, {}), "pprof was read as something else");
  write_otlp(profile, {});
  encode_page_data(profile, options);
  expect_readable_page(profile);
}

std::optional<Profile> read_or_refuse(Profile (*read)(std::string_view), std::string_view bytes) {
  try {
    return read(bytes);
  } catch (const FormatError& error) {
    expect(*error.what() != '\0', "an error says nothing");
    return std::nullopt;
  }
}

Profile read_in_pieces(std::string_view text) {
  constexpr size_t kOdd = 7;
  CollapsedReader reader;
  for (; !text.empty(); text.remove_prefix(std::min(kOdd, text.size()))) reader.feed(text.substr(0, kOdd));
  return reader.finish();
}

void expect_same_in_pieces(std::string_view text, const std::optional<Profile>& whole) {
  std::optional<Profile> pieces = read_or_refuse(read_in_pieces, text);
  expect(pieces.has_value() == whole.has_value(), "pieces are refused, or the whole is");
  if (whole) expect(dump(*pieces) == dump(*whole), "pieces were read as something else");
}

// One entry, with its inputs.
struct MutatedReader {
  Profile (*read)(std::string_view);
  Mutator mutator;
};

class Corpus {
 public:
  Corpus() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(HEARTH_CORPUS)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) add(read_file(path));
    WriteOptions annotate;
    annotate.annotate = true;
    MadeChunk fixed, unfinished;
    fixed.compressed = false;
    unfinished.is_finished = false;
    recordings_ = {made_chunk(), made_chunk(fixed), made_chunk() + made_chunk(unfinished), made_chunk() + made_chunk()};
    collapsed_.push_back(write_collapsed(sample_profile(), annotate));
    add_written(sample_profile());
  }

  std::vector<MutatedReader> readers(uint64_t seed) const {
    return {{read_collapsed, {collapsed_, all(kCollapsedWords), seed}},
            {read_pprof, {inside(pprofs_), all(kPprofWords), seed + 1}},
            {read_pprof, {pprofs_, all(kPprofWords), seed + 2}},
            {decoded, {payloads_, all(kPageWords), seed + 3}},
            {read_flame_graph, {pages_, all(kPageWords), seed + 4}},
            {read, {joined(), all(kPprofWords), seed + 5}},
            {read, {otlps_, all(kPprofWords), seed + 6}},
            {read_recording, {recordings_, all(kJfrWords), seed + 7}}};
  }

 private:
  void add(const std::string& text) {
    collapsed_.push_back(text);
    std::optional<Profile> profile = read_or_refuse(read_collapsed, text);
    if (profile && !has_negative_values(*profile)) add_written(*profile);
  }

  void add_written(const Profile& profile) {
    pprofs_.push_back(write_pprof(profile, {}));
    payloads_.push_back(encode_page_data(profile, {}));
    pages_.push_back(write_flame_graph(profile, {}));
    otlps_.push_back(write_otlp(profile, {}));
  }

  static std::vector<std::string> inside(const std::vector<std::string>& pprofs) {
    std::vector<std::string> inflated;
    for (const std::string& pprof : pprofs) inflated.push_back(inflate(pprof, Wrapping::kGzip, "the corpus"));
    return inflated;
  }

  std::vector<std::string> joined() const {
    std::vector<std::string> joined = collapsed_;
    for (const auto* more : {&pprofs_, &pages_}) joined.insert(joined.end(), more->begin(), more->end());
    return joined;
  }

  std::vector<std::string> collapsed_;
  std::vector<std::string> pprofs_;
  std::vector<std::string> payloads_;
  std::vector<std::string> pages_;
  std::vector<std::string> otlps_;
  std::vector<std::string> recordings_;
};

}  // namespace

void fuzz(uint64_t count, uint64_t seed) {
  std::vector<MutatedReader> readers = Corpus().readers(seed);
  uint64_t taken = 0;
  for (uint64_t i = 0; i < count; ++i) {
    MutatedReader& reader = readers[i % readers.size()];
    std::string bytes = reader.mutator.next();
    try {
      std::optional<Profile> profile = read_or_refuse(reader.read, bytes);
      if (reader.read == read_collapsed) expect_same_in_pieces(bytes, profile);
      if (!profile) continue;
      ++taken;
      expect_writable(*profile);
    } catch (const std::exception&) {
      std::fprintf(stderr, "input %llu of reader %zu, seed %llu:\n", static_cast<unsigned long long>(i),
                   i % readers.size(), static_cast<unsigned long long>(seed));
      throw;
    }
  }
  std::printf("%llu inputs, %llu of them profiles, seed %llu, %ld MB at most\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(taken), static_cast<unsigned long long>(seed), peak_mb());
}
}  // namespace hearth::profile

int main(int argc, char** argv) {
  return hearth::fuzz_main(argc, argv, hearth::profile::fuzz);
}
