// The clients' connections. One thread moves all their bytes and never waits for a single client, so that a slow or
// stuck client does not delay others. Complete requests are answered on the threads of a pool.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/owned.h"
#include "http/server/framing.h"
#include "http/server/listener.h"
#include "http/server/message.h"
#include "http/server/reply_writer.h"
#include "http/server/worker_pool.h"

namespace hearth::http {

struct ConnectionLimits {
  size_t max_connections = 256;  // with more, the connection that was idle for longest is closed
  size_t max_workers = 32;       // requests that are answered at one time; the others wait
  // Bytes of replies that wait for clients. With more, the longest replies are dropped that made no progress for
  // stall_timeout, and no profiles are sent.
  size_t max_buffered_reply_bytes = 256 << 20;
  std::chrono::milliseconds request_timeout{10'000};  // of a whole request, from its first byte
  std::chrono::milliseconds idle_timeout{30'000};     // between two requests
  std::chrono::milliseconds reply_timeout{30'000};    // of a reply, and as much again for each of its 2 MiB
  std::chrono::milliseconds stall_timeout{30'000};
  std::chrono::milliseconds unauthenticated_reply_timeout{10'000};  // of a reply without the token, of any length
};

// Bytes that are held in memory for clients.
struct Buffered {
  std::atomic<int64_t> requests{0};
  std::atomic<int64_t> replies{0};  // not sent yet
};

class Connections {
 public:
  using Serve = std::function<Reply(Request)>;
  // Begins to serve. `listener` and `buffered`, which is kept up to date, outlive it. Throws Error.
  Connections(const Listener* listener, const ConnectionLimits& limits, const ThreadHooks& hooks, Serve serve,
              Buffered* buffered);
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
  // Cancels the requests that are being answered, and waits for them.
  ~Connections();

  // Accepts no more requests, and cancels those that are being answered.
  void interrupt();
  // After interrupt(): returns whether all requests were answered in this time.
  bool is_idle_within(std::chrono::milliseconds patience) { return pool_.is_idle_within(patience); }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Stage {
    kReading,
    kServing,
    kWriting,
    kDraining,  // the last reply was sent; further input is read and dropped, or a reset could destroy the reply
  };
  struct Connection {
    UniqueFd fd;
    Peer peer;
    Stage stage = Stage::kReading;
    Clock::time_point due;       // end of the current stage, except kServing
    Clock::time_point progress;  // last time that the client took bytes of the reply
    std::string input;
    RequestHead head;  // of the request that `input` begins with, parsed once it is complete
    EncodedReply output;
    size_t sent = 0;
    bool has_left = false;  // during kServing; a client that closed only its own half still reads the reply
    std::shared_ptr<CancellationToken> cancellation;

    size_t left() const { return stage == Stage::kWriting ? output.size() - sent : 0; }
    bool is_owners_download() const { return stage == Stage::kWriting && output.is_authenticated; }
  };
  using Number = uint64_t;
  using Entry = std::map<Number, Connection>::iterator;
  struct Done {
    Number number;
    EncodedReply reply;
  };

  void work();
  void poll_once();
  int poll_timeout(Clock::time_point now) const;  // of poll(2)
  bool is_ending();
  void admit();
  void admit_one(UniqueFd fd, Peer peer);
  Entry eviction_candidate();
  void drop(Entry entry);
  void drop_stalled();

  // Each returns false if the connection has to be dropped.
  bool advance(Number number, Connection* connection, short events);
  bool receive(Connection* connection);
  bool take_request(Number number, Connection* connection);
  bool send(Number number, Connection* connection);
  bool drain(Connection* connection);
  bool overdue(Number number, Connection* connection);

  void dispatch(Number number, Connection* connection);
  EncodedReply answer(RequestHead head) const;         // on a thread of the pool
  void post_reply(Number number, EncodedReply reply);  // on a thread of the pool
  void take_replies();
  bool begin_reply(Number number, Connection* connection, EncodedReply reply);

  const Listener* listener_;
  const ConnectionLimits limits_;
  const Serve serve_;
  Buffered* const buffered_;
  UniqueFd wake_;  // an eventfd

  // Used by the thread only.
  std::map<Number, Connection> connections_;
  Number last_ = 0;
  size_t buffered_reply_bytes_ = 0;
  std::vector<pollfd> polled_;   // wake_, the listener, then each connection
  std::vector<Number> numbers_;  // of the connections in polled_
  Clock::time_point accepts_again_{};

  std::mutex mutex_;
  std::vector<Done> done_;
  bool ends_ = false;
  WorkerPool pool_;
  std::thread thread_;
};

}  // namespace hearth::http
