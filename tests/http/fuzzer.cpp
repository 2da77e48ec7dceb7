// Sends mutated requests to a server: it must answer good ones all along, and stop with nothing left.
//   hearth_http_fuzzer COUNT [SEED]
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/files.h"
#include "base/formatted.h"
#include "fuzz_main.h"
#include "http_client.h"
#include "mutator.h"

namespace hearth::http {
namespace {

constexpr std::string_view kWords[] = {"\r\n",
                                       "\r\n\r\n",
                                       "\n",
                                       "\r",
                                       "\0",
                                       "%00",
                                       "%",
                                       "%2e%2e%2f",
                                       "../",
                                       "//",
                                       "?",
                                       "&",
                                       "=",
                                       "#",
                                       " ",
                                       "\t",
                                       ":",
                                       ",",
                                       ";",
                                       "HTTP/1.1",
                                       "HTTP/1.0",
                                       "HTTP/9",
                                       "GET ",
                                       "POST ",
                                       "HEAD ",
                                       "DELETE ",
                                       "OPTIONS ",
                                       "Host: localhost\r\n",
                                       "Host: \r\n",
                                       "Content-Length: 0\r\n",
                                       "Content-Length: 18446744073709551616\r\n",
                                       "Content-Length: -1\r\n",
                                       "Transfer-Encoding: chunked\r\n",
                                       "Expect: 100-continue\r\n",
                                       "Range: bytes=0-,0-,0-\r\n",
                                       "Connection: keep-alive\r\n",
                                       "Connection: close\r\n",
                                       "Upgrade: websocket\r\n",
                                       "Content-Type: multipart/form-data; boundary=x\r\n",
                                       "Content-Encoding: gzip\r\n",
                                       "Authorization: Basic ",
                                       "Authorization: Bearer ",
                                       "/api/status",
                                       "/api/start",
                                       "/api/stop",
                                       "/api/dump",
                                       "/api/profile",
                                       "/api/profiles/",
                                       "/api/login",
                                       ".html",
                                       ".json",
                                       ".pb.gz",
                                       "{\"seconds\": 0.001}",
                                       "{\"format\": \"html\"}",
                                       "\"format\": \"json\"",
                                       "\"once\"",
                                       "[[[[[[[[",
                                       "{\"a\":{\"a\":",
                                       "1e999",
                                       "-1",
                                       "null",
                                       "\xff\xfe",
                                       "\\u0000",
                                       "\\ud800"};

// Makes the bytes after the head a body, so that they are read as one.
void fit_length(std::string* text) {
  size_t end = text->find("\r\n\r\n");
  if (end == std::string::npos) return;
  size_t field = text->find("Content-Length: ");
  if (field == std::string::npos || field > end) return;
  size_t line_end = text->find("\r\n", field);
  text->replace(field, line_end - field, formatted("Content-Length: {}", text->size() - end - 4));
}

std::vector<std::string> corpus_with(const std::string& token) {
  std::vector<std::string> corpus;
  constexpr std::string_view kPlace = "TOKEN";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HEARTH_CORPUS)) {
    if (!entry.is_regular_file()) continue;
    std::string text = read_file(entry.path());
    size_t at = text.find(kPlace);
    if (at != std::string::npos) text.replace(at, kPlace.size(), token);
    corpus.push_back(text);
  }
  std::sort(corpus.begin(), corpus.end());
  return corpus;
}

void send_one(const TestServer& server, Mutator* mutator) {
  UniqueFd connection = connect_to(server.address);
  std::string text = mutator->next();
  if (mutator->below(2) == 0) fit_length(&text);
  size_t part = mutator->below(4) == 0 ? mutator->below(text.size() + 1) : text.size();
  send_all(connection, std::string_view(text).substr(0, part));
  if (mutator->below(16) == 0) return;  // gone, without waiting for an answer
  send_all(connection, std::string_view(text).substr(part));
  shutdown(connection.get(), SHUT_WR);
  receive_all(connection);
}

size_t open_files() {
  std::filesystem::directory_iterator all("/proc/self/fd"), end;
  return static_cast<size_t>(std::distance(all, end));
}

// Good requests are answered; stored profiles are deleted, or each listing would be longer than the one before.
void look_after(TestServer* server) {
  expect(server->ask("GET", "/api/status").status == 200, "a good request was not answered");
  expect(server->ask("GET", "/api/profiles").status == 200, "a good request was not answered");
  server->ask("POST", "/api/stop", R"({"format": "collapsed"})");
  std::filesystem::remove_all(server->folder.path("home/profiles"));
  std::filesystem::create_directory(server->folder.path("home/profiles"));
}

}  // namespace

void fuzz(uint64_t count, uint64_t seed) {
  constexpr uint64_t kGlance = 1000;
  constexpr size_t kFewFiles = 300;  // the server's connections, and some
  Folder folder;
  TestServer by_socket("unix:" + folder.path("socket")), by_port;
  std::vector<std::string_view> words(std::begin(kWords), std::end(kWords));
  Mutator of_socket(corpus_with(by_socket.token), words, seed), of_port(corpus_with(by_port.token), words, seed + 1);
  for (uint64_t i = 1; i <= count; i++) {
    if (i % 4 == 0)
      send_one(by_port, &of_port);
    else
      send_one(by_socket, &of_socket);
    if (i % kGlance != 0) continue;
    for (TestServer* server : {&by_port, &by_socket}) look_after(server);
    expect(open_files() < kFewFiles, "connections are left open");
  }
  by_socket.server.stop();
  by_port.server.stop();
  expect(by_socket.profiler.threads == 0 && by_port.profiler.threads == 0, "threads are left");
  std::printf("%llu requests, seed %llu, %ld MB at most\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(seed), peak_mb());
}
}  // namespace hearth::http

int main(int argc, char** argv) {
  return hearth::fuzz_main(argc, argv, hearth::http::fuzz);
}
