# shellcheck shell=bash disable=SC2034
# Progress for shell scripts: one line a step, its seconds, and the end of its log when it fails. To be sourced.
#   step NAME COMMAND [ARG…]   runs the command with its output in a log; leaves the script when it fails
#   fail "what failed, on what; what to do"

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${HEARTH_BUILD:-$root/build}
logs=$build/logs
# Downloads that are of no package: outside of the build tree, which may be removed at any time.
cache=${HEARTH_CACHE:-${XDG_CACHE_HOME:-~/.cache}/hearth}

if [[ -t 1 ]]; then
  green=$'\e[32m' red=$'\e[31m' dim=$'\e[2m' bold=$'\e[1m' plain=$'\e[0m'
else
  green='' red='' dim='' bold='' plain=''
fi

fail() {
  printf '%s✗%s %s\n' "$red" "$plain" "$*" >&2
  exit 1
}

# log_of NAME: the file that a step's output goes to.
log_of() { printf '%s\n' "$logs/${1//[^A-Za-z0-9]/-}.log"; }

# passed NAME SECONDS and failed NAME SECONDS LOG are the two ends of a step.
passed() { printf '%s✓%s %s %s(%d s)%s\n' "$green" "$plain" "$1" "$dim" "$2" "$plain"; }
failed() {
  printf '%s✗%s %s (%d s), the end of %s:\n' "$red" "$plain" "$1" "$2" "$3"
  tail -n 25 "$3" | sed 's/^/    /'
}

# Shows that a long step goes on: its log's last [n/m] of ninja, on a terminal in its line, else every half minute.
watch_log() {
  local name=$1 log=$2 now before='' pause=30
  [[ -t 1 ]] && pause=1
  while sleep "$pause" >/dev/null 2>&1; do  # or the reader of our output would wait for it
    now=$(tail -c 4096 "$log" | tr '\r' '\n' | grep -o '^\[[0-9]*/[0-9]*\]' | tail -n 1) || true
    [[ $now == "$before" ]] && continue
    before=$now
    if [[ -t 1 ]]; then printf '\e[K%s… %s %s%s\r' "$dim" "$name" "$now" "$plain"; else printf '… %s %s\n' "$name" "$now"; fi
  done
}

# try NAME COMMAND…: a step that may fail; the caller decides. On a terminal it shows while it runs.
try() {
  local name=$1 log watcher began=$SECONDS status=0
  shift
  mkdir -p "$logs"
  log=$(log_of "$name")
  [[ -t 1 ]] && printf '%s… %s%s\r' "$dim" "$name" "$plain"
  : >"$log"
  watch_log "$name" "$log" &
  watcher=$!
  ("$@") >"$log" 2>&1 </dev/null || status=$?  # so that a call of fail ends here, and its log is shown
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  [[ -t 1 ]] && printf '\e[K'
  if ((status == 0)); then passed "$name" $((SECONDS - began)); else failed "$name" $((SECONDS - began)) "$log"; fi
  return "$status"
}

step() { try "$@" || exit 1; }
