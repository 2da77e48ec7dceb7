#include "fake_target.h"

#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "commands/sessions/session_choice.h"
#include "options/options.h"
#include "profile/model/event_view.h"
#include "sample_profile.h"

namespace hearth::http {
namespace {

constexpr size_t kMostKept = 100;

void keep(std::string line, std::vector<std::string>* lines) {
  if (lines->size() < kMostKept) lines->push_back(std::move(line));
}

}  // namespace

Target::Answer FakeTarget::execute(const std::string& options) {
  options::Options parsed = options::parse_options(options);
  if (parsed.action == options::Action::kDump && stalls) {
    stalled++;
    while (stalls) std::this_thread::yield();
    stalled--;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  keep(options, &commands_);
  switch (parsed.action) {
    case options::Action::kStart:
      if (running_) throw commands::SessionConflict(sessions_, "a session is running", "stop it first");
      running_ = true;
      sessions_++;
      return {"Profiling started", false, sessions_};
    case options::Action::kStop:
      if (!running_) throw Error("no session is running", "start one first");
      running_ = false;
      return output(options);
    case options::Action::kDump:
      return output(options);
    default:
      throw Error("no such action here");
  }
}

Target::Answer FakeTarget::output(const std::string& options) {
  options::Options parsed = options::parse_options(options);
  profile::Format format = parsed.formats.empty() ? profile::Format::kTraces : parsed.formats.front();
  std::string text = profile::write(profile::sample_profile(), format, parsed.write);
  if (parsed.file.empty()) return {text, true};
  replace_file(parsed.file, text);
  return {"written"};
}

namespace {

class FakeWindow final : public Target::Window {
 public:
  FakeWindow(std::atomic<int>* open, On on) : open_(open), on_(on) { ++*open_; }
  ~FakeWindow() override { --*open_; }

  On on() const override { return on_; }

  profile::Profile profile(const options::Options&, const Look& look) override {
    profile::Profile profile;
    profile.value_types = {{"samples", "count"},     {"cpu", "nanoseconds"},     {"alloc_objects", "count"},
                           {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}};
    const char* outermost = look.from_session_start ? "Session" : "Window";
    auto sample = [&](const char* name, std::initializer_list<int64_t> values) {
      profile::add(profile, {{outermost, profile::FrameKind::kJit}, {name, profile::FrameKind::kJit}}, values,
                   profile.label_set({{"thread", name, 0, ""}}));
    };
    sample("busy", {1, 10, 0, 0, 0, 0});
    sample("allocates", {0, 0, 2, 64, 0, 0});
    sample("keeps", {0, 0, 0, 0, 1, 32});
    return profile::only_events(profile, look.events);
  }

 private:
  std::atomic<int>* open_;
  const On on_;
};

}  // namespace

std::unique_ptr<Target::Window> FakeTarget::open_window(const options::Options& needed, const options::Options&) {
  std::lock_guard<std::mutex> lock(mutex_);
  using On = Window::On;
  if (running_ && needed.live)
    throw commands::SessionConflict(sessions_, "a session is running, and it does not sample live", "stop it first");
  return std::make_unique<FakeWindow>(&windows, running_ ? On::kCommanded : On::kNew);
}

std::optional<commands::SessionFigures> FakeTarget::figures_of(const std::string&) {
  std::vector<commands::SessionFigures> all = figures();
  return all.empty() ? std::nullopt : std::optional<commands::SessionFigures>(all[0]);
}

std::vector<commands::SessionFigures> FakeTarget::figures() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (sessions_ == 0) return {};
  commands::SessionFigures figures;
  figures.number = sessions_;
  figures.running = running_;
  figures.event = "cpu";
  return {figures};
}

std::optional<always_on::AlwaysOnFigures> FakeTarget::always_on() {
  if (store.empty()) return std::nullopt;
  always_on::AlwaysOnFigures figures;
  figures.directory = store;
  figures.events = {"cpu"};
  figures.window_ns = 60'000'000'000;
  figures.keep_bytes = 1 << 30;
  figures.bytes = 4096;
  figures.written = 3;
  figures.lost = 1;
  figures.budget = 0.01;
  figures.cost = 0.004;
  figures.slowdown = 2;
  return figures;
}

std::string FakeTarget::metrics(const commands::AgentFigures& agent) {
  commands::AgentFigures all = agent;
  all.always_on = always_on();
  return commands::metrics_text(figures(), all);
}

void FakeTarget::log(std::string_view line) {
  std::lock_guard<std::mutex> lock(mutex_);
  keep(std::string(line), &lines_);
}

void FakeTarget::warn(std::string_view line) {
  std::lock_guard<std::mutex> lock(mutex_);
  keep(std::string(line), &lines_);
  keep(std::string(line), &warnings_);
}

std::vector<std::string> FakeTarget::commands() {
  std::lock_guard<std::mutex> lock(mutex_);
  return commands_;
}

std::vector<std::string> FakeTarget::lines() {
  std::lock_guard<std::mutex> lock(mutex_);
  return lines_;
}

std::vector<std::string> FakeTarget::warnings() {
  std::lock_guard<std::mutex> lock(mutex_);
  return warnings_;
}

}  // namespace hearth::http
