// The clients' connections: one thread moves all their bytes and never waits for one of them, so that a slow or stuck
// client holds nobody; whole requests are answered on the threads of a pool.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/owned.h"
#include "http/listener.h"
#include "http/message.h"
#include "http/wire.h"
#include "http/worker_pool.h"

namespace hearth::http {

struct ConnectionLimits {
  size_t connections = 256;                   // of more, the one that has been silent for longest goes
  size_t workers = 32;                        // requests that are answered at one time; the others wait
  size_t unsent = 256 << 20;                  // bytes of replies that wait for clients; with more, the longest go
                                              // whose clients took nothing for `stall`, and no profiles are sent
  std::chrono::milliseconds request{10'000};  // for a whole request, from its first byte
  std::chrono::milliseconds silence{30'000};  // between two requests
  std::chrono::milliseconds reply{30'000};    // for a reply to be taken, and as much again for each 2 MiB of it
  std::chrono::milliseconds stall{30'000};
  std::chrono::milliseconds stranger{10'000};  // for a reply to who has shown no token, however long it is
};

// Bytes of requests that come in and of replies that go out.
struct Buffered {
  std::atomic<int64_t> requests{0};
  std::atomic<int64_t> replies{0};  // what is left of them
};

class Connections {
 public:
  // Begins to serve. `listener` outlives it, and `buffered`, which tells what is held. Throws Error.
  Connections(const Listener* listener, const ConnectionLimits& limits, const ThreadHooks& hooks, Wire::Serve serve,
              Buffered* buffered);
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
  // Raises the interruption of what is being answered, and waits for it.
  ~Connections();

  // Takes no more requests, and raises the interruption of what is being answered.
  void interrupt();
  // After that: whether all is answered in this time.
  bool is_idle_within(std::chrono::milliseconds patience) { return pool_.is_idle_within(patience); }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Stage {
    kReading,
    kServing,
    kWriting,
    kDraining,  // the last reply was taken; what the client still sends is read, or it would not see the reply
  };
  struct Connection {
    UniqueFd fd;
    Peer peer;
    Stage stage = Stage::kReading;
    Clock::time_point due;       // until when its stage has to end, but for kServing
    Clock::time_point progress;  // when its client last took something of the reply
    std::string input;
    Wire::Bytes output;
    size_t sent = 0;
    bool was_told_to_continue = false;
    bool has_left = false;  // while it was served; it may have ended its own half only, and still want the reply
    std::shared_ptr<Interruption> interruption;

    size_t left() const { return stage == Stage::kWriting ? output.size() - sent : 0; }
    bool is_owners_download() const { return stage == Stage::kWriting && output.is_for_known; }
  };
  using Number = uint64_t;
  using Entry = std::map<Number, Connection>::iterator;
  struct Done {
    Number number;
    Wire::Bytes reply;
  };

  void work();
  void poll_once();
  int patience(Clock::time_point now) const;  // of poll(2)
  bool is_ending();
  void admit();
  void admit_one(UniqueFd fd, Peer peer);
  Entry first_to_go();
  void drop(Entry entry);
  void drop_stalled();

  // Each returns false where the connection has to go.
  bool move_on(Number number, Connection* connection, short events);
  bool receive(Connection* connection);
  bool take_request(Number number, Connection* connection);
  bool send(Number number, Connection* connection);
  bool drain(Connection* connection);
  bool overdue(Number number, Connection* connection);

  void dispatch(Number number, Connection* connection, size_t head, size_t size);
  void hand_back(Number number, Wire::Bytes reply);  // on a thread of the pool
  void take_replies();
  bool begin_reply(Number number, Connection* connection, Wire::Bytes reply);

  const Listener* listener_;
  const ConnectionLimits limits_;
  const Wire::Serve serve_;
  Buffered* const buffered_;
  Wire wire_;
  UniqueFd wake_;  // an eventfd

  // The thread's own.
  std::map<Number, Connection> connections_;
  Number last_ = 0;
  size_t unsent_ = 0;
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
