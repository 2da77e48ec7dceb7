// The hooks of I/O, called as libraries call them, and what they tell of their files and peers.
#include "events/handlers/io/io_hooks.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "base/owned.h"
#include "events/handlers/io/io_target.h"
#include "hook_test.h"

namespace hearth::events {
namespace {

constexpr uint16_t kFirstShortLived = 32768;

std::string name_bytes(const IoTarget& target) {
  std::string text;
  for (char byte : target.name_view()) text += std::to_string(static_cast<uint8_t>(byte)) + ".";
  return text;
}

struct Internet {
  Internet() {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&address); }
  sockaddr_in address{};
  socklen_t size = sizeof address;
};

struct Listener {
  Listener() {
    EXPECT_EQ(bind(socket.get(), at.get(), at.size), 0);
    EXPECT_EQ(listen(socket.get(), 4), 0);
    EXPECT_EQ(getsockname(socket.get(), at.get(), &at.size), 0);
  }
  uint16_t port() const { return ntohs(at.address.sin_port); }
  UniqueFd socket{::socket(AF_INET, SOCK_STREAM, 0)};
  Internet at;
};

class IoHooks : public HookTest {
 protected:
  void SetUp() override {
    HookTest::SetUp();
    for (const IoHook& hook : io_hooks()) {
      std::string name = hook.name;
      if (name == "read") give(hook, ::read, &read_);
      if (name == "write") give(hook, ::write, &write_);
      if (name == "poll") give(hook, ::poll, &poll_);
      if (name == "connect") give(hook, ::connect, &connect_);
      if (name == "getaddrinfo") give(hook, ::getaddrinfo, &getaddrinfo_);
    }
  }
  void TearDown() override { end(); }

  template <typename Function>
  static void give(const IoHook& hook, Function* real, Function** called) {
    *hook.real = reinterpret_cast<uintptr_t>(real);
    *called = reinterpret_cast<Function*>(hook.code);
  }

  void begin(int64_t interval) {
    prepare(interval, &sampling_);
    sampling_.traits = &traits_;
    sampling_.first_short_lived = kFirstShortLived;
    sampling_.began_ns = capture::now_ns();
    io_samplings()->current()->publish(&sampling_);
    measure_io(interval);
    begun_ = true;
  }
  void end() {
    if (!begun_) return;
    begun_ = false;
    measure_io(-1);
    EXPECT_TRUE(io_samplings()->current()->unpublish(100));
  }
  // The one sample that there is.
  capture::Sample sample() {
    capture::Sample first{}, another{};
    EXPECT_TRUE(ring_.pop(&first));
    EXPECT_FALSE(ring_.pop(&another));
    return first;
  }

  IoTraits traits_;
  IoSampling sampling_;
  bool begun_ = false;
  decltype(&::read) read_ = nullptr;
  decltype(&::write) write_ = nullptr;
  decltype(&::poll) poll_ = nullptr;
  decltype(&::connect) connect_ = nullptr;
  decltype(&::getaddrinfo) getaddrinfo_ = nullptr;
};

TEST_F(IoHooks, ACallHasItsTimeItsBytesAndItsFile) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  UniqueFd from(ends[0]), to(ends[1]);
  begin(0);
  constexpr int64_t kLate = 20'000'000;
  std::thread late([&] {
    usleep(kLate / 1000);
    EXPECT_EQ(::write(to.get(), "hearth", 6), 6);
  });
  char text[16];
  EXPECT_EQ(read_(from.get(), text, sizeof text), 6);
  late.join();
  capture::Sample one = sample();
  EXPECT_GE(one.weight, kLate / 2);
  EXPECT_EQ(one.objects, 1);
  EXPECT_EQ(one.bytes, 6);
  IoTraits::Traits traits = traits_.of(one.state);
  EXPECT_EQ(traits.call, IoCall::kRead);
  ASSERT_NE(traits.target, nullptr);
  EXPECT_EQ(traits.target->kind, IoKind::kPipe);
  EXPECT_EQ(traits.mean_bytes, 6);
}

TEST_F(IoHooks, AFailedCallKeepsItsErrorAndMovesNothing) {
  begin(0);
  errno = 0;
  EXPECT_EQ(write_(-1, "x", 1), -1);
  EXPECT_EQ(errno, EBADF);
  capture::Sample one = sample();
  EXPECT_EQ(one.bytes, 0);
  EXPECT_EQ(traits_.of(one.state).target->kind, IoKind::kUnknown);
}

TEST_F(IoHooks, ShortCallsAreMetByChanceAndWeighTheInterval) {
  constexpr int64_t kInterval = 3'600'000'000'000;
  begin(kInterval);
  UniqueFd null(open("/dev/null", O_WRONLY));
  for (int i = 0; i < 1000; i++) EXPECT_EQ(write_(null.get(), "x", 1), 1);
  EXPECT_LE(weight(), 2 * kInterval);  // of a call in a second each, one in 3,600 is met
}

