#include "profile/formats/frame_text.h"

#include <gtest/gtest.h>

namespace hearth::profile {
namespace {

TEST(FrameText, TheSuffixIsThatOfTheKind) {
  EXPECT_EQ(frame_text("vfs_read", FrameKind::kKernel, false), "vfs_read_[k]");
  EXPECT_EQ(frame_text("a/B.c", FrameKind::kJit, false), "a/B.c");
  EXPECT_EQ(frame_text("a/B.c", FrameKind::kJit, true), "a/B.c_[j]");
  EXPECT_EQ(frame_text("a/B.c", FrameKind::kInlined, true), "a/B.c_[i]");
  EXPECT_EQ(frame_text("a/B.c", FrameKind::kInterpreted, true), "a/B.c_[0]");
  EXPECT_EQ(frame_text("a/B.c", FrameKind::kC1, true), "a/B.c_[1]");
  EXPECT_EQ(frame_text("memcpy", FrameKind::kNative, true), "memcpy");
}

TEST(FrameText, NothingBreaksALine) {
  EXPECT_EQ(frame_text("f(Ljava/lang/String;)V", FrameKind::kJit, false), "f(Ljava/lang/String|)V");
  EXPECT_EQ(frame_text("two\r\nlines", FrameKind::kThread, false), "two  lines");
  EXPECT_EQ(frame_text("", FrameKind::kNative, false), "[unknown]");
}

TEST(FrameText, TheKindFollowsFromTheSpelling) {
  struct Case {
    const char* text;
    const char* name;
    FrameKind kind;
  };
  const Case cases[] = {
      {"vfs_read_[k]", "vfs_read", FrameKind::kKernel},
      {"a/B.c_[j]", "a/B.c", FrameKind::kJit},
      {"a/B.c_[i]", "a/B.c", FrameKind::kInlined},
      {"a/B.c_[0]", "a/B.c", FrameKind::kInterpreted},
      {"a/B.c_[1]", "a/B.c", FrameKind::kC1},
      {"byte[]_[k]", "byte[]_[k]", FrameKind::kClass},
      {"java.lang.String_[i]", "java.lang.String_[i]", FrameKind::kClass},
      {"java.lang.String.of(Ljava.lang.Object|)V_[i]", "java.lang.String.of(Ljava.lang.Object|)V", FrameKind::kInlined},
      {"do_sys.part.0_[k]", "do_sys.part.0", FrameKind::kKernel},
      {"java/lang/String.indexOf", "java/lang/String.indexOf", FrameKind::kJit},
      {"java.lang.String.indexOf", "java.lang.String.indexOf", FrameKind::kJit},
      {"Main.main", "Main.main", FrameKind::kJit},
      {"clojure.core/map", "clojure.core/map", FrameKind::kJit},
      {"clojure.core//", "clojure.core//", FrameKind::kJit},
      {"G1ParTask::work", "G1ParTask::work", FrameKind::kCpp},
      {"[main tid=12]", "[main tid=12]", FrameKind::kThread},
      {"[unknown_Java]", "[unknown_Java]", FrameKind::kMarker},
      {"[libm.so.6]", "[libm.so.6]", FrameKind::kNative},
      {"libm.so.6", "libm.so.6", FrameKind::kNative},
      {"fun.part.0", "fun.part.0", FrameKind::kNative},
      {"/usr/bin/thing", "/usr/bin/thing", FrameKind::kNative},
      {"Shop$$Lambda$19.0x00007fc68c013000.handle", "Shop$$Lambda$19.0x00007fc68c013000.handle", FrameKind::kJit},
      {"shop.Main$$Lambda.0x00007fc68c013000.run", "shop.Main$$Lambda.0x00007fc68c013000.run", FrameKind::kJit},
      {"Shop$$Lambda$19/0x00007fc68c013000.handle", "Shop$$Lambda$19/0x00007fc68c013000.handle", FrameKind::kJit},
      {"clojure.main.main", "clojure.main.main", FrameKind::kJit},
      {"clojure.core$map.invoke", "clojure.core$map.invoke", FrameKind::kJit},
      {"user$eval7.invoke", "user$eval7.invoke", FrameKind::kJit},
      {"java.lang.String.of(Ljava.lang.Object|)V", "java.lang.String.of(Ljava.lang.Object|)V", FrameKind::kJit},
      {"I2C/C2I adapters", "I2C/C2I adapters", FrameKind::kStub},
      {"Interpreter", "Interpreter", FrameKind::kStub},
      {"StubRoutines (compiler stubs)", "StubRoutines (compiler stubs)", FrameKind::kStub},
      {"vtable stub", "vtable stub", FrameKind::kStub},
      {"do_io.isra.0.cold", "do_io.isra.0.cold", FrameKind::kNative},
      {"run.constprop.0", "run.constprop.0", FrameKind::kNative},
      {"libfoo.so.debug", "libfoo.so.debug", FrameKind::kNative},
      {"main.main", "main.main", FrameKind::kNative},
      {"memcpy", "memcpy", FrameKind::kNative},
      {"_[k]", "_[k]", FrameKind::kNative},
      {"x_[z]", "x_[z]", FrameKind::kNative},
      {"", "[unknown]", FrameKind::kMarker},
  };
  for (const Case& expected : cases) {
    NamedFrame frame = frame_of_text(expected.text);
    EXPECT_EQ(frame.name, expected.name);
    EXPECT_EQ(frame.kind, expected.kind) << expected.text;
  }
}

}  // namespace
}  // namespace hearth::profile
