// Readers meet files of strangers: whatever the bytes are, the answer is a profile or a FormatError.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "profile/deflate.h"
#include "profile/formats.h"
#include "profile/page_data.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr int kMutations = 10'000;
constexpr unsigned kSeed = 20'260'101;

// One to four changes: a byte, a bit, a cut, an insertion, a repetition.
std::string mutated(std::string bytes, std::mt19937& random) {
  auto below = [&](size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(random); };
  for (size_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
    size_t at = below(bytes.size());
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 2:
        bytes.erase(at, 1 + below(8));
        break;
      case 3:
        bytes.insert(at, 1 + below(8), static_cast<char>(below(256)));
        break;
      default:
        bytes.insert(below(bytes.size()), bytes.substr(at, below(32)));
    }
  }
  return bytes;
}

// What is read must also be fit for every writer; a difference (negative values) has no page.
void expect_profile_or_format_error(const std::string& bytes, Profile (*read)(std::string_view)) {
  try {
    Profile profile = read(bytes);
    WriteOptions options;
    options.annotate = true;
    options.minwidth = 1;
    write_collapsed(profile, options);
    write_flat(profile, options);
    write_traces(profile, options);
    encode_page_data(profile, options);
  } catch (const FormatError& error) {
    EXPECT_STRNE(error.what(), "");
  }
}

void try_mutations(const std::string& valid, Profile (*read)(std::string_view)) {
  expect_profile_or_format_error(valid, read);
  std::mt19937 random(kSeed);  // NOLINT(cert-msc51-cpp): a failure must come again
  for (int i = 0; i < kMutations; ++i) {
    std::string bytes = mutated(valid, random);
    ASSERT_NO_THROW(expect_profile_or_format_error(bytes, read)) << "mutation " << i;
  }
}

TEST(DamagedInput, Collapsed) {
  WriteOptions options;
  options.annotate = true;
  try_mutations(write_collapsed(sample_profile(), options), read_collapsed);
}

TEST(DamagedInput, PprofInside) {
  try_mutations(inflate(write_pprof(sample_profile(), {}), Wrapping::kGzip, "it"), read_pprof);
}

TEST(DamagedInput, PprofCompressed) {
  try_mutations(write_pprof(sample_profile(), {}), read_pprof);
}

TEST(DamagedInput, PageInside) {
  try_mutations(encode_page_data(sample_profile(), {}), decode_page_data);
}

TEST(DamagedInput, Anything) {
  try_mutations(write_pprof(sample_profile(), {}), read);
}

}  // namespace
}  // namespace hearth::profile