TEST_F(IoHooks, AWaitForOneDescriptorIsPartOfTheNextCall) {
  Listener listener;
  UniqueFd client(socket(AF_INET, SOCK_STREAM, 0));
  begin(0);
  EXPECT_EQ(connect_(client.get(), listener.at.get(), listener.at.size), 0);
  capture::Sample connected = sample();
  EXPECT_EQ(traits_.of(connected.state).call, IoCall::kConnect);
  EXPECT_EQ(traits_.of(connected.state).target->port, listener.port());
  pollfd one = {client.get(), POLLIN, 0};
  EXPECT_EQ(poll_(&one, 1, 5), 0);
  capture::Sample waited = sample();
  EXPECT_EQ(waited.objects, 0);
  EXPECT_GE(waited.weight, 4'000'000);
  EXPECT_EQ(traits_.of(waited.state).call, IoCall::kRead);
  pollfd two[2] = {one, one};
  EXPECT_EQ(poll_(two, 2, 1), 0);
  EXPECT_EQ(poll_(&one, 1, 0), 0);
  capture::Sample none;
  EXPECT_FALSE(ring_.pop(&none));
}

TEST_F(IoHooks, AConnectionThatIsNotMadeYetHasItsPeer) {
  Listener full;
  std::vector<UniqueFd> waiting;  // as many as its queue has room for, and one more
  for (int i = 0; i < 8; i++) {
    waiting.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    ::connect(waiting.back().get(), full.at.get(), full.at.size);
  }
  UniqueFd client(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
  begin(0);
  ASSERT_EQ(connect_(client.get(), full.at.get(), full.at.size), -1);
  ASSERT_EQ(errno, EINPROGRESS);
  EXPECT_EQ(traits_.of(sample().state).target->port, full.port());
  pollfd one = {client.get(), POLLOUT, 0};
  ASSERT_EQ(poll_(&one, 1, 20), 0);
  IoTraits::Traits traits = traits_.of(sample().state);
  EXPECT_EQ(traits.call, IoCall::kConnect);
  EXPECT_EQ(traits.target->port, full.port());
  EXPECT_EQ(name_bytes(*traits.target), "127.0.0.1.");
}

TEST_F(IoHooks, AnEmptyReadIsNoCallOfItsOwn) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  UniqueFd from(ends[0]), to(ends[1]);
  begin(0);
  char text[16];
  EXPECT_EQ(read_(from.get(), text, sizeof text), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(sample().objects, 0);
}

TEST_F(IoHooks, AWaitForAConnectionIsAnAccept) {
  Listener listener;
  begin(0);
  pollfd one = {listener.socket.get(), POLLIN, 0};
  EXPECT_EQ(poll_(&one, 1, 5), 0);
  EXPECT_EQ(traits_.of(sample().state).call, IoCall::kAccept);
}

TEST_F(IoHooks, AHostIsLookedUpOnce) {
  begin(0);
  addrinfo* found = nullptr;
  EXPECT_EQ(getaddrinfo_("127.0.0.1", nullptr, nullptr, &found), 0);
  freeaddrinfo(found);
  IoTraits::Traits traits = traits_.of(sample().state);
  EXPECT_EQ(traits.call, IoCall::kResolve);
  EXPECT_EQ(traits.target->name_view(), "127.0.0.1");
}

TEST_F(IoHooks, NamesAreLeftOutIfTheyAreNotWanted) {
  begin(0);
  sampling_.names_targets = false;
  UniqueFd null(open("/dev/null", O_WRONLY));
  EXPECT_EQ(write_(null.get(), "x", 1), 1);
  const IoTarget* target = traits_.of(sample().state).target;
  EXPECT_EQ(target->kind, IoKind::kDevice);
  EXPECT_EQ(target->name_size, 0);
}

TEST_F(IoHooks, AHandlerOnItsOwnStackIsNotSampled) {
  begin(0);
  static decltype(&::write) write_in_handler;
  static int null_in_handler;
  UniqueFd null(open("/dev/null", O_WRONLY));
  write_in_handler = write_;
  null_in_handler = null.get();
  static char stack[64 * 1024];
  stack_t own{}, before{};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  ASSERT_EQ(sigaltstack(&own, &before), 0);
  struct sigaction action {
  }, old{};
  action.sa_handler = [](int) { EXPECT_EQ(write_in_handler(null_in_handler, "x", 1), 1); };
  action.sa_flags = SA_ONSTACK;
  ASSERT_EQ(sigaction(SIGUSR1, &action, &old), 0);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &old, nullptr);
  sigaltstack(&before, nullptr);
  capture::Sample none;
  EXPECT_FALSE(ring_.pop(&none));
}

