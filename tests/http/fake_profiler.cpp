#include "fake_profiler.h"

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

template <typename One>
void keep(One one, std::vector<One>* all) {
  if (all->size() < kMostKept) all->push_back(std::move(one));
}

}  // namespace

commands::ProfilerApi::Outcome FakeProfiler::run(const options::Options& command) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (command.action != options::Action::kStart) throw Error("no such action here");
  if (running_) throw commands::SessionConflict(sessions_, "a session is running", "stop it first");
  keep(command, &commands_);
  running_ = true;
  sessions_++;
  return {"Profiling started", sessions_};
}

commands::ProfilePtr FakeProfiler::profile(const options::Options& command, const std::function<void()>& before_model) {
  bool stops = command.action == options::Action::kStop;
  if (!stops && stalls) {
    stalled++;
    while (stalls) std::this_thread::yield();
    stalled--;
  }
  before_model();
  std::lock_guard<std::mutex> lock(mutex_);
  if (stops && !running_) throw Error("no session is running", "start one first");
  keep(command, &commands_);
  if (stops) running_ = false;
  auto profile = std::make_shared<const profile::Profile>(profile::sample_profile());
  if (!command.file.empty()) replace_file(command.file, write(*profile, command.formats.at(0), command.write));
  return profile;
}

namespace {

class FakeWindow final : public commands::SampleWindow {
 public:
  FakeWindow(std::atomic<int>* open, Origin origin) : open_(open), origin_(origin) { ++*open_; }
  ~FakeWindow() override { --*open_; }

  Origin origin() const override { return origin_; }

  profile::Profile profile(const options::Options&, const Query& query) override {
    profile::Profile profile;
    profile.value_types = {{"samples", "count"},     {"cpu", "nanoseconds"},     {"alloc_objects", "count"},
                           {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}};
    const char* outermost = query.from_session_start ? "Session" : "Window";
    auto sample = [&](const char* name, std::initializer_list<int64_t> values) {
      profile::add(profile, {{outermost, profile::FrameKind::kJit}, {name, profile::FrameKind::kJit}}, values,
                   profile.label_set({{"thread", name, 0, ""}}));
    };
    sample("busy", {1, 10, 0, 0, 0, 0});
    sample("allocates", {0, 0, 2, 64, 0, 0});
    sample("keeps", {0, 0, 0, 0, 1, 32});
    return profile::only_events(profile, query.events);
  }

 private:
  std::atomic<int>* open_;
  const Origin origin_;
};

}  // namespace

std::unique_ptr<commands::SampleWindow> FakeProfiler::open_window(const options::Options& needed,
                                                                  const options::Options&) {
  std::lock_guard<std::mutex> lock(mutex_);
  using Origin = commands::SampleWindow::Origin;
  if (running_ && needed.live)
    throw commands::SessionConflict(sessions_, "a session is running, and it does not sample live", "stop it first");
  return std::make_unique<FakeWindow>(&windows, running_ ? Origin::kCommand : Origin::kThisWindow);
}

std::optional<commands::SessionFigures> FakeProfiler::figures_of(const options::Options&) {
  std::vector<commands::SessionFigures> all = figures();
  return all.empty() ? std::nullopt : std::optional<commands::SessionFigures>(all[0]);
}

std::vector<commands::SessionFigures> FakeProfiler::figures() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (sessions_ == 0) return {};
  commands::SessionFigures figures;
  figures.number = sessions_;
  figures.running = running_;
  figures.event = "cpu";
  return {figures};
}

std::optional<always_on::AlwaysOnFigures> FakeProfiler::always_on() {
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

std::string FakeProfiler::metrics(const commands::AgentFigures& agent) {
  commands::AgentFigures all = agent;
  all.always_on = always_on();
  return commands::metrics_text(figures(), all);
}

void FakeProfiler::log(std::string_view line) {
  std::lock_guard<std::mutex> lock(mutex_);
  keep(std::string(line), &lines_);
}

void FakeProfiler::warn(std::string_view line) {
  std::lock_guard<std::mutex> lock(mutex_);
  keep(std::string(line), &lines_);
  keep(std::string(line), &warnings_);
}

std::vector<options::Options> FakeProfiler::commands() {
  std::lock_guard<std::mutex> lock(mutex_);
  return commands_;
}

std::vector<std::string> FakeProfiler::lines() {
  std::lock_guard<std::mutex> lock(mutex_);
  return lines_;
}

std::vector<std::string> FakeProfiler::warnings() {
  std::lock_guard<std::mutex> lock(mutex_);
  return warnings_;
}

}  // namespace hearth::http
