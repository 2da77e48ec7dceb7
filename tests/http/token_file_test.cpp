#include "http/auth/token_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/owned.h"
#include "http_client.h"

namespace hearth::http {
namespace {

std::string refusal(const std::string& path) {
  try {
    TokenFile::given(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string file(const Folder& folder, const char* name, const std::string& content, mode_t mode) {
  std::string path = folder.path(name);
  std::ofstream(path) << content;
  chmod(path.c_str(), mode);
  return path;
}

mode_t mode_of(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
}

TEST(TokenFile, ItsOwnGoesWithTheServer) {
  Folder folder;
  std::string path;
  {
    TokenFile token = TokenFile::own(folder.path(""));
    path = token.path();
    EXPECT_EQ(mode_of(path), 0600u);
    EXPECT_EQ(read_file(path), token.token() + "\n");
    EXPECT_EQ(token.token().size(), 64u);
  }
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

TEST(TokenFile, NobodyPutsALinkInItsPlace) {
  Folder folder;
  std::string target = file(folder, "target", "kept", 0644);
  std::string path = folder.path("token-" + std::to_string(getpid()));
  ASSERT_EQ(symlink(target.c_str(), path.c_str()), 0);
  TokenFile token = TokenFile::own(folder.path(""));
  EXPECT_EQ(read_file(target), "kept");
  ASSERT_EQ(symlink(folder.path("nowhere").c_str(), folder.path("dangling").c_str()), 0);
  EXPECT_NE(refusal(folder.path("dangling")), "");
}

bool is_there(const std::string& path) {
  return access(path.c_str(), F_OK) == 0;
}

// As in two containers with processes of the same number.
TEST(TokenFile, TheSameNumberInAnotherContainerHasItsOwn) {
  Folder folder;
  std::string first_path, second_path;
  {
    TokenFile first = TokenFile::own(folder.path(""));
    first_path = first.path();
    {
      TokenFile second = TokenFile::own(folder.path(""));
      second_path = second.path();
      EXPECT_NE(second_path, first_path);
      EXPECT_EQ(read_file(second_path), second.token() + "\n");
    }
    EXPECT_FALSE(is_there(second_path));
    EXPECT_EQ(read_file(first_path), first.token() + "\n");
  }
  EXPECT_FALSE(is_there(first_path));
}

TEST(TokenFile, OnlyFilesOfKilledProcessesAreRemoved) {
  Folder folder;
  std::string killed = file(folder, "token-999999999", "of a killed one", 0600);
  std::string other = file(folder, "token-4711-0a1b2c3d", "of a killed one, too", 0600);
  std::string foreign = file(folder, "token-4711-mine", "somebody's", 0600);
  std::string alive = file(folder, "token-999999998", "of another container", 0600);
  UniqueFd holder(open(alive.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(flock(holder.get(), LOCK_EX | LOCK_NB), 0);
  std::string left =
      file(folder, ("token-" + std::to_string(getpid())).c_str(), "of one killed with this number", 0600);
  TokenFile token = TokenFile::own(folder.path(""));
  EXPECT_EQ(token.path(), folder.path("") + "/token-" + std::to_string(getpid()));
  EXPECT_EQ(read_file(left), token.token() + "\n");
  EXPECT_FALSE(is_there(killed));
  EXPECT_FALSE(is_there(other));
  EXPECT_TRUE(is_there(foreign));
  EXPECT_TRUE(is_there(alive));
}

TEST(TokenFile, AnotherFileOfThatNameStays) {
  Folder folder;
  std::string path;
  {
    TokenFile token = TokenFile::own(folder.path(""));
    path = token.path();
    unlink(path.c_str());
    std::ofstream(path) << "another's";
  }
  EXPECT_EQ(read_file(path), "another's");
}

TEST(TokenFile, ManyMakeAGivenOneAtOnceAndAgree) {
  for (int round = 0; round < 20; round++) {
    Folder folder;
    std::string path = folder.path("token");
    std::vector<std::string> tokens(8);
    std::vector<std::thread> servers;
    for (std::string& token : tokens) servers.emplace_back([&] { token = TokenFile::given(path).token(); });
    for (std::thread& server : servers) server.join();
    EXPECT_EQ(std::set<std::string>(tokens.begin(), tokens.end()).size(), 1u);
    EXPECT_EQ(read_file(path), tokens[0] + "\n");
  }
}

TEST(TokenFile, AGivenOneIsReadOrMadeAndStays) {
  Folder folder;
  std::string path = folder.path("token");
  std::string made = TokenFile::given(path).token();
  EXPECT_EQ(mode_of(path), 0600u);
  EXPECT_EQ(TokenFile::given(path).token(), made);
  EXPECT_EQ(TokenFile::given(file(folder, "own", " my-own-secret-word \n", 0400)).token(), "my-own-secret-word");
}

TEST(TokenFile, RefusesAContentThatIsNoSecret) {
  Folder folder;
  EXPECT_NE(refusal(file(folder, "group", "0123456789abcdef", 0640)).find("chmod 600"), std::string::npos);
  EXPECT_NE(refusal(file(folder, "others", "0123456789abcdef", 0604)).find("chmod 600"), std::string::npos);
  EXPECT_NE(refusal(file(folder, "short", "0123456789abcde", 0600)).find("holds no token"), std::string::npos);
  EXPECT_NE(refusal(file(folder, "empty", "", 0600)).find("holds no token"), std::string::npos);
  EXPECT_NE(refusal(file(folder, "two", "0123456789abcdef two", 0600)).find("holds no token"), std::string::npos);
  EXPECT_NE(refusal(file(folder, "long", std::string(300, 'x'), 0600)).find("holds no token"), std::string::npos);
  EXPECT_NE(refusal("/tmp").find("is no file"), std::string::npos);
  EXPECT_NE(refusal(folder.path("no/such/folder")), "");
}

}  // namespace
}  // namespace hearth::http