TEST(IoTarget, AConnectionIsThatOfItsListenerOrItsPeer) {
  Listener listener;
  UniqueFd client(socket(AF_INET, SOCK_STREAM, 0));
  ASSERT_EQ(connect(client.get(), listener.at.get(), listener.at.size), 0);
  UniqueFd served(accept(listener.socket.get(), nullptr, nullptr));
  Internet own;
  ASSERT_EQ(getsockname(client.get(), own.get(), &own.size), 0);
  uint16_t short_lived = ntohs(own.address.sin_port);

  IoTarget peer = target_of(client.get(), Made::kConnected, 0);
  EXPECT_EQ(peer.kind, IoKind::kTcp);
  EXPECT_EQ(peer.role, IoRole::kPeer);
  EXPECT_EQ(peer.port, listener.port());
  EXPECT_EQ(name_bytes(peer), "127.0.0.1.");
  EXPECT_EQ(target_of(listener.socket.get(), Made::kUnknown, 0).role, IoRole::kListener);
  IoTarget of_client = target_of(served.get(), Made::kAccepted, UINT16_MAX);
  EXPECT_EQ(of_client.role, IoRole::kClient);
  EXPECT_EQ(of_client.port, listener.port());
  // By their ports.
  EXPECT_EQ(target_of(client.get(), Made::kUnknown, UINT16_MAX).role, IoRole::kPeer);
  if (listener.port() < short_lived) {
    EXPECT_EQ(target_of(served.get(), Made::kUnknown, short_lived).role, IoRole::kClient);
  }
}

TEST(IoTarget, AddressesOfAllFamilies) {
  sockaddr_in6 mapped{};
  mapped.sin6_family = AF_INET6;
  mapped.sin6_port = htons(443);
  const uint8_t bytes[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 7};
  std::memcpy(&mapped.sin6_addr, bytes, sizeof bytes);
  IoTarget target = target_of(reinterpret_cast<sockaddr*>(&mapped), sizeof mapped, true);
  EXPECT_EQ(name_bytes(target), "10.0.0.7.");
  EXPECT_EQ(target.port, 443);
  mapped.sin6_addr = in6addr_loopback;
  EXPECT_EQ(target_of(reinterpret_cast<sockaddr*>(&mapped), sizeof mapped, false).name_size, 16);

  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  std::strcpy(local.sun_path, "/run/db.sock");
  target = target_of(reinterpret_cast<sockaddr*>(&local), sizeof local, true);
  EXPECT_EQ(target.kind, IoKind::kUnix);
  EXPECT_EQ(target.name_view(), "/run/db.sock");
  constexpr char kAbstract[] = "\0db";
  std::memcpy(local.sun_path, kAbstract, sizeof kAbstract - 1);
  target = target_of(reinterpret_cast<sockaddr*>(&local), offsetof(sockaddr_un, sun_path) + 3, true);
  EXPECT_EQ(target.name_view(), "db");
  EXPECT_EQ(target_of(reinterpret_cast<sockaddr*>(&local), offsetof(sockaddr_un, sun_path), true).name_size, 0);
  EXPECT_EQ(target_of(nullptr, 0, true).kind, IoKind::kUnknown);
}

TEST(IoTarget, TheEndOfALongPathIsKept) {
  std::string name(300, 'x');
  IoTarget target = host((name + "end").c_str());
  EXPECT_TRUE(target.is_cut);
  EXPECT_EQ(target.name_view().substr(target.name_size - 4), "xend");
}

TEST(IoTraits, EqualCallsHaveOneNumberAndSizesTheirOwn) {
  IoTraits traits;
  IoTarget database = host("db"), other = host("cache");
  uint16_t number = traits.number_of(IoCall::kRead, database, 1000, 1);
  EXPECT_NE(number, IoTraits::kNone);
  EXPECT_EQ(traits.number_of(IoCall::kRead, database, 1010, 3), number);
  EXPECT_NEAR(traits.of(number).mean_bytes, 1007.5, 0.5);
  EXPECT_EQ(traits.of(number).least_bytes, 896);
  EXPECT_NE(traits.number_of(IoCall::kRead, database, 5000, 1), number);
  EXPECT_NE(traits.number_of(IoCall::kWrite, database, 1000, 1), number);
  EXPECT_NE(traits.number_of(IoCall::kRead, other, 1000, 1), number);
  EXPECT_EQ(traits.of(IoTraits::kNone).target, nullptr);
  EXPECT_EQ(traits.of(UINT16_MAX).target, nullptr);
}

TEST(IoTraits, WithoutSpaceOnlyTheKindIsKept) {
  IoTraits traits;
  uint32_t kept = 0, without_name = 0, none = 0;
  for (uint32_t i = 0; i < 2 * IoTraits::kMost; i++) {
    uint16_t number = traits.number_of(IoCall::kRead, host(std::to_string(i).c_str()), 0, 1);
    const IoTarget* target = traits.of(number).target;
    if (target == nullptr)
      none++;
    else if (target->name_size == 0)
      without_name++;
    else
      kept++;
  }
  EXPECT_GT(kept, IoTraits::kMost / 2);
  EXPECT_GT(without_name + none, IoTraits::kMost);
}

}  // namespace
}  // namespace hearth::events
