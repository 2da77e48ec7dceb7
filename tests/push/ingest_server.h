// A real HTTP server that takes what is pushed, or answers as a test wants.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace httplib {
class Server;
}

namespace hearth::push {

class IngestServer {
 public:
  struct Ingested {
    std::string path;
    std::map<std::string, std::string> query;
    std::map<std::string, std::string> headers;
    std::string body;
  };
  struct Reply {
    Reply(int number) : status(number) {}  // with what a proxy might say that shows what it got
    int status;
    std::string retry_after;  // "": no such header
  };
  // The reply to the `number`th request, from 0.
  using Answer = std::function<Reply(size_t number)>;
  explicit IngestServer(Answer answer = [](size_t) { return 200; });
  ~IngestServer();

  int port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<Ingested> requests();
  // Waits for so many, 10 s at most; returns what came.
  std::vector<Ingested> wait_for(size_t requests);

 private:
  const Answer answer_;
  std::unique_ptr<httplib::Server> server_;
  std::mutex mutex_;
  std::vector<Ingested> requests_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace hearth::push
