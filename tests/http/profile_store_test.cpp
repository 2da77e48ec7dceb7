#include "http/routes/profile_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "http/server/message.h"
#include "http_client.h"
#include "profile/formats/formats.h"
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
  EXPECT_EQ(store.describe(first), description);  // from the file next to it
  EXPECT_EQ(store.list().size(), 2u);
  EXPECT_EQ(profile::dump(store.load(first)), profile::dump(profile::read_pprof(store.bytes(first))));
  store.remove(first);
  EXPECT_FALSE(store.has(first));
  EXPECT_EQ(store.list().size(), 1u);
  EXPECT_THROW(store.remove(first), Refusal);
}

TEST(ProfileStore, DescribesAModelAsItsFile) {
  Folder folder;
  ProfileStore store(folder.path("profiles"));
  std::string id = store.new_id();
  profile::Profile profile = profile::sample_profile();
  profile.metadata.title = "Before the change";
  profile.value_types.back().interval = 1'000'000;
  replace_file(store.path_of(id), profile::write_pprof(profile, {}));
  nlohmann::json of_model = store.describe(id, profile);
  EXPECT_EQ(store.describe(id), of_model) << "kept in its file";
  ASSERT_EQ(unlink(folder.path("profiles/" + id + ".json").c_str()), 0);
  EXPECT_EQ(store.describe(id), of_model) << "read back";
}

TEST(ProfileStore, ListsTheRunsOfReplsAsWell) {
  Folder folder;
  std::string runs = folder.path("results"), run = "20260314_150926-01-cpu-profile";
  ProfileStore store(
      folder.path("profiles"), {}, [](const std::string&) {}, runs);
  std::string own = put(&store);
  EXPECT_EQ(store.list().size(), 1u) << "there is no folder of runs yet";
  mkdir(runs.c_str(), S_IRWXU);
  profile::Profile profile = profile::sample_profile();
  profile.metadata.program = "clojure.main";
  profile.metadata.pid = "4711";
  replace_file(runs + "/" + run + ".pb.gz", profile::write_pprof(profile, {}));
  replace_file(runs + "/20260314_150926-01-cpu-flamegraph.html", "<html>");
  replace_file(runs + "/startup.pb.gz", profile::write_pprof(profile, {}));
  std::ofstream(runs + "/20260314_150927-02-cpu-profile.pb.gz") << "";  // being written
  ASSERT_EQ(store.list().size(), 2u);
  nlohmann::json described = store.describe(run);
  EXPECT_EQ(described["program"], "clojure.main");
  EXPECT_EQ(described["pid"], "4711");
  EXPECT_EQ(store.load(run).sample_count(), profile.sample_count());
  store.stored(own);
  EXPECT_EQ(store.figures().profiles, 1) << "runs are not the store's to drop";
  store.remove(run);
  EXPECT_EQ(store.list().size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(runs + "/" + run + ".json"));
}

