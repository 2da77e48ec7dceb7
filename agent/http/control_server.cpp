#include "http/control_server.h"

#include "base/address_beacon.h"
#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "commands/agent_profiler.h"
#include "http/auth/access.h"
#include "http/auth/audit.h"
#include "http/auth/token_file.h"
#include "http/routes/routes.h"
#include "http/routes/state_folder.h"
#include "http/server/listener.h"
#include "http/server/router.h"
#include "options/http_address.h"
#include "options/option_values.h"

namespace hearth::http {
namespace {

constexpr std::chrono::seconds kPatience{1};  // at the JVM's end

options::HttpAddress address_of(const options::Options& options) {
  return options::parse_http_address(options.http, *options::option_named("http"));
}

TokenFile token_of(const options::Options& options) {
  return options.token_file.empty() ? TokenFile::own(state_folder()) : TokenFile::given(options.token_file);
}

// The folder of this user's REPL runs.
std::string runs_folder(const commands::JvmFacts& jvm) {
  return (jvm.outputs.empty() ? state_folder() : jvm.outputs) + "/results";
}

}  // namespace

// A server from its start to its stop. The order of the members matters: each outlives those after it.
class ControlServer::Running {
 public:
  Running(commands::ProfilerApi* profiler, const options::Options& options, const ConnectionLimits& limits)
      : asked_(options.http),
        listener_(address_of(options)),
        token_(token_of(options)),
        access_(token_.token(), listener_.names()),
        store_(
            state_folder() + "/profiles", options.keep.value_or(options::StoreLimits()),
            [profiler](const std::string& line) { profiler->warn(line); }, runs_folder(profiler->jvm())),
        sessions_(profiler, &store_),
        context_{profiler,
                 &access_,
                 listener_.text(),
                 &store_,
                 &sessions_,
                 &long_requests_,
                 &links_,
                 &changes_,
                 &router_,
                 &buffered_,
                 limits.max_buffered_reply_bytes},
        audit_(profiler),
        advertised_fd_(advertise_address(url())) {
    if (!listener_.is_loopback() && options.token_file.empty())
      throw Error(formatted("option http: {} can be reached from other machines", listener_.text()),
                  "choose its secret by token=FILE, or leave the address out");
    add_console_routes(&context_, &router_);
    add_status_routes(&context_, &router_);
    add_session_routes(&context_, &router_);
    add_profile_routes(&context_, &router_);
    add_diff_routes(&context_, &router_);
    add_store_routes(&context_, &router_);
    add_pprof_routes(&context_, &router_);
    ThreadHooks hooks = {[profiler](int tid) { profiler->thread_begins(tid); },
                         [profiler](int tid) { profiler->thread_ends(tid); }};
    connections_ = std::make_unique<Connections>(
        &listener_, limits, hooks, [this](Request request) { return answer(std::move(request)); }, &buffered_);
    if (!listener_.is_loopback())
      profiler->warn(
          formatted("{} can be reached from other machines, and its traffic is not encrypted", listener_.text()));
  }

  // Clients wait for the requests that are interrupted then.
  ~Running() { ends_ = true; }

  void interrupt() {
    ends_ = true;
    connections_->interrupt();
  }
  bool is_idle_within(std::chrono::milliseconds patience) { return connections_->is_idle_within(patience); }
  // Removes the files that a process leaves which ends without destroying this.
  void remove_files() {
    listener_.remove_file();
    token_.remove();
  }

  bool is_at(const options::Options& options) const {
    options::HttpAddress wanted = address_of(options);
    bool any_will_do = wanted.unix_path.empty() && wanted.host == options::HttpAddress().host && wanted.port == 0;
    return options.http == asked_ || options.http == listener_.text() || any_will_do;
  }

  const std::string& address() const { return context_.address; }

  Serving serving() {
    std::string text = "Control server: " + url();
    if (is_unix()) return {text, "", true};  // file permissions replace the token
    return {formatted("{}\nToken: {}", text, token_.path()),
            formatted("Open: {}#once={}\n", url(), access_.make_once(Access::Clock::now())), true};
  }

