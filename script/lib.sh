# What the scripts share: where things are, which versions, how to say things. Sourced, never run.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit

# Tools live inside the project, one folder per version, so that a new version never half-overwrites an old one.
# Several checkouts may share one folder: LOOPSCOPE_TOOLS=/somewhere script/build
tools=${LOOPSCOPE_TOOLS:-$root/.tools}
browser_tests=$root/tests/browser

rust_channel=$(awk -F'"' '/^channel/ { print $2 }' rust-toolchain.toml)
trunk_version=0.21.14
binaryen_version=132.0.0
esbuild_version=0.28.2
node_major=20
# The command-line half of wasm-bindgen must be exactly the version of the library half.
wasm_bindgen_version=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print; exit }' Cargo.lock)
wasm_target=wasm32-unknown-unknown

# The project's tools first, then whatever the machine has.
export PATH="$tools/bin:$PATH"
# A machine without a network should not wait for an update check.
export TRUNK_SKIP_VERSION_CHECK=true
# Trunk reads NO_COLOR=1 as a bad value for its own flag; it wants true or false.
if [ -n "${NO_COLOR:-}" ]; then export NO_COLOR=true; fi

say() { printf '==> %s\n' "$*"; }
warn() { printf '==> %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# Where rustup has the right version under another name only, use that name (bootstrap finds it).
use_rust() {
  local channel name
  if [ -r "$tools/rust-toolchain" ] && read -r channel name <"$tools/rust-toolchain" && [ "$channel" = "$rust_channel" ]; then
    export RUSTUP_TOOLCHAIN=$name
  fi
}
use_rust

# The Chromium for the tests: $CHROMIUM, or the first one on PATH. Prints nothing when there is none.
find_chromium() {
  local name
  if [ -n "${CHROMIUM:-}" ]; then
    command -v "$CHROMIUM" || die "CHROMIUM=$CHROMIUM cannot be run"
    return
  fi
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name"; then return; fi
  done
  name="/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
  if [ -x "$name" ]; then echo "$name"; fi
}

# The second engine for the tests: $FIREFOX, or the first one on PATH. Prints nothing when there is none.
find_firefox() {
  local name
  if [ -n "${FIREFOX:-}" ]; then
    command -v "$FIREFOX" || die "FIREFOX=$FIREFOX cannot be run"
    return
  fi
  for name in firefox-esr firefox; do
    if command -v "$name"; then return; fi
  done
  name="/Applications/Firefox.app/Contents/MacOS/firefox"
  if [ -x "$name" ]; then echo "$name"; fi
}
