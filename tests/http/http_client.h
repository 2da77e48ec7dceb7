// A server with a fake profiler in a folder of its own, and the other end of its sockets.
#pragma once

#include <string>
#include <string_view>

#include "base/owned.h"
#include "fake_profiler.h"
#include "http/control_server.h"

namespace hearth::http {

// A new folder, gone with the object. HEARTH_HOME is in it.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// A socket connected to `address`: "127.0.0.1:7070" or "unix:/x".
UniqueFd connect_to(const std::string& address);
void send_all(const UniqueFd& connection, std::string_view bytes);
// Until the server closes its end.
std::string receive_all(const UniqueFd& connection);

struct Response {
  int status = 0;
  std::string head;  // each of its lines ends with \r\n
  std::string body;
};

class TestServer {
 public:
  explicit TestServer(const std::string& http = "0", const ConnectionLimits& limits = {});

  Response ask(const std::string& method, const std::string& path, const std::string& body = "",
               const std::string& headers = "");
  // With nothing but these bytes, and an end after them: a client that may have gone.
  Response ask_raw(const std::string& bytes);

  Folder folder;
  FakeProfiler profiler;
  ControlServer server;
  std::string address;  // as connect_to() takes it
  std::string token;
  std::string once;  // of the link
};

}  // namespace hearth::http
