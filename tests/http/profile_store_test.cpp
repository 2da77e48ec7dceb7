#include "http/profile_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "http/message.h"
#include "http_client.h"
#include "profile/formats.h"
#include "sample_profile.h"

namespace hearth::http {
namespace {

std::string put(ProfileStore* store) {
  std::string id = store->new_id();
  replace_file(store->path_of(id), profile::write_pprof(profile::sample_profile(), {}));
  return id;
}

TEST(ProfileStore, DescribesAndLists) {
  Folder folder;
  ProfileStore store(folder.path("profiles"));
  std::string first = put(&store), second = put(&store);
  EXPECT_NE(first, second);
  nlohmann::json description = store.describe(first);
  EXPECT_EQ(description["id"], first);
  EXPECT_EQ(description["event"], profile::sample_profile().metadata.event);
  EXPECT_GT(description["samples"], 0);
  EXPECT_EQ(store.describe(first), description);  // from the file beside it
  EXPECT_EQ(store.list().size(), 2u);
  EXPECT_EQ(profile::dump(store.load(first)), profile::dump(profile::read_pprof(store.bytes(first))));
  store.remove(first);
  EXPECT_FALSE(store.has(first));
  EXPECT_EQ(store.list().size(), 1u);
  EXPECT_THROW(store.remove(first), Refusal);
}

TEST(ProfileStore, NoIdIsAPath) {
  Folder folder;
  ProfileStore store(folder.path("profiles"));
  put(&store);
  for (const std::string& id :
       {std::string(), std::string("."), std::string(".."), std::string("../x"), std::string("/etc/passwd"),
        std::string("a/b"), std::string("a.b"), std::string("a\0b", 3), std::string(101, 'a')}) {
    EXPECT_THROW(store.path_of(id), Refusal) << id;
    EXPECT_THROW(store.describe(id), Refusal) << id;
    EXPECT_THROW(store.remove(id), Refusal) << id;
  }
}

TEST(ProfileStore, WhatIsNoProfileIsLeftOut) {
  Folder folder;
  ProfileStore store(folder.path("profiles"));
  std::string id = put(&store);
  std::ofstream(folder.path("profiles/broken.pb.gz")) << "\x1f\x8b broken";
  std::ofstream(folder.path("profiles/odd name.pb.gz")) << "x";
  std::ofstream(folder.path("profiles/notes.txt")) << "x";
  std::ofstream(folder.path("profiles/" + id + ".json")) << "{\"id\": 7, \"bytes\": []}";
  nlohmann::json all = store.list();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["id"], id);
}

TEST(ProfileStore, OnlyInAFolderOfThisUser) {
  Folder folder;
  mkdir(folder.path("open").c_str(), 0700);
  chmod(folder.path("open").c_str(), 0777);
  EXPECT_THROW(ProfileStore(folder.path("open")), Error);
  ASSERT_EQ(symlink("/tmp", folder.path("link").c_str()), 0);
  EXPECT_THROW(ProfileStore(folder.path("link")), Error);
  EXPECT_THROW(ProfileStore(folder.path("a,b")), Error);
}

}  // namespace
}  // namespace hearth::http