TEST(ProfileStore, FollowsNoLink) {
  Folder folder;
  std::string runs = folder.path("results"), secret = folder.path("secret"), run = "20260314_150926-01-cpu-profile";
  replace_file(secret, "root:x:0:0\n");
  mkdir(runs.c_str(), S_IRWXU);
  ProfileStore store(
      folder.path("profiles"), {}, [](const std::string&) {}, runs);
  std::string own = put(&store);
  ASSERT_EQ(symlink(secret.c_str(), (runs + "/" + run + ".pb.gz").c_str()), 0);
  ASSERT_EQ(symlink(secret.c_str(), store.path_of("link").c_str()), 0);
  ASSERT_EQ(mkfifo(store.path_of("pipe").c_str(), S_IRWXU), 0);
  for (const std::string& id : {run, std::string("link"), std::string("pipe")}) {
    EXPECT_FALSE(store.has(id)) << id;
    EXPECT_THROW(store.describe(id), Refusal) << id;
    EXPECT_THROW(store.load(id), Refusal) << id;
    EXPECT_THROW(store.remove(id), Refusal) << id;
  }
  std::string description = folder.path("profiles/" + own + ".json");
  replace_file(secret, nlohmann::json({{"id", own}, {"bytes", read_file(store.path_of(own)).size()}}).dump());
  ASSERT_EQ(symlink(secret.c_str(), description.c_str()), 0);
  EXPECT_GT(store.describe(own)["samples"], 0) << "made anew";
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

TEST(ProfileStore, OtherFilesAreLeftOut) {
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

// Written so many seconds ago.
void make_old(const std::string& path, time_t seconds) {
  timespec then{time(nullptr) - seconds, 0};
  timespec times[2] = {then, then};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST(ProfileStore, DropsTheOldestOfTooManyAndReportsIt) {
  Folder folder;
  std::vector<std::string> lines;
  options::StoreLimits limits;
  limits.count = 2;
  ProfileStore store(folder.path("profiles"), limits, [&](const std::string& line) { lines.push_back(line); });
  std::vector<std::string> ids;
  for (time_t age : {30, 20, 10}) {
    ids.push_back(put(&store));
    store.describe(ids.back());
    make_old(store.path_of(ids.back()), age);
  }
  store.stored(ids.back());
  EXPECT_FALSE(store.has(ids[0]));
  EXPECT_TRUE(store.has(ids[1]));
  EXPECT_TRUE(store.has(ids[2]));
  EXPECT_EQ(store.figures().profiles, 2);
  EXPECT_EQ(store.figures().dropped, 1u);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find(ids[0]), std::string::npos) << lines[0];
  EXPECT_NE(access(folder.path("profiles/" + ids[0] + ".json").c_str(), F_OK), 0);
  store.stored(ids.back());
  EXPECT_EQ(lines.size(), 1u);
}

TEST(ProfileStore, TheNewestStaysHoweverLargeItIs) {
  Folder folder;
  options::StoreLimits limits;
  limits.bytes = 1;
  ProfileStore store(folder.path("profiles"), limits);
  std::string first = put(&store), second = put(&store);
  make_old(store.path_of(second), 100);
  store.stored(second);
  EXPECT_FALSE(store.has(first));
  EXPECT_TRUE(store.has(second));
  EXPECT_GT(store.figures().bytes, 1);
}

bool is_there(const Folder& folder, const std::string& name) {
  return access(folder.path("profiles/" + name).c_str(), F_OK) == 0;
}

// Bytes of one stored profile, without a description.
int64_t size_of_one() {
  Folder folder;
  ProfileStore store(folder.path("profiles"));
  put(&store);
  return store.figures().bytes;
}

void put_large(ProfileStore* store, const std::string& id, int64_t bytes) {
  replace_file(store->path_of(id), std::string(static_cast<size_t>(bytes), 'x'));
}

TEST(ProfileStore, OneThatIsTooLargeTakesNoOthersWithIt) {
  Folder folder;
  options::StoreLimits limits;
  limits.bytes = 10 * size_of_one();
  ProfileStore store(folder.path("profiles"), limits);
  std::string first = put(&store), large = store.new_id();
  make_old(store.path_of(first), 100);
  put_large(&store, large, limits.bytes + 1);
  make_old(store.path_of(large), 50);
  store.stored(large);
  EXPECT_TRUE(store.has(first));
  EXPECT_TRUE(store.has(large));
  store.place_for(store.new_id());  // a session starts: it is the newest still
  EXPECT_TRUE(store.has(large));
  store.stored(put(&store));
  EXPECT_TRUE(store.has(first));
  EXPECT_FALSE(store.has(large));
  EXPECT_EQ(store.figures().dropped, 1u);
}

TEST(ProfileStore, AStartDropsNothing) {
  Folder folder;
  options::StoreLimits none;
  none.bytes = none.count = 1;
  std::string id, other;
  {
    ProfileStore store(folder.path("profiles"));
    id = put(&store);
    other = put(&store);
  }
  ProfileStore store(folder.path("profiles"), none);
  EXPECT_TRUE(store.has(id));
  EXPECT_TRUE(store.has(other));
  store.stored(put(&store));
  EXPECT_EQ(store.figures().profiles, 1);
}

TEST(ProfileStore, FilesOfOthersStay) {
  Folder folder;
  options::StoreLimits none;
  none.bytes = none.count = 1;
  ProfileStore store(folder.path("profiles"), none);
  const std::vector<std::string> foreign = {"user.note.v1.pb.gz", "mine.pb.gz", "20260101-120000-1.pb.gz",
                                            "lonely.json",        "half.tmp",   "a.b.json"};
  for (const std::string& name : foreign) {
    std::ofstream(folder.path("profiles/" + name)) << "x";
    make_old(folder.path("profiles/" + name), 7200);
  }
  std::string made = put(&store);
  make_old(store.path_of(made), 3600);
  store.stored(put(&store));
  EXPECT_FALSE(store.has(made));
  for (const std::string& name : foreign) EXPECT_TRUE(is_there(folder, name)) << name;
  EXPECT_EQ(store.figures().profiles, 1);
}

TEST(ProfileStore, KnowsTheIdsThatItMakes) {
  Folder folder;
  ProfileStore here(folder.path("profiles"));
  ProfileStore there(folder.path("profiles"));  // as in another container: same second, same pid, same number
  std::string id = here.new_id();
  EXPECT_NE(id, there.new_id());
  EXPECT_TRUE(is_made_id(id)) << id;
  for (const char* text :
       {"", "-", "20260101-120000-1-1", "20260101-120000-1-1-0a1b2c3", "20260101-120000-1-1-0a1b2c3d-",
        "20260101-120000-1-1-0a1b2c3d-1", "20260101-120000--1-0a1b2c3d", "2026x101-120000-1-1-0a1b2c3d"})
    EXPECT_FALSE(is_made_id(text)) << text;
  EXPECT_TRUE(is_made_id("20260101-120000-1-1-0a1b2c3d"));
}

TEST(ProfileStore, AReaderReadsADroppedProfileToItsEnd) {
  Folder folder;
  options::StoreLimits limits;
  limits.count = 1;
  ProfileStore store(folder.path("profiles"), limits);
  std::string first = put(&store);
  std::ifstream reader(store.path_of(first), std::ios::binary);
  make_old(store.path_of(first), 100);
  store.stored(put(&store));
  EXPECT_FALSE(store.has(first));
  std::string bytes((std::istreambuf_iterator<char>(reader)), std::istreambuf_iterator<char>());
  EXPECT_EQ(profile::dump(profile::read(bytes)), profile::dump(profile::sample_profile()));
  EXPECT_THROW(store.bytes(first), Refusal);
}

TEST(ProfileStore, LeftoversOfAKilledProcessAreRemoved) {
  Folder folder;
  std::string id;
  {
    ProfileStore store(folder.path("profiles"));
    id = put(&store);
  }
  auto leave = [&](const std::string& name, time_t age) {
    std::ofstream(folder.path("profiles/" + name)) << "half";
    make_old(folder.path("profiles/" + name), age);
  };
  leave("20260101-120000-1-1-0a1b2c3d.pb.gz.17.tmp", 3600);
  leave("20260101-120000-1-2-0a1b2c3d.pb.gz.17.tmp", 1);  // somebody is writing it
  leave("20260101-120000-1-3-0a1b2c3d.json", 3600);
  leave("notes.txt", 3600);
  ProfileStore store(folder.path("profiles"));
  EXPECT_FALSE(is_there(folder, "20260101-120000-1-1-0a1b2c3d.pb.gz.17.tmp"));
  EXPECT_TRUE(is_there(folder, "20260101-120000-1-2-0a1b2c3d.pb.gz.17.tmp"));
  EXPECT_FALSE(is_there(folder, "20260101-120000-1-3-0a1b2c3d.json"));
  EXPECT_TRUE(is_there(folder, "notes.txt"));
  EXPECT_TRUE(store.has(id));
}

TEST(ProfileStore, IsMadeAgainWhereSomebodyDeletedIt) {
  Folder folder;
  ProfileStore store(folder.path("profiles"));
  put(&store);
  std::filesystem::remove_all(folder.path("profiles"));
  EXPECT_THROW(store.list(), Error);
  EXPECT_EQ(store.figures().profiles, 0);
  std::string id = store.new_id();
  replace_file(store.place_for(id), profile::write_pprof(profile::sample_profile(), {}));
  EXPECT_EQ(store.list().size(), 1u);
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
