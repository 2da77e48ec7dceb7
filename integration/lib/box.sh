# shellcheck shell=bash disable=SC2154
# Another Debian in a folder, $box, made by debootstrap. To be sourced after steps.sh.

mirror_of_this_machine() {
  local found
  found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
    grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
  [[ -n $found ]] || fail "no Debian mirror in /etc/apt/sources.list or sources.list.d; name one there"
  printf '%s\n' "$found"
}

# Nothing is removed that these scripts did not make.
empty_box() {
  [[ ! -e $box || -e $box/.hearth || -z $(ls -A "$box") ]] || fail "$box is something else; choose another place by --box"
  rm -rf --one-file-system "$box" && mkdir -p "$box" && touch "$box/.hearth"
}

# bootstrap SUITE MIRROR [OPTION…]: a minimal Debian in an emptied $box.
bootstrap() {
  command -v debootstrap >/dev/null || { apt-get update -qq; apt-get install -y -qq debootstrap; }
  empty_box && debootstrap --variant=minbase "${@:3}" "$1" "$box" "$2"
}
