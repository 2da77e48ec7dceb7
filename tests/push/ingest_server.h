// A real HTTP server that takes pushed profiles, or answers as a test wants.
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
    Reply(int number) : status(number) {}  // with the body of a proxy that echoes the request
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
  // Waits for so many, 10 s at most; returns the received ones.
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
