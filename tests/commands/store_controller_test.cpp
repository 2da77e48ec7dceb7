#include "commands/store_controller.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "commands/fake_agent.h"

namespace hearth::commands {
namespace {

class StoreControllerTest : public testing::Test {
 protected:
  StoreControllerTest() { folder_ = ::mkdtemp(name_); }
  ~StoreControllerTest() override { std::filesystem::remove_all(folder_); }

  std::string start() { return agent_.execute(("start,event=ctimer,store=" + folder_ + "/store").c_str()).text; }

  FakeAgent& agent_ = new_agent();
  char name_[32] = "/tmp/hearth-controller-XXXXXX";
  std::string folder_;
};

TEST_F(StoreControllerTest, RunsFromStartToStop) {
  EXPECT_FALSE(agent_.store.figures());
  EXPECT_NE(start().find(folder_), std::string::npos);
  ASSERT_TRUE(agent_.store.figures());
  EXPECT_EQ(agent_.store.figures()->directory, folder_ + "/store");
  EXPECT_NE(refusal_of([&] { start(); }).find("a store is running"), std::string::npos);
  EXPECT_NE(agent_.execute("stop,store").text.find("was stopped"), std::string::npos);
  EXPECT_FALSE(agent_.store.figures());
  EXPECT_TRUE(agent_.table.running().empty());
  EXPECT_NE(refusal_of([&] { agent_.execute("stop,store"); }).find("no store is running"), std::string::npos);
}

TEST_F(StoreControllerTest, AFailedStartLeavesNothing) {
  EXPECT_NE(refusal_of([&] { agent_.execute("start,store=/proc/no/such/folder"); }), "");
  EXPECT_FALSE(agent_.store.figures());
  EXPECT_TRUE(agent_.table.running().empty());
}

TEST_F(StoreControllerTest, UsersStopTheirSessionsAndNotTheStores) {
  start();
  EXPECT_NE(refusal_of([&] { agent_.execute("stop"); }), "");
  agent_.execute("start,event=ctimer,interval=1ms");
  agent_.execute("stop,collapsed");
  EXPECT_TRUE(agent_.store.figures());
  agent_.execute("stop,store");
}

TEST_F(StoreControllerTest, ItStoresTheRunningWindowAtTheEndOfTheJvm) {
  start();
  agent_.jvm.vm().ends = true;
  agent_.store.end(fake_jni());
  EXPECT_FALSE(agent_.store.figures());
  EXPECT_TRUE(agent_.table.running().empty());
}

}  // namespace
}  // namespace hearth::commands
