#include "commands/sessions/session_table.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/log.h"
#include "commands/own_threads.h"
#include "vm/vm.h"

namespace hearth::commands {
namespace {

// Sessions of a JVM that does not exist: they can be stored and compared, but never start.
class SessionTableTest : public testing::Test {
 protected:
  SessionTable::SessionPtr make(const std::string& options) {
    session::ProfileSession::Hooks hooks;
    hooks.number = ++last_number_;
    return std::make_shared<session::ProfileSession>(&vm_, &log_, options::parse_options("start," + options),
                                                     std::move(hooks));
  }
  SessionTable::SessionPtr add(const std::string& options) {
    SessionTable::SessionPtr session = make(options);
    table_.add_user(session);
    return session;
  }
  std::vector<uint64_t> numbers() const {
    std::vector<uint64_t> numbers;
    for (const UserSession& one : table_.listed()) numbers.push_back(one.session->number());
    return numbers;
  }
  uint64_t resolved(const char* command) const {
    return table_.resolve(options::parse_options(command)).session->number();
  }

  vm::Vm vm_;
  Log log_;
  SessionTable table_;
  uint64_t last_number_ = 0;
};

using Numbers = std::vector<uint64_t>;

TEST_F(SessionTableTest, KeepsSessionsInTheOrderOfTheirEnds) {
  auto cpu = add("event=cpu");
  auto wall = add("event=wall");
  EXPECT_EQ(numbers(), (Numbers{1, 2}));
  table_.mark_ended(*cpu);
  EXPECT_EQ(numbers(), (Numbers{2, 1}));
  EXPECT_EQ(resolved("dump"), 1u);  // the last one that ended
  EXPECT_EQ(resolved("dump,event=wall"), 2u);
}

TEST_F(SessionTableTest, ReplacesStoppedSessionsOfTheSameEvent) {
  add("event=cpu");
  add("event=wall");
  table_.drop_replaced(*make("event=cpu"));
  EXPECT_EQ(numbers(), (Numbers{2}));
}

TEST_F(SessionTableTest, DestroysReplacedSessionsOutsideItsLock) {
  session::ProfileSession::Hooks hooks;
  // The last copy of the hook goes with the session, and its owner reads the table then.
  struct ReadsTable {
    const SessionTable* table;
    ~ReadsTable() { table->all(); }
  };
  hooks.on_timeout = [reads = std::make_shared<ReadsTable>(ReadsTable{&table_})] {};
  table_.add_user(std::make_shared<session::ProfileSession>(&vm_, &log_, options::parse_options("start,event=cpu"),
                                                            std::move(hooks)));
  table_.drop_replaced(*make("event=cpu"));
  EXPECT_TRUE(table_.all().empty());
}

TEST_F(SessionTableTest, DropsASessionThatCouldNotStart) {
  auto failed = add("event=cpu");
  uint64_t changes = table_.changes();
  table_.drop_user(*failed);
  EXPECT_TRUE(table_.user_sessions().empty());
  EXPECT_GT(table_.changes(), changes);
  EXPECT_THROW(resolved("dump"), Error);
}

TEST_F(SessionTableTest, DoesNotListPrivateSessionsOnceFetched) {
  auto of_client = add("event=cpu,session=.http-1");
  auto named = add("event=wall,session=web");
  table_.mark_fetched(*named);
  EXPECT_EQ(numbers(), (Numbers{1, 2}));
  table_.mark_fetched(*of_client);
  EXPECT_EQ(numbers(), (Numbers{2}));
  EXPECT_EQ(table_.user_sessions().size(), 2u);  // it can still be dumped by its name
  EXPECT_EQ(resolved("dump,session=.http-1"), 1u);
}

TEST_F(SessionTableTest, RemembersTheFileThatAStopDidNotWrite) {
  auto session = add("event=cpu,file=/tmp/one.html");
  EXPECT_EQ(table_.user_sessions()[0].unwritten, "");
  table_.set_unwritten(*session, "/tmp/one.html");
  EXPECT_EQ(table_.user_sessions()[0].unwritten, "/tmp/one.html");
}

TEST_F(SessionTableTest, CountsTheClientsOfASharedSession) {
  auto user = add("event=cpu");
  auto shared = make("event=wall");
  table_.add_auxiliary(shared);
  table_.share(shared);
  EXPECT_FALSE(table_.add_client(*user));
  EXPECT_TRUE(table_.add_client(*shared));
  EXPECT_TRUE(table_.add_client(*shared));
  EXPECT_FALSE(table_.remove_client(*user));
  EXPECT_FALSE(table_.remove_client(*shared));
  EXPECT_EQ(table_.shared_count(), 1u);
  EXPECT_TRUE(table_.remove_client(*shared));
  EXPECT_EQ(table_.shared_count(), 0u);
  EXPECT_FALSE(table_.remove_client(*shared));
}

TEST_F(SessionTableTest, ListsAuxiliarySessionsApartFromThoseOfCommands) {
  auto user = add("event=cpu");
  auto auxiliary = make("event=wall");
  table_.add_auxiliary(auxiliary);
  EXPECT_EQ(table_.all().size(), 2u);
  EXPECT_EQ(table_.auxiliary_sessions(), std::vector{auxiliary});
  EXPECT_EQ(numbers(), (Numbers{1}));
  EXPECT_TRUE(table_.running().empty());
  EXPECT_EQ(table_.running_user(1), nullptr);
  table_.drop_auxiliary(*auxiliary);
  EXPECT_EQ(table_.all(), std::vector{user});
}

TEST_F(SessionTableTest, CountsEachChange) {
  uint64_t before = table_.changes();
  auto session = add("event=cpu");
  table_.count_change();
  table_.mark_ended(*session);
  EXPECT_EQ(table_.changes(), before + 3);
}

TEST_F(SessionTableTest, LeavesOutThreadsOfHearthAndOfCommandsWhileTheyLast) {
  OwnThreads threads(&table_);
  threads.add(1);
  threads.add(2);
  threads.remove(1);
  EXPECT_EQ(threads.excluded(), std::set<int>{2});
  EXPECT_TRUE(threads.run_command([&] { return threads.excluded().size() == 2; }));
  EXPECT_EQ(threads.excluded(), std::set<int>{2});
}

}  // namespace
}  // namespace hearth::commands
