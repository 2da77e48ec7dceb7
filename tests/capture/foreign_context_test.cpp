#include "capture/labels/foreign_context.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "capture/faults/fault_handler.h"

namespace hearth::capture {
namespace {

thread_local const void* t_record = nullptr;  // as another agent's variable

std::string attribute(int key, const std::string& text) {
  return std::string(1, static_cast<char>(key)) + static_cast<char>(text.size()) + text;
}

// Of trace 0102…10, span a1…a8.
std::string record(const std::string& attributes, char valid = 1) {
  std::string bytes;
  for (char byte = 1; byte <= 16; byte++) bytes += byte;
  for (int byte = 0xa1; byte <= 0xa8; byte++) bytes += static_cast<char>(byte);
  bytes += valid;
  bytes += '\1';
  auto size = static_cast<uint16_t>(attributes.size());
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  return bytes + attributes;
}

class ForeignContexts : public testing::Test {
 protected:
  void SetUp() override {
    faults_.install();
    source_.sets = &sets_;
    source_.variable.offset = reinterpret_cast<const char*>(&t_record) - static_cast<char*>(__builtin_thread_pointer());
    source_.wanted[0] = 0b110;  // not that of key 0
    set_foreign_source(&source_);
  }
  void TearDown() override {
    set_foreign_source(nullptr);
    t_record = nullptr;
  }
  // Has its last byte at the end of memory that can be read.
  const void* at_edge(const std::string& bytes) {
    char* pages = static_cast<char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(pages + 4096, 4096, PROT_NONE);
    char* first = pages + 4096 - bytes.size();
    std::copy(bytes.begin(), bytes.end(), first);
    return first;
  }
  std::string attributes(const std::string& bytes) {
    t_record = bytes.data();
    return std::string(sets_.of(foreign_context().attributes));
  }

  FaultHandler faults_;
  AttributeSets sets_;
  ForeignSource source_;
};

constexpr SpanIds kIds = {0x0102030405060708, 0x090a0b0c0d0e0f10, 0xa1a2a3a4a5a6a7a8};

TEST_F(ForeignContexts, AreThoseOfTheThread) {
  EXPECT_TRUE(foreign_context().span == SpanIds());
  std::string own = record("");
  t_record = own.data();
  EXPECT_TRUE(foreign_context().span == kIds);
  std::thread([] { EXPECT_TRUE(foreign_context().span == SpanIds()); }).join();
  set_foreign_source(nullptr);
  EXPECT_TRUE(foreign_context().span == SpanIds());
}

TEST_F(ForeignContexts, HaveNoSpanThatIsNotValidOrNotWhole) {
  std::string changing = record("", 0), none = record("");
  t_record = changing.data();
  EXPECT_TRUE(foreign_context().span == SpanIds());
  none.replace(16, 8, 8, '\0');
  t_record = none.data();
  EXPECT_TRUE(foreign_context().span == SpanIds());
}

TEST_F(ForeignContexts, HaveTheWantedAttributes) {
  std::string route = attribute(1, "/a"), method = attribute(2, "GET"), id = attribute(0, "0123456789abcdef");
  EXPECT_EQ(attributes(record(id + route + method)), route + method);
  EXPECT_EQ(attributes(record(route + id)), route);
  EXPECT_EQ(attributes(record(id + attribute(70, "x"))), "");
  std::string cut = record(route + method);
  cut.resize(cut.size() - 1);
  cut[26] = static_cast<char>(cut[26] - 1);
  EXPECT_EQ(attributes(cut), route) << "the last one has not all its bytes";
  std::string much;
  for (int i = 0; i < 40; i++) much += attribute(1, "123456");
  EXPECT_EQ(attributes(record(much)).size(), AttributeSets::kMostBytes) << "as many as fit, which are whole";
}

TEST_F(ForeignContexts, EndWhereMemoryEnds) {
  std::string route = attribute(1, "/abcdefghijk");
  t_record = at_edge(record(route));
  EXPECT_EQ(sets_.of(foreign_context().attributes), route);
  std::string longer = record(route);
  longer[27] = 1;  // 256 bytes more than there are
  t_record = at_edge(longer);
  EXPECT_TRUE(foreign_context().span == kIds);
  t_record = at_edge(longer.substr(0, 20));
  EXPECT_TRUE(foreign_context().span == SpanIds());
  for (uintptr_t address : {uintptr_t{1}, uintptr_t{4096}, UINTPTR_MAX, UINTPTR_MAX / 2 + 1}) {
    t_record = reinterpret_cast<const void*>(address);
    EXPECT_TRUE(foreign_context().span == SpanIds());
    EXPECT_EQ(foreign_context().attributes, AttributeSets::kNone);
  }
}

TEST_F(ForeignContexts, HaveAnotherCheckForAnotherContext) {
  uintptr_t variable = address_of(source_.variable);
  EXPECT_EQ(variable, reinterpret_cast<uintptr_t>(&t_record));
  EXPECT_EQ(check_of(variable), 0u);
  std::string one = record(attribute(1, "/first")), other = record(attribute(1, "/other"));
  t_record = one.data();
  uint64_t check = check_of(variable);
  EXPECT_EQ(check_of(variable), check);
  t_record = other.data();
  EXPECT_NE(check_of(variable), check);
  EXPECT_EQ(check_of(0), 0u);
}

TEST(AttributeSets, EqualSetsHaveEqualNumbersAndTheirNumberIsBounded) {
  AttributeSets sets;
  auto number_of = [&sets](const std::string& text) {
    return sets.number_of(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  };
  EXPECT_EQ(number_of(""), AttributeSets::kNone);
  EXPECT_EQ(number_of("abc"), number_of("abc"));
  EXPECT_NE(number_of("abc"), number_of("abd"));
  EXPECT_GE(number_of("abc"), AttributeSets::kFirst);
  EXPECT_EQ(sets.of(number_of("abd")), "abd");
  EXPECT_EQ(sets.of(AttributeSets::kNone), "");
  for (uint32_t i = 0; i < 2 * AttributeSets::kMost; i++) number_of(std::to_string(i));
  EXPECT_GT(sets.refused(), 0u);
  EXPECT_EQ(sets.of(number_of("abc")), "abc");
}

}  // namespace
}  // namespace hearth::capture
