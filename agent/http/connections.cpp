#include "http/connections.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"
#include "http/framing.h"

namespace hearth::http {
namespace {

using std::chrono::milliseconds;

constexpr size_t kReplyStep = 2 << 20;
constexpr milliseconds kAcceptPause{100};  // when the process has no descriptors left
constexpr milliseconds kDrainTime{2'000};
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr int kMostAtOnce = 64;         // connections taken, before the others have their turn
constexpr size_t kFirstConnection = 2;  // in polled_

bool would_wait(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

Connections::Connections(const Listener* listener, const ConnectionLimits& limits, const ThreadHooks& hooks,
                         Wire::Serve serve, Buffered* buffered)
    : listener_(listener),
      limits_(limits),
      serve_(std::move(serve)),
      buffered_(buffered),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      pool_(limits.workers, hooks) {
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
      bool stays = events == 0 || move_on(entry->first, &entry->second, events);
      if (stays && entry->second.stage != Stage::kServing && entry->second.due <= Clock::now())
        stays = overdue(entry->first, &entry->second);
      if (!stays) drop(entry);
    }
    if (polled_[1].revents != 0) admit();
  }
  while (!connections_.empty()) drop(connections_.begin());
}

int Connections::patience(Clock::time_point now) const {
  Clock::time_point first = Clock::time_point::max();
  if (accepts_again_ > now) first = accepts_again_;
  for (const auto& [number, connection] : connections_) {
    if (connection.stage != Stage::kServing) first = std::min(first, connection.due);
    if (connection.stage == Stage::kWriting && unsent_ > limits_.unsent)
      first = std::min(first, connection.progress + limits_.stall);
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
  buffered_->replies = static_cast<int64_t>(unsent_);
  if (poll(polled_.data(), polled_.size(), patience(now)) < 0) {
    for (pollfd& one : polled_) one.revents = 0;
  }
  eventfd_t ignored = 0;
  if (polled_[0].revents != 0) eventfd_read(wake_.get(), &ignored);
}

void Connections::admit() {
  for (int turn = 0; turn < kMostAtOnce; turn++) {
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
  if (connections_.size() >= limits_.connections) {
    Entry first = first_to_go();
    if (first == connections_.end()) return;
    drop(first);
  }
  Connection connection;
  connection.fd = std::move(fd);
  connection.peer = std::move(peer);
  connection.due = Clock::now() + limits_.request;
  connections_.emplace(++last_, std::move(connection));
}

// Who has a request answered stays; of the others the one goes whose time is over first, one that takes a reply which
// the token was shown for after all those that do not.
Connections::Entry Connections::first_to_go() {
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

// So that clients that stopped to read keep the profiles from nobody else for long.
void Connections::drop_stalled() {
  while (unsent_ > limits_.unsent) {
    Clock::time_point old = Clock::now() - limits_.stall;
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
  if (entry->second.interruption) entry->second.interruption->raise();
  unsent_ -= entry->second.left();
  connections_.erase(entry);
}

bool Connections::move_on(Number number, Connection* connection, short events) {
  switch (connection->stage) {
    case Stage::kReading:
      return receive(connection) && take_request(number, connection);
    case Stage::kServing:
      connection->has_left = (events & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
      if (connection->has_left) connection->interruption->raise();
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
  if (was_silent) connection->due = Clock::now() + limits_.request;
  return true;
}

bool Connections::take_request(Number number, Connection* connection) {
  if (connection->input.empty()) return true;
  Frame frame = frame_of(connection->input);
  if (frame.state == Frame::State::kRefused)
    return begin_reply(number, connection, wire_.refuse(Refusal(frame.status, "bad_request", frame.problem)));
  if (frame.state == Frame::State::kComplete) {
    dispatch(number, connection, frame.head, frame.head + frame.body);
    return true;
  }
  if (frame.head > 0 && frame.expects_continue && !connection->was_told_to_continue) {
    // So short that it fits the socket's buffer, or the client has stopped reading.
    connection->was_told_to_continue = true;
    return ::send(connection->fd.get(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(kContinue.size());
  }
  return true;
}

void Connections::dispatch(Number number, Connection* connection, size_t head, size_t size) {
  std::string request = connection->input.substr(0, size);
  connection->input.erase(0, size);
  connection->was_told_to_continue = false;
  connection->stage = Stage::kServing;
  connection->interruption = std::make_shared<Interruption>();
  if (connection->has_left) connection->interruption->raise();  // while the request before was served
  auto job = [this, number, head, request = std::move(request), peer = connection->peer,
              interruption = connection->interruption] {
    try {
      hand_back(number, wire_.answer(request, head, peer, interruption.get(), serve_));
    } catch (const std::exception&) {  // no memory for the reply
      hand_back(number, {"", "", true});
    }
  };
  try {
    pool_.run(std::move(job));
  } catch (const Error& error) {
    hand_back(number, wire_.refuse(busy(error.what(), "try again in a moment", 1)));
  }
}

void Connections::hand_back(Number number, Wire::Bytes reply) {
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

bool Connections::begin_reply(Number number, Connection* connection, Wire::Bytes reply) {
  connection->interruption = nullptr;
  connection->stage = Stage::kWriting;
  connection->output = std::move(reply);
  connection->sent = 0;
  connection->progress = Clock::now();
  auto steps = static_cast<int64_t>(1 + connection->output.size() / kReplyStep);
  connection->due = connection->progress + (connection->output.is_for_known ? limits_.reply * steps : limits_.stranger);
  unsent_ += connection->output.size();
  return send(number, connection);
}

bool Connections::send(Number number, Connection* connection) {
  const Wire::Bytes& output = connection->output;
  while (connection->left() > 0) {
    bool is_in_text = connection->sent < output.text.size();
    std::string_view rest = is_in_text ? std::string_view(output.text).substr(connection->sent)
                                       : std::string_view(output.body).substr(connection->sent - output.text.size());
    int more = is_in_text && !output.body.empty() ? MSG_MORE : 0;
    ssize_t sent = ::send(connection->fd.get(), rest.data(), rest.size(), MSG_NOSIGNAL | more);
    if (sent < 0) return would_wait(errno);
    connection->sent += static_cast<size_t>(sent);
    connection->progress = Clock::now();
    unsent_ -= static_cast<size_t>(sent);
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
  connection->due = Clock::now() + (connection->input.empty() ? limits_.silence : limits_.request);
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
  return begin_reply(number, connection, wire_.refuse(Refusal(408, "slow", "the request did not come to its end")));
}

}  // namespace hearth::http
