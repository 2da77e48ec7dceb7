#include "http/token_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
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

TEST(TokenFile, AGivenOneIsReadOrMadeAndStays) {
  Folder folder;
  std::string path = folder.path("token");
  std::string made = TokenFile::given(path).token();
  EXPECT_EQ(mode_of(path), 0600u);
  EXPECT_EQ(TokenFile::given(path).token(), made);
  EXPECT_EQ(TokenFile::given(file(folder, "own", " my-own-secret-word \n", 0400)).token(), "my-own-secret-word");
}

TEST(TokenFile, RefusesWhatIsNoSecret) {
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