 private:
  bool is_unix() const { return listener_.text().compare(0, 5, "unix:") == 0; }
  std::string url() const { return is_unix() ? listener_.text() : formatted("http://{}/", listener_.text()); }

  Reply answer(Request request) {
    Reply reply;
    bool is_known = request.peer.is_local_user;
    try {
      access_.check_source(request);
      const Route& route = route_of(&request);
      is_known |= route.needs == Needs::kToken;
      reply = route.handler(request);
    } catch (const Refusal& refusal) {
      reply = reply_to(refusal);
    } catch (const FileError& error) {
      reply = reply_to(
          Refusal(error.is_full_disk() ? 507 : 500, error.is_full_disk() ? "disk_full" : "failed", error.what()));
    } catch (const std::exception& error) {
      reply = reply_to(Refusal(500, "failed", error.what()));
    }
    reply.is_authenticated |= is_known;
    if (request.method != "GET") changes_++;
    bool was_given_up = reply.status == 503 && request.cancellation->is_cancelled() && !ends_;
    audit_.answered(request, reply, was_given_up ? Audit::Client::kHasLeft : Audit::Client::kWaits);
    return reply;
  }

  // Clients without the token cannot find out which paths exist.
  const Route& route_of(Request* request) {
    try {
      const Route& route = router_.route_of(request);
      if (route.needs == Needs::kToken) access_.check_token(*request);
      return route;
    } catch (const Refusal& refusal) {
      if (refusal.status == 404 || refusal.status == 405) access_.check_token(*request);
      throw;
    }
  }

  const std::string asked_;
  Listener listener_;
  TokenFile token_;
  Access access_;
  ProfileStore store_;
  Sessions sessions_;
  LongRequests long_requests_;
  ViewLinks links_;
  std::atomic<uint64_t> changes_{0};
  Buffered buffered_;
  std::atomic<bool> ends_{false};
  RouteContext context_;
  Audit audit_;
  UniqueFd advertised_fd_;
  Router router_;
  std::unique_ptr<Connections> connections_;
};

ControlServer::ControlServer(commands::ProfilerApi* profiler, const ConnectionLimits& limits)
    : profiler_(profiler), limits_(limits) {}

ControlServer::~ControlServer() = default;

ControlServer& ControlServer::instance() {
  static auto* server = new ControlServer(new commands::AgentProfiler);
  return *server;
}

commands::Control::Serving ControlServer::serve(const options::Options& options) {
  std::lock_guard<std::timed_mutex> lock(mutex_);
  if (!running_) {
    running_ = std::make_unique<Running>(profiler_, options, limits_);
    return running_->serving();
  }
  if (!running_->is_at(options))
    throw Error(formatted("the control server listens already, at {}", running_->address()),
                "stop it first: hearth stop-http PID");
  Serving serving = running_->serving();
  serving.is_new = false;
  return serving;
}

std::string ControlServer::stop() {
  std::lock_guard<std::timed_mutex> lock(mutex_);
  if (!running_) throw Error("no control server is listening", "start one: hearth http PID");
  std::string text = formatted("Control server stopped: {}", running_->address());
  running_.reset();
  return text;
}

// Another thread may be inside stop(), which waits for requests.
void ControlServer::interrupt() {
  std::unique_lock<std::timed_mutex> lock(mutex_, kPatience);
  if (lock && running_) running_->interrupt();
}

// Requests that still compute end with the process, so nothing that they use is destroyed.
void ControlServer::end() {
  std::unique_lock<std::timed_mutex> lock(mutex_, kPatience);
  if (!lock) return;
  if (running_ && !running_->is_idle_within(kPatience)) {
    running_->remove_files();
    static_cast<void>(running_.release());  // stays in memory
  }
  running_.reset();
}

}  // namespace hearth::http
