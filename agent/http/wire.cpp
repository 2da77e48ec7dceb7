#include "http/wire.h"

#include <csignal>

// The library's server would have the whole process ignore SIGPIPE, and programs that it starts would inherit that.
// There is no signal 0; what is sent here is sent with MSG_NOSIGNAL.
#undef SIGPIPE
#define SIGPIPE 0
#include <httplib.h>

#include <algorithm>

#include "http/framing.h"
#include "http/standard_headers.h"

namespace hearth::http {
namespace {

constexpr size_t kLongBody = 64 << 10;

// A request's head in, a reply's bytes out, all in memory. Some of the functions are the library's only in newer
// versions, so none says override.
class MemoryStream final : public httplib::Stream {
 public:
  explicit MemoryStream(std::string input) : input_(std::move(input)) {}

  bool is_readable() const { return true; }
  bool is_writable() const { return true; }
  bool wait_readable() const { return true; }
  bool wait_writable() const { return true; }
  ssize_t read(char* to, size_t size) {
    size = std::min(size, input_.size() - at_);
    std::copy_n(input_.data() + at_, size, to);
    at_ += size;
    return static_cast<ssize_t>(size);
  }
  ssize_t write(const char* from, size_t size) {
    if (from != left_out_) output_.append(from, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const {}
  void get_local_ip_and_port(std::string&, int&) const {}
  socket_t socket() const { return INVALID_SOCKET; }
  time_t duration() const { return 0; }

  // Does not take what is written from there.
  void leave_out(const char* from) { left_out_ = from; }
  std::string take_output() { return std::move(output_); }

 private:
  std::string input_;
  size_t at_ = 0;
  std::string output_;
  const char* left_out_ = nullptr;
};

// What belongs to the request that this thread is at: the library's handlers are set once, for all threads.
struct Exchange {
  std::string_view body;
  const Peer& peer;
  Interruption* interruption;
  const Wire::Serve& serve;
  MemoryStream* stream;
  std::string long_body{};
  bool is_for_known = false;
  bool is_parsed = false;
};
thread_local Exchange* current = nullptr;

Request request_of(const httplib::Request& parsed, const Exchange& exchange) {
  Request request;
  request.method = parsed.method;
  request.path = parsed.path;
  request.query.insert(parsed.params.begin(), parsed.params.end());
  for (const auto& [name, value] : parsed.headers) request.headers.emplace(name, value);
  request.body = exchange.body;
  request.peer = exchange.peer;
  request.interruption = exchange.interruption;
  return request;
}

// The library is told of a long body, which stays where it is: it writes all that comes before, and at most passes the
// body itself, which the stream leaves out.
void keep_body(std::string body, const std::string& type, httplib::Response* response) {
  current->long_body = std::move(body);
  current->stream->leave_out(current->long_body.data());
  response->set_content_provider(current->long_body.size(), type,
                                 [](size_t offset, size_t length, httplib::DataSink& sink) {
                                   return sink.write(current->long_body.data() + offset, length);
                                 });
}

void fill(httplib::Response* response, Reply reply) {
  response->status = reply.status;
  current->is_for_known = reply.is_for_known;
  if (reply.status == 200 && reply.body.size() >= kLongBody) {
    keep_body(std::move(reply.body), reply.type, response);
    reply.type.clear();
  } else {
    response->body = std::move(reply.body);
  }
  if (!reply.type.empty()) response->set_header("Content-Type", reply.type);
  for (const auto& [name, value] : standard_headers(reply)) response->set_header(name, value);
}

Reply served(const Exchange& exchange, const httplib::Request& parsed) {
  try {
    return exchange.serve(request_of(parsed, exchange));
  } catch (const std::exception& error) {
    return reply_to(Refusal(500, "internal", error.what()));
  }
}

}  // namespace

class Wire::Parser : public httplib::Server {
 public:
  Parser() {
    set_pre_routing_handler([](const httplib::Request& parsed, httplib::Response& response) {
      current->is_parsed = true;
      fill(&response, served(*current, parsed));
      return HandlerResponse::Handled;
    });
    constexpr time_t kKeepAliveSeconds = 25;  // a little less than the connection lives
    constexpr size_t kKeepAliveRequests = 1'000'000;
    set_keep_alive_timeout(kKeepAliveSeconds);
    set_keep_alive_max_count(kKeepAliveRequests);
    // Also of what a handler replied, which has a body then.
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty())
        fill(&response,
             reply_to(Refusal(response.status, "bad_request", "this is not a request that can be understood")));
    });
  }

  // `ends`: the request asks for its connection to end.
  bool run(MemoryStream* stream, bool* ends) { return call(&Parser::process_request, stream, ends); }

 private:
  using Setup = const std::function<void(httplib::Request&)>&;
  using Text = const std::string&;

  // The library's way in, version by version.
  bool call(bool (Server::*process)(httplib::Stream&, bool, bool&, Setup), MemoryStream* stream, bool* ends) {
    return (this->*process)(*stream, false, *ends, nullptr);
  }
  bool call(bool (Server::*process)(httplib::Stream&, Text, int, Text, int, bool, bool&, Setup), MemoryStream* stream,
            bool* ends) {
    return (this->*process)(*stream, "", 0, "", 0, false, *ends, nullptr);
  }
  bool call(bool (Server::*process)(httplib::Stream&, Text, int, Text, int, bool, bool&, Setup, bool*),
            MemoryStream* stream, bool* ends) {
    return (this->*process)(*stream, "", 0, "", 0, false, *ends, nullptr, nullptr);
  }
};

Wire::Wire() : parser_(std::make_unique<Parser>()) {}

Wire::~Wire() = default;

Wire::Bytes Wire::answer(std::string_view request, size_t head, const Peer& peer, Interruption* interruption,
                         const Serve& serve) const {
  MemoryStream stream(head_to_parse(request.substr(0, head)));
  Exchange exchange{request.substr(head), peer, interruption, serve, &stream};
  current = &exchange;
  Bytes bytes;
  bool is_answered = parser_->run(&stream, &bytes.ends_connection);
  current = nullptr;
  bytes.text = stream.take_output();
  size_t end = bytes.text.find("\r\n\r\n");
  bytes.ends_connection |= !is_answered || !exchange.is_parsed || end == std::string::npos ||
                           bytes.text.substr(0, end + 2).find("\r\nConnection: close\r\n") != std::string::npos;
  if (request.substr(0, 5) != "HEAD ") bytes.body = std::move(exchange.long_body);
  bytes.is_for_known = exchange.is_for_known;
  return bytes;
}

void Wire::set_target(const std::string& target, Request* request) {
  size_t mark = std::min(target.find('?'), target.size());
  httplib::Params query;
  httplib::detail::parse_query_text(target.substr(std::min(mark + 1, target.size())), query);
  request->path = httplib::detail::decode_url(target.substr(0, mark), false);
  request->query = {query.begin(), query.end()};
}

Wire::Bytes Wire::refuse(const Refusal& refusal) const {
  constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
  return answer(kRequest, kRequest.size(), {}, nullptr, [&](const Request&) { return reply_to(refusal); });
}

}  // namespace hearth::http
