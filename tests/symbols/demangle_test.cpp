#include "symbols/demangle.h"

#include <gtest/gtest.h>

namespace hearth::symbols {
namespace {

std::string name_of(const char* symbol) {
  return demangle(symbol).name;
}

TEST(Demangle, CutsParameters) {
  EXPECT_EQ(name_of("_ZN3Foo3barEi"), "Foo::bar");
  EXPECT_EQ(name_of("_ZNK3Foo3barEPKcS1_z"), "Foo::bar");
  EXPECT_EQ(name_of("_ZN20G1ParScanThreadState20steal_and_trim_queueEP19GenericTaskQueueSetI17OverflowTaskQueueI"
                    "11ScannerTaskL8MEMFLAGS5ELj131072EELS3_5EE"),
            "G1ParScanThreadState::steal_and_trim_queue");
  EXPECT_EQ(name_of("_ZN12_GLOBAL__N_16helperEv"), "(anonymous namespace)::helper");
  EXPECT_EQ(name_of("_ZN3FooclEi"), "Foo::operator()");
  EXPECT_EQ(name_of("_ZNSt8functionIFviEEclEi"), "std::function<void (int)>::operator()");
  EXPECT_EQ(name_of("_ZZ3foovENKUliE_clEi"), "foo()::{lambda(int)#1}::operator()");
  EXPECT_EQ(name_of("_ZThn16_N3Foo3barEi"), "non-virtual thunk to Foo::bar");
}

TEST(Demangle, KeepsTemplatesClosedUp) {
  EXPECT_EQ(name_of("_ZN1AI1BI1CEE1fEv"), "A<B<C>>::f");
  EXPECT_EQ(name_of("_ZN1AI1BI1CIiEEE1fEv"), "A<B<C<int>>>::f");
  EXPECT_EQ(name_of("_Z5applyI3FooEvT_"), "void apply<Foo>");
}

TEST(Demangle, DropsWhatCompilersAddToCopies) {
  EXPECT_EQ(name_of("_ZN3Foo3barEi.constprop.0"), "Foo::bar");
  EXPECT_EQ(name_of("_ZN3Foo3barEi.part.3.constprop.0.isra.12"), "Foo::bar");
  EXPECT_EQ(name_of("_ZN3Foo3barEi.cold"), "Foo::bar");
  EXPECT_EQ(name_of("inflate_fast.isra.0"), "inflate_fast");
  EXPECT_EQ(name_of("compute.lto_priv.0"), "compute");
  EXPECT_EQ(name_of("compute.llvm.1234567890"), "compute");
}

TEST(Demangle, KeepsDotsThatAreTheNames) {
  EXPECT_EQ(name_of("_GLOBAL__sub_I_foo.cpp"), "_GLOBAL__sub_I_foo.cpp");
  EXPECT_EQ(name_of("main.main"), "main.main");
  EXPECT_EQ(name_of(".plt"), ".plt");
}

TEST(Demangle, LeavesOtherNamesAlone) {
  EXPECT_EQ(name_of("malloc"), "malloc");
  EXPECT_FALSE(demangle("malloc").is_mangled);
  EXPECT_TRUE(demangle("_ZN3Foo3barEi").is_mangled);
  EXPECT_EQ(name_of("_Zwhatever"), "_Zwhatever");
  EXPECT_FALSE(demangle("_Zwhatever").is_mangled);
  EXPECT_EQ(name_of(""), "");
  EXPECT_EQ(name_of("Java_java_lang_Foo_bar"), "Java_java_lang_Foo_bar");
}

TEST(Demangle, ReadsRustsFirstMangling) {
  EXPECT_EQ(name_of("_ZN4core3fmt5write17h0123456789abcdefE"), "core::fmt::write");
  EXPECT_EQ(name_of("_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE"),
            "core::ptr::drop_in_place<alloc::string::String>");
  EXPECT_EQ(name_of("_ZN58_$LT$alloc..string..String$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE"),
            "<alloc::string::String as core::fmt::Debug>::fmt");
  EXPECT_EQ(name_of("_ZN4core3fmt5write17h0123456789abcdefE.llvm.77"), "core::fmt::write");
  EXPECT_TRUE(demangle("_ZN4core3fmt5write17h0123456789abcdefE").is_mangled);
}

}  // namespace
}  // namespace hearth::symbols
