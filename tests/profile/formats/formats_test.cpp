#include "profile/formats/formats.h"

#include <gtest/gtest.h>

#include "base/formatted.h"
#include "profile/codec/deflate.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

TEST(Formats, ByFileName) {
  EXPECT_EQ(format_of_file("/a/b.collapsed"), Format::kCollapsed);
  EXPECT_EQ(format_of_file("b.folded"), Format::kCollapsed);
  EXPECT_EQ(format_of_file("b.COLLAPSED"), Format::kCollapsed);
  EXPECT_THROW(format_of_file("b.txt"), FormatError);
  EXPECT_EQ(format_of_file("b.pb.gz"), Format::kPprof);
  EXPECT_EQ(format_of_file("b.pprof"), Format::kPprof);
  EXPECT_EQ(format_of_file("b.pb"), Format::kPprof);
  EXPECT_EQ(format_of_file("b.html"), Format::kFlameGraph);
  EXPECT_EQ(format_of_file("b.htm"), Format::kFlameGraph);
  EXPECT_EQ(format_of_file("b.otlp"), Format::kOtlp);
  EXPECT_EQ(format_of_file("b.JFR"), Format::kJfr);
  try {
    format_of_file("b.pdf");
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_STREQ(error.what(),
                 "the format of b.pdf is not known by its name; names end in .collapsed .folded .pb.gz .pprof .pb "
                 ".html .htm .jfr .otlp");
  }
}

TEST(Formats, OutputsWithoutAnEndingAreText) {
  for (const char* name : {"profile.txt", "profile", "profile.log", "out.4711", "jfr", ""})
    EXPECT_EQ(format_of_output(name), std::nullopt) << name;
  EXPECT_EQ(format_of_output("a/b.PB.gz"), Format::kPprof);
}

TEST(Formats, OutputsWithAForeignEndingAreRefused) {
  for (const char* name : {"x.pdf", "/a/x-%p.PDF", "x.svg", "x.json", "x.speedscope.json", "x.html.gz", "x.jfr.gz"})
    EXPECT_THROW(format_of_output(name), FormatError) << name;
  try {
    format_of_output("x.pdf");
  } catch (const FormatError& error) {
    EXPECT_STREQ(error.what(),
                 "cannot write x.pdf: hearth does not write PDF; accepted are names that end in .html, .pb.gz, .jfr, "
                 ".otlp, .collapsed, and .txt for text");
  }
}

TEST(Formats, ACompressedJfrRecordingIsNamedAsSuch) {
  std::string recording("FLR\0\0\2\0\1 and more", 17);
  try {
    read(deflate(recording, Wrapping::kGzip));
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_STREQ(error.what(), "it is a compressed JFR recording; unpack it first, with gunzip");
  }
  EXPECT_THROW(read(recording), FormatError);
}

TEST(Formats, ByWord) {
  EXPECT_EQ(format_of_word("flamegraph"), Format::kFlameGraph);
  EXPECT_EQ(format_of_word("html"), Format::kFlameGraph);
  EXPECT_EQ(format_of_word("pb.gz"), Format::kPprof);
  EXPECT_EQ(format_of_word("traces"), Format::kTraces);
  EXPECT_EQ(format_of_word("jfr"), Format::kJfr);
  EXPECT_THROW(format_of_word("svg"), FormatError);
  try {
    format_of_word("pdf");
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("hearth does not write PDF; formats are collapsed ", 0), 0U)
        << error.what();
  }
}

TEST(Formats, ReadRecognisesEachFormat) {
  WriteOptions options;
  std::string expected = write_collapsed(sample_profile(), options);
  for (Format format : {Format::kCollapsed, Format::kPprof, Format::kFlameGraph, Format::kOtlp})
    EXPECT_EQ(write_collapsed(read(write(sample_profile(), format, options)), options), expected);
  EXPECT_EQ(read("\n\na 1\n").sample_count(), 1u);
  EXPECT_THROW(read(""), FormatError);
  EXPECT_THROW(read("<html><p>not ours"), FormatError);
}

TEST(Formats, WriteKnowsEveryFormat) {
  Profile profile = sample_profile();
  EXPECT_EQ(write(profile, Format::kFlat, {}), write_flat(profile, {}));
  EXPECT_EQ(write(profile, Format::kTraces, {}), write_traces(profile, {}));
}

// One stack of every kind, its frame named after the kind's number.
Profile all_kinds() {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  int64_t one = 1;
  NodeId node = 0;
  for (int kind = 0; kind < kFrameKinds; ++kind) {
    std::string name = formatted("kind{}", kind);
    node = profile.child(node, profile.location(profile.function(name, static_cast<FrameKind>(kind)), 0));
  }
  profile.add(node, 0, &one);
  return profile;
}

TEST(Formats, PprofAndThePageKeepEveryKind) {
  Profile profile = all_kinds();
  EXPECT_EQ(dump(read(write(profile, Format::kPprof, {}))), dump(profile));
  EXPECT_EQ(dump(read(write(profile, Format::kFlameGraph, {}))), dump(profile));
}

TEST(Formats, OneMethodOfEveryJavaKindKeepsThemInPprofAndAnnotatedOutputs) {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  for (FrameKind kind : {FrameKind::kInterpreted, FrameKind::kC1, FrameKind::kJit, FrameKind::kInlined})
    add(profile, {{"a/B.c", kind}}, {1 + static_cast<int64_t>(kind)});
  WriteOptions annotated;
  annotated.annotate = true;
  EXPECT_EQ(dump(read(write(profile, Format::kPprof, {}))), dump(profile));
  EXPECT_EQ(dump(read(write(profile, Format::kFlameGraph, annotated))), dump(profile));
  std::string collapsed = write(profile, Format::kCollapsed, annotated);
  EXPECT_EQ(collapsed, "a/B.c_[0] 1\na/B.c_[1] 2\na/B.c_[j] 3\na/B.c_[i] 4\n");
  EXPECT_EQ(dump(read(collapsed)), dump(profile));
  EXPECT_EQ(write(profile, Format::kCollapsed, {}), "a/B.c 10\n");
}

}  // namespace
}  // namespace hearth::profile
