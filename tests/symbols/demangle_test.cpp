#include "symbols/elf/demangle.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace hearth::symbols {
namespace {

std::string name_of(const char* symbol) {
  return demangle(symbol).name;
}

// As the demangler of the C++ library writes them.
#if defined(_LIBCPP_VERSION)
constexpr const char* kLambda = "foo()::'lambda'(int)::operator()";
constexpr const char* kOperator = "operator<<<char>";
#else
constexpr const char* kLambda = "foo()::{lambda(int)#1}::operator()";
constexpr const char* kOperator = "operator<< <char>";
#endif

TEST(Demangle, CutsParameters) {
  EXPECT_EQ(name_of("_ZN3Foo3barEi"), "Foo::bar");
  EXPECT_EQ(name_of("_ZNK3Foo3barEPKcS1_z"), "Foo::bar");
  EXPECT_EQ(name_of("_ZN20G1ParScanThreadState20steal_and_trim_queueEP19GenericTaskQueueSetI17OverflowTaskQueueI"
                    "11ScannerTaskL8MEMFLAGS5ELj131072EELS3_5EE"),
            "G1ParScanThreadState::steal_and_trim_queue");
  EXPECT_EQ(name_of("_ZN12_GLOBAL__N_16helperEv"), "(anonymous namespace)::helper");
  EXPECT_EQ(name_of("_ZN3FooclEi"), "Foo::operator()");
  EXPECT_EQ(name_of("_ZNSt8functionIFviEEclEi"), "std::function<void (int)>::operator()");
  EXPECT_EQ(name_of("_ZZ3foovENKUliE_clEi"), kLambda);
  EXPECT_EQ(name_of("_ZThn16_N3Foo3barEi"), "non-virtual thunk to Foo::bar");
}

TEST(Demangle, KeepsTemplatesClosedUp) {
  EXPECT_EQ(name_of("_ZN1AI1BI1CEE1fEv"), "A<B<C>>::f");
  EXPECT_EQ(name_of("_ZN1AI1BI1CIiEEE1fEv"), "A<B<C<int>>>::f");
  EXPECT_EQ(name_of("_Z5applyI3FooEvT_"), "apply<Foo>");
}

TEST(Demangle, CutsReturnTypesOfTemplates) {
  EXPECT_EQ(name_of("_Z9partitionIiEmT_"), "partition<int>");
  EXPECT_EQ(name_of("_ZN2ns3getIiEERKSsv"), "ns::get<int>");
  EXPECT_EQ(name_of("_ZN12_GLOBAL__N_13getIiEEmv"), "(anonymous namespace)::get<int>");
  EXPECT_EQ(name_of("_ZlsIcERSoS0_T_"), kOperator);
}

TEST(Demangle, CutsVersions) {
  EXPECT_EQ(name_of("pthread_cond_wait@@GLIBC_2.3.2"), "pthread_cond_wait");
  EXPECT_EQ(name_of("pthread_cond_wait@GLIBC_2.2.5"), "pthread_cond_wait");
  EXPECT_EQ(name_of("_ZN3Foo3barEi@@LIB_1.0"), "Foo::bar");
  EXPECT_EQ(name_of("@odd"), "@odd");
}

TEST(Demangle, DropsSuffixesOfCompilers) {
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

// Symbols of a library that rustc 1.95 made with -C symbol-mangling-version=v0; the names are binutils' without hashes.
TEST(Demangle, ReadsRustsSecondMangling) {
  EXPECT_EQ(name_of("_RINvCs4Q2Qx8jI5j6_1a3genFKClElEB2_"), "a::gen::<extern \"C\" fn(i32) -> i32>");
  EXPECT_EQ(name_of("_RINvCs4Q2Qx8jI5j6_1a3genINtNtCsgEmfK2I1SDS_4core6marker11PhantomDataQDNtNtNtNtBr_4iter6tr"
                    "aits8iterator8Iteratorp4ItemhEL_EEB2_"),
            "a::gen::<core::marker::PhantomData<&mut dyn core::iter::traits::iterator::Iterator<Item = "
            "u8>>>");
  EXPECT_EQ(name_of("_RINvCs4Q2Qx8jI5j6_1a3genRINtNtNtNtCsjrHSEGnQ3l9_3std11collections4hash3map7HashMapNtNtCsl"
                    "NYArtu3iFV_5alloc6string6StringINtNtB1m_3vec3VecINtNtCsgEmfK2I1SDS_4core6option6OptionThPa"
                    "EEEEEB2_"),
            "a::gen::<&std::collections::hash::map::HashMap<alloc::string::String, alloc::vec::Vec<core"
            "::option::Option<(u8, *const i8)>>>>");
  EXPECT_EQ(name_of("_RINvCs4Q2Qx8jI5j6_1a3genTlcAxj2_RebfEEB2_"), "a::gen::<(i32, char, [i64; 2], &str, bool, f32)>");
  EXPECT_EQ(name_of("_RNvXs0_NtCs4Q2Qx8jI5j6_1a5innerRStNtB5_2Tr2go"), "<&[u16] as a::inner::Tr>::go");
  EXPECT_EQ(name_of("_RNvMNtCs4Q2Qx8jI5j6_1a5innerINtB2_1PNtNtCslNYArtu3iFV_5alloc6string6StringE3getB4_"),
            "<a::inner::P<alloc::string::String>>::get");
  EXPECT_EQ(name_of("_RNvCs4Q2Qx8jI5j6_1a4dynf"), "a::dynf");
  EXPECT_EQ(name_of("_RNCNvCs4Q2Qx8jI5j6_1a5entrys0_0B3_"), "a::entry::{closure#2}");
  EXPECT_EQ(name_of("_RNSNvYNCNvCs4Q2Qx8jI5j6_1a5entrys0_0INtNtNtCsgEmfK2I1SDS_4core3ops8function6FnOnceTlEE9ca"
                    "ll_once6vtableB8_"),
            "<a::entry::{closure#2} as core::ops::function::FnOnce<(i32,)>>::call_once::{shim:vtable#0}");
  EXPECT_EQ(name_of("_RNvXst_NtCsgEmfK2I1SDS_4core3fmtINtNtB7_6marker11PhantomDataQDNtNtNtNtB7_4iter6traits8ite"
                    "rator8Iteratorp4ItemhEL_ENtB5_5Debug3fmtCs4Q2Qx8jI5j6_1a"),
            "<core::marker::PhantomData<&mut dyn core::iter::traits::iterator::Iterator<Item = u8>> as "
            "core::fmt::Debug>::fmt");
  EXPECT_EQ(name_of("_RNvXs1g_NtCsgEmfK2I1SDS_4core3fmtRPaNtB6_5Debug3fmtCs4Q2Qx8jI5j6_1a"),
            "<&*const i8 as core::fmt::Debug>::fmt");
  EXPECT_TRUE(demangle("_RNvCs1234_7mycrate3foo").is_mangled);
  EXPECT_EQ(name_of("_RNvCs1234_7mycrate3foo.llvm.99"), "mycrate::foo");
}

TEST(Demangle, SurvivesDamagedRustNames) {
  EXPECT_EQ(name_of("_R"), "_R");
  EXPECT_EQ(name_of("_RNv"), "_RNv");
  EXPECT_EQ(name_of("_RB_"), "_RB_") << "a reference to itself";
  EXPECT_EQ(name_of("_RNvC99999999999999999999a1b"), "_RNvC99999999999999999999a1b");
  std::string nested = "_R" + std::string(100000, 'M');
  EXPECT_EQ(name_of(nested.c_str()), nested);
  const std::string original = "_RINvCs1z_1a3genDG_INtNtCs2_4core3ops2FnTRL0_hEEp6OutputuNtB8_4SendEL_EB2_";
  std::mt19937 random(20260103);
  for (int round = 0; round < 20000; ++round) {
    std::string mutant = original;
    for (unsigned change = 1 + random() % 4; change > 0; --change)
      mutant[2 + random() % (mutant.size() - 2)] = original[2 + random() % (original.size() - 2)];
    EXPECT_FALSE(name_of(mutant.c_str()).empty());
  }
}

}  // namespace
}  // namespace hearth::symbols
