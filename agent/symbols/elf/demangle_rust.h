// Rust's two mangling schemes. Pure functions of text; not signal safe.
#pragma once

#include <string>
#include <string_view>

namespace hearth::symbols {

// Returns the name of "_R…" (RFC 2603) with generic arguments, without the crates' hashes; "" for other symbols.
std::string rust_v0_name(std::string_view symbol);

// Returns the name of a symbol of Rust's first scheme, core::fmt::write::h0123456789abcdef, which the C++ demangler has
// processed; "" without such a hash at the end.
std::string rust_legacy_name(std::string_view name);

}  // namespace hearth::symbols
