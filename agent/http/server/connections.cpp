#include "http/server/connections.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "http/server/request_target.h"

namespace hearth::http {
namespace {

using std::chrono::milliseconds;

constexpr size_t kReplyStep = 2 << 20;
constexpr milliseconds kAcceptPause{100};  // when the process has no descriptors left
constexpr milliseconds kDrainTime{2'000};
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr int kMostAtOnce = 64;         // connections accepted before the others are served
constexpr size_t kFirstConnection = 2;  // in polled_

bool would_wait(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

Connections::Connections(const Listener* listener, const ConnectionLimits& limits, const ThreadHooks& hooks,
                         Serve serve, Buffered* buffered)
    : listener_(listener),
      limits_(limits),
      serve_(std::move(serve)),
      buffered_(buffered),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      pool_(limits.max_workers, hooks) {
  if (!wake_)
    throw Error(formatted("no event descriptor can be made: {}", std::strerror(errno)),
                "raise the limit on open files (ulimit -n)");
  thread_ = server_thread(hooks, [this] { work(); });
}

Connections::~Connections() {
  interrupt();
  pool_.stop();  // its jobs hand back to this
}

void Connections::interrupt() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  eventfd_write(wake_.get(), 1);
  thread_.join();
}

bool Connections::is_ending() {
  std::lock_guard<std::mutex> lock(mutex_);
  return ends_;
}

void Connections::work() {
  while (!is_ending()) {
    poll_once();
    take_replies();
    drop_stalled();
    for (size_t i = 0; i < numbers_.size(); i++) {
      Entry entry = connections_.find(numbers_[i]);
      short events = polled_[i + kFirstConnection].revents;
      if (entry == connections_.end()) continue;
      bool stays = events == 0 || advance(entry->first, &entry->second, events);
      if (stays && entry->second.stage != Stage::kServing && entry->second.due <= Clock::now())
        stays = overdue(entry->first, &entry->second);
      if (!stays) drop(entry);
    }
    if (polled_[1].revents != 0) admit();
  }
  while (!connections_.empty()) drop(connections_.begin());
}

int Connections::poll_timeout(Clock::time_point now) const {
  Clock::time_point first = Clock::time_point::max();
  if (accepts_again_ > now) first = accepts_again_;
  for (const auto& [number, connection] : connections_) {
    if (connection.stage != Stage::kServing) first = std::min(first, connection.due);
    if (connection.stage == Stage::kWriting && buffered_reply_bytes_ > limits_.max_buffered_reply_bytes)
      first = std::min(first, connection.progress + limits_.stall_timeout);
  }
  if (first == Clock::time_point::max()) return -1;
  auto left = std::chrono::ceil<milliseconds>(first - now).count();
  return static_cast<int>(std::max<int64_t>(left, 0));
}

void Connections::poll_once() {
  Clock::time_point now = Clock::now();
  polled_ = {{wake_.get(), POLLIN, 0}, {now < accepts_again_ ? -1 : listener_->fd(), POLLIN, 0}};
  numbers_.clear();
  size_t requests = 0;
  for (const auto& [number, connection] : connections_) {
    bool is_served = connection.stage == Stage::kServing;
    short events = is_served ? POLLRDHUP : POLLIN;
    if (connection.stage == Stage::kWriting) events = POLLOUT;
    polled_.push_back({is_served && connection.has_left ? -1 : connection.fd.get(), events, 0});
    numbers_.push_back(number);
    requests += connection.input.size();
  }
  buffered_->requests = static_cast<int64_t>(requests);
  buffered_->replies = static_cast<int64_t>(buffered_reply_bytes_);
  if (poll(polled_.data(), polled_.size(), poll_timeout(now)) < 0) {
    for (pollfd& one : polled_) one.revents = 0;
  }
  eventfd_t ignored = 0;
  if (polled_[0].revents != 0) eventfd_read(wake_.get(), &ignored);
}

void Connections::admit() {
  for (int i = 0; i < kMostAtOnce; i++) {
    Peer peer;
    UniqueFd fd = listener_->accept(&peer);
    if (fd) {
      admit_one(std::move(fd), std::move(peer));
    } else {
      if (!would_wait(errno) && errno != ECONNABORTED) accepts_again_ = Clock::now() + kAcceptPause;
      return;
    }
  }
}

void Connections::admit_one(UniqueFd fd, Peer peer) {
  if (connections_.size() >= limits_.max_connections) {
    Entry first = eviction_candidate();
    if (first == connections_.end()) return;
    drop(first);
  }
  Connection connection;
  connection.fd = std::move(fd);
  connection.peer = std::move(peer);
  connection.due = Clock::now() + limits_.request_timeout;
  connections_.emplace(++last_, std::move(connection));
}

// The connection with the earliest end of its stage. Never one that waits for its reply; one that reads an
// authenticated reply only if there is no other.
Connections::Entry Connections::eviction_candidate() {
  Entry first = connections_.end();
  auto rank = [](const Connection& connection) {
    return std::make_pair(connection.is_owners_download(), connection.due);
  };
  for (Entry entry = connections_.begin(); entry != connections_.end(); ++entry) {
    if (entry->second.stage == Stage::kServing) continue;
    if (first == connections_.end() || rank(entry->second) < rank(first->second)) first = entry;
  }
  return first;
}

// Drops replies to clients that stopped reading, so that others get theirs.
void Connections::drop_stalled() {
  while (buffered_reply_bytes_ > limits_.max_buffered_reply_bytes) {
    Clock::time_point old = Clock::now() - limits_.stall_timeout;
    Entry longest = connections_.end();
    for (Entry entry = connections_.begin(); entry != connections_.end(); ++entry) {
      const Connection& connection = entry->second;
      if (connection.stage != Stage::kWriting || connection.progress > old) continue;
      if (longest == connections_.end() || connection.left() > longest->second.left()) longest = entry;
    }
    if (longest == connections_.end()) return;
    drop(longest);
  }
}

void Connections::drop(Entry entry) {
  if (entry->second.cancellation) entry->second.cancellation->cancel();
  buffered_reply_bytes_ -= entry->second.left();
  connections_.erase(entry);
}

bool Connections::advance(Number number, Connection* connection, short events) {
  switch (connection->stage) {
    case Stage::kReading:
      return receive(connection) && take_request(number, connection);
    case Stage::kServing:
      connection->has_left = (events & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
      if (connection->has_left) connection->cancellation->cancel();
      return true;
    case Stage::kWriting:
      return send(number, connection);
    case Stage::kDraining:
      return drain(connection);
  }
  return false;
}

bool Connections::receive(Connection* connection) {
  char buffer[16 << 10];
  bool was_silent = connection->input.empty();
  ssize_t got = recv(connection->fd.get(), buffer, sizeof buffer, 0);
  if (got < 0) return would_wait(errno);
  if (got == 0) return false;
  connection->input.append(buffer, static_cast<size_t>(got));
  if (was_silent) connection->due = Clock::now() + limits_.request_timeout;
  return true;
}

bool Connections::take_request(Number number, Connection* connection) {
  if (connection->input.empty()) return true;
  RequestHead& head = connection->head;
  if (head.state == RequestHead::State::kPartial) head = parse_head(connection->input);
  if (head.state == RequestHead::State::kPartial) return true;
  if (head.state == RequestHead::State::kRefused)
    return begin_reply(number, connection, encode(Refusal(head.status, "bad_request", head.problem)));
  if (connection->input.size() >= head.message_size()) {
    dispatch(number, connection);
    return true;
  }
  if (head.expects_continue) {
    // It is so short that it fits the socket's buffer, unless the client stopped reading.
    head.expects_continue = false;
    return ::send(connection->fd.get(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(kContinue.size());
  }
  return true;
}

void Connections::dispatch(Number number, Connection* connection) {
  RequestHead head = std::exchange(connection->head, {});
  head.request.body = connection->input.substr(head.size, head.body_size);
  head.request.peer = connection->peer;
  connection->input.erase(0, head.message_size());
  connection->stage = Stage::kServing;
  connection->cancellation = std::make_shared<CancellationToken>();
  if (connection->has_left) connection->cancellation->cancel();  // while the request before was served
  head.request.cancellation = connection->cancellation.get();
  auto job = [this, number, head = std::move(head), cancellation = connection->cancellation]() mutable {
    try {
      post_reply(number, answer(std::move(head)));
    } catch (const std::exception&) {  // no memory for the reply
      EncodedReply nothing;
      nothing.ends_connection = true;
      post_reply(number, std::move(nothing));
    }
  };
  try {
    pool_.run(std::move(job));
  } catch (const Error& error) {
    post_reply(number, encode(busy(error.what(), "try again in a moment", 1)));
  }
}

EncodedReply Connections::answer(RequestHead head) const {
  ReplyMode mode = {head.request.method == "HEAD", head.keeps_connection};
  try {
    set_target(head.target, &head.request);
    return encode(serve_(std::move(head.request)), mode);
  } catch (const std::exception& error) {
    return encode(reply_to(Refusal(500, "internal", error.what())), mode);
  }
}

void Connections::post_reply(Number number, EncodedReply reply) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    done_.push_back({number, std::move(reply)});
  }
  eventfd_write(wake_.get(), 1);
}

void Connections::take_replies() {
  std::vector<Done> done;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    done.swap(done_);
  }
  for (Done& one : done) {
    Entry entry = connections_.find(one.number);
    if (entry == connections_.end()) continue;
    if (!begin_reply(one.number, &entry->second, std::move(one.reply))) drop(entry);
  }
}

bool Connections::begin_reply(Number number, Connection* connection, EncodedReply reply) {
  connection->cancellation = nullptr;
  connection->stage = Stage::kWriting;
  connection->output = std::move(reply);
  connection->sent = 0;
  connection->progress = Clock::now();
  auto steps = static_cast<int64_t>(1 + connection->output.size() / kReplyStep);
  connection->due =
      connection->progress +
      (connection->output.is_authenticated ? limits_.reply_timeout * steps : limits_.unauthenticated_reply_timeout);
  buffered_reply_bytes_ += connection->output.size();
  return send(number, connection);
}

bool Connections::send(Number number, Connection* connection) {
  const EncodedReply& output = connection->output;
  while (connection->left() > 0) {
    bool is_in_text = connection->sent < output.text.size();
    std::string_view rest = is_in_text ? std::string_view(output.text).substr(connection->sent)
                                       : output.long_body().substr(connection->sent - output.text.size());
    int more = is_in_text && !output.long_body().empty() ? MSG_MORE : 0;
    ssize_t sent = ::send(connection->fd.get(), rest.data(), rest.size(), MSG_NOSIGNAL | more);
    if (sent < 0) return would_wait(errno);
    connection->sent += static_cast<size_t>(sent);
    connection->progress = Clock::now();
    buffered_reply_bytes_ -= static_cast<size_t>(sent);
    if (static_cast<size_t>(sent) < rest.size()) return true;
  }
  bool ends = output.ends_connection;
  connection->output = {};
  connection->sent = 0;
  if (ends) {
    connection->stage = Stage::kDraining;
    connection->due = Clock::now() + kDrainTime;
    return shutdown(connection->fd.get(), SHUT_WR) == 0 && drain(connection);
  }
  connection->stage = Stage::kReading;
  connection->due = Clock::now() + (connection->input.empty() ? limits_.idle_timeout : limits_.request_timeout);
  return take_request(number, connection);  // the next may be there already
}

bool Connections::drain(Connection* connection) {
  char buffer[16 << 10];
  ssize_t got = recv(connection->fd.get(), buffer, sizeof buffer, 0);
  return got > 0 || (got < 0 && would_wait(errno));
}

bool Connections::overdue(Number number, Connection* connection) {
  if (connection->stage != Stage::kReading || connection->input.empty()) return false;
  connection->input.clear();
  connection->head = {};
  return begin_reply(number, connection, encode(Refusal(408, "slow", "the request did not arrive in time")));
}

}  // namespace hearth::http
