#include "capture/signal_safe.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "capture/sample_window.h"

namespace hearth::capture {
namespace {

TEST(SignalSafe, IsMadeOfNothingButTheLibrariesOwnFunctions) {
  EXPECT_FALSE((std::is_constructible_v<SignalHandler, void (*)(int, siginfo_t*, void*)>));
  EXPECT_FALSE((std::is_constructible_v<TrapAction, void (*)(const ucontext_t*)>));
  EXPECT_FALSE((std::is_constructible_v<TrapAction, void*>));
}

TEST(SignalSafe, RunsItsFunction) {
  EXPECT_EQ(TrapAction().get(), nullptr);
  begin_windows(true, Outside::kLeftOut);
  kCloseWindow.get()(nullptr);
  EXPECT_FALSE(window_is_open());
  kOpenWindow.get()(nullptr);
  EXPECT_TRUE(window_is_open());
  end_windows();
}

}  // namespace
}  // namespace hearth::capture
