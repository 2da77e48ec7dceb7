// The control server at the JVM's end.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "http_client.h"
#include "options/options.h"
#include "wait_until.h"

namespace hearth::http {
namespace {

// A server with a client's request that waits in the profiler.
struct StalledDump {
  explicit StalledDump(FakeProfiler* profiler) : server(profiler) {
    server.serve(options::parse_options(address("http=")));
    client = connect_to(address());
    profiler->run(options::options_of({{"start"}}));
    profiler->stalls = true;
    send_all(client, "POST /api/dump HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
    wait_until("a stalled request", [&] { return profiler->stalled == 1; });
  }

  std::string address(const std::string& before = "") const { return before + "unix:" + folder.path("s"); }

  Folder folder;
  ControlServer server;
  UniqueFd client;
};

TEST(ServerEnd, TheJvmsEndWaitsForNoRequestThatComputes) {
  static FakeProfiler profiler;  // outlives requests that are left to the process's end
  StalledDump dump(&profiler);
  dump.server.interrupt();
  EXPECT_EQ(receive_all(dump.client), "");
  dump.server.end();
  EXPECT_EQ(profiler.stalled, 1);
  EXPECT_NE(access(dump.folder.path("s").c_str(), F_OK), 0);
  profiler.stalls = false;
  wait_until("the end of the stalled request", [] { return profiler.stalled == 0; });
}

TEST(ServerEnd, TheJvmsEndWaitsForNoStopThatWaits) {
  static FakeProfiler profiler;  // outlives requests that are left to the process's end
  StalledDump dump(&profiler);
  std::thread stopping([&] { dump.server.stop(); });
  EXPECT_EQ(receive_all(dump.client), "");
  dump.server.interrupt();
  dump.server.end();
  EXPECT_EQ(profiler.stalled, 1);
  profiler.stalls = false;
  stopping.join();
}

}  // namespace
}  // namespace hearth::http
