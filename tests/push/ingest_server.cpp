#include "ingest_server.h"

#include <httplib.h>

#include <chrono>

#include "wait_until.h"

namespace hearth::push {

IngestServer::IngestServer(Answer answer) : answer_(std::move(answer)), server_(std::make_unique<httplib::Server>()) {
  server_->Post(".*", [this](const httplib::Request& request, httplib::Response& response) {
    size_t number = 0;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      number = requests_.size();
      requests_.push_back({request.path, {}, {}, request.body});
      for (const auto& [key, value] : request.params) requests_.back().query[key] = value;
      for (const auto& [key, value] : request.headers) requests_.back().headers[key] = value;
    }
    Reply reply = answer_(number);
    response.status = reply.status;
    if (!reply.retry_after.empty()) response.set_header("Retry-After", reply.retry_after);
    response.set_content("got " + request.get_header_value("Authorization") + "\nmore\n", "text/plain");
  });
  port_ = server_->bind_to_any_port("127.0.0.1");
  thread_ = std::thread([this] { server_->listen_after_bind(); });
}

IngestServer::~IngestServer() {
  wait_until("the server's start", [this] { return server_->is_running(); });
  server_->stop();
  thread_.join();
}

std::vector<IngestServer::Ingested> IngestServer::requests() {
  std::lock_guard<std::mutex> lock(mutex_);
  return requests_;
}

std::vector<IngestServer::Ingested> IngestServer::wait_for(size_t requests) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (;;) {
    std::vector<Ingested> came = this->requests();
    if (came.size() >= requests || std::chrono::steady_clock::now() > end) return came;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace hearth::push
