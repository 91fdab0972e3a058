#!/usr/bin/env bash
# Installs what the project needs, configures it and builds it.
# quickstart.sh and test.sh source this file; it also runs by itself.
set -euo pipefail

AMP_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
AMP_VENV=${AMP_VENV:-$AMP_ROOT/.venv}

# The LLVM packages come from the security section of Debian 12.
AMP_BUILD_PACKAGES=(
  g++ cmake ninja-build ccache lld-22
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools liblld-22-dev
  libdnnl-dev libprotobuf-dev protobuf-compiler
  libflatbuffers-dev flatbuffers-compiler nlohmann-json3-dev libfmt-dev
  libcli11-dev libboost-graph-dev zlib1g-dev libzstd-dev python3-venv ca-certificates)
AMP_DATA_PACKAGES=(dataset-fashion-mnist)
AMP_TEST_PACKAGES=(libgtest-dev libgmock-dev clang-format-22)

say() { printf '== %s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

usage() {
  cat <<'U'
usage: scripts/build.sh [COMMAND]

  packages [quickstart|test]  install the missing Debian packages (default test)
  venv [build|test]           make .venv with the pinned Python packages
  configure [PRESET]          configure a preset of CMakePresets.json (release)
  build [TARGET...]           configure if needed and build (default: all)
  all                         packages, venv, configure, build (the default)

environment
  AMP_PRESET   preset to configure and build (release, debug, asan,
               asan-runtime, tsan)
  AMP_VENV     folder of the virtual environment (default: .venv)
  AMP_JOBS     compile jobs at a time (default: ninja's)

examples
  scripts/build.sh
  scripts/build.sh build amp-opt
  AMP_PRESET=asan scripts/build.sh build amp-unit-tests
U
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "installing packages needs root: run as root, or install sudo"
  fi
}

missing_packages() {
  local name status
  for name in "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s\n' "$name"
  done
}

# install_packages NAME...: installs those that are not there yet.
install_packages() {
  command -v dpkg-query >/dev/null ||
    die "this script installs Debian packages; on other systems install the equivalents of: $*"
  local missing log name
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${#missing[@]} packages: ${missing[*]}"
  log=$(mktemp)
  if ! as_root apt-get update >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    die "the package lists could not be fetched: is this machine online?"
  fi
  for name in "${missing[@]}"; do
    [[ $(apt-cache policy "$name") =~ Candidate:\ [^\(] ]] ||
      die "no package source offers '$name'; Debian 12 has it in 'bookworm main' or, for LLVM 22, in 'bookworm-security main'"
  done
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y \
    --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    die "apt-get could not install the packages (whole output: $log)"
  fi
  rm -f "$log"
}

amp_packages() {
  case ${1:-test} in
  quickstart) install_packages "${AMP_BUILD_PACKAGES[@]}" "${AMP_DATA_PACKAGES[@]}" ;;
  test) install_packages "${AMP_BUILD_PACKAGES[@]}" "${AMP_DATA_PACKAGES[@]}" "${AMP_TEST_PACKAGES[@]}" ;;
  *) die "unknown package set '$1', expected quickstart or test" ;;
  esac
}

# amp_venv build|test: the pinned Python packages. A stamp holds what was
# installed, so an interrupted or outdated environment is made again.
amp_venv() {
  local set=${1:-test} file=requirements.txt wanted have log
  [ "$set" = test ] && file=requirements-test.txt
  wanted=$(cat "$AMP_ROOT/scripts/requirements.txt" "$AMP_ROOT/scripts/$file" | cksum)
  have=$(cat "$AMP_VENV/.amp-stamp-$set" 2>/dev/null || true)
  [ "$have" = "$wanted" ] && [ -x "$AMP_VENV/bin/python" ] && return 0
  say "installing Python packages into ${AMP_VENV#"$AMP_ROOT"/}"
  # Debian's own interpreter: the one whose venv package was installed.
  local python=/usr/bin/python3
  [ -x $python ] || python=python3
  log=$(mktemp)
  if [ ! -x "$AMP_VENV/bin/python" ] || [ ! -f "$AMP_VENV/.amp-stamp-build" ]; then
    $python -m venv --clear "$AMP_VENV" >"$log" 2>&1 ||
      { cat "$log" >&2; die "python3 -m venv failed: is python3-venv installed?"; }
  fi
  if ! "$AMP_VENV/bin/python" -m pip install --quiet \
    --disable-pip-version-check -r "$AMP_ROOT/scripts/$file" >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    die "pip could not install scripts/$file: is this machine online?"
  fi
  rm -f "$log"
  cat "$AMP_ROOT/scripts/requirements.txt" "$AMP_ROOT/scripts/requirements.txt" |
    cksum >"$AMP_VENV/.amp-stamp-build"
  printf '%s\n' "$wanted" >"$AMP_VENV/.amp-stamp-$set"
}

amp_python() { printf '%s\n' "$AMP_VENV/bin/python"; }

# build_dir PRESET: the folder CMakePresets.json gives that preset.
build_dir() {
  case $1 in
  release) printf '%s\n' "$AMP_ROOT/build" ;;
  debug | asan | asan-runtime | tsan) printf '%s\n' "$AMP_ROOT/build-$1" ;;
  *) die "unknown preset '$1', expected release, debug, asan, asan-runtime or tsan" ;;
  esac
}

# cached DIR NAME VALUE: whether the cache of a build folder says so.
cached() {
  grep -qE "^$2:[A-Z]+=" "$1/CMakeCache.txt" 2>/dev/null &&
    [ "$(sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt")" = "$3" ]
}

# amp_configure PRESET: does nothing where the folder is configured already for
# this checkout and this Python. AMP_WITH_TESTS=OFF is enough for programs
# alone: it needs no test packages, and a folder with tests will do as well.
amp_configure() {
  local preset=${1:-${AMP_PRESET:-release}} tests=${AMP_WITH_TESTS:-ON}
  local dir python log fresh=()
  dir=$(build_dir "$preset")
  python=$(amp_python)
  if [ -f "$dir/CMakeCache.txt" ]; then
    # A checkout that was moved keeps a cache of its old place.
    cached "$dir" CMAKE_HOME_DIRECTORY "$AMP_ROOT" || fresh=(--fresh)
    # A failed attempt leaves a cache, but nothing to build with.
    [ -f "$dir/build.ninja" ] && cached "$dir" AMP_BUILD_TESTS ON && tests=ON
    if [ -f "$dir/build.ninja" ] && [ ${#fresh[@]} -eq 0 ] &&
      cached "$dir" AMP_PYTHON "$python" &&
      cached "$dir" AMP_BUILD_TESTS "$tests"; then
      return 0
    fi
  fi
  say "configuring ${dir#"$AMP_ROOT"/}"
  mkdir -p "$dir"
  log=$dir/configure.log
  if ! (cd "$AMP_ROOT" && cmake "${fresh[@]}" --preset "$preset" \
    -DAMP_PYTHON="$python" -DAMP_BUILD_TESTS="$tests") >"$log" 2>&1; then
    rm -f "$dir/build.ninja"
    grep -A 8 'CMake Error' "$log" | head -n 40 >&2 || true
    die "cmake failed (whole output: $log)"
  fi
}

# amp_build TARGET...: builds in the folder of AMP_PRESET, one build at a time.
amp_build() {
  local dir log jobs=()
  dir=$(build_dir "${AMP_PRESET:-release}")
  amp_configure "${AMP_PRESET:-release}"
  [ -n "${AMP_JOBS:-}" ] && jobs=(-j "$AMP_JOBS")
  log=$dir/build.log
  exec {build_lock}>"$dir/.lock"
  flock "$build_lock"
  say "building in ${dir#"$AMP_ROOT"/}: ${*:-everything}"
  if [ -t 1 ]; then
    ninja -C "$dir" "${jobs[@]}" "$@" || die "the build failed"
  elif ! ninja -C "$dir" "${jobs[@]}" "$@" >"$log" 2>&1; then
    grep -E -A 12 'FAILED|error' "$log" | head -n 60 >&2 || true
    die "the build failed (whole output: $log)"
  fi
  exec {build_lock}>&-
}

amp_main() {
  local command=${1:-all}
  shift || true
  case $command in
  packages) amp_packages "$@" ;;
  venv) amp_venv "$@" ;;
  configure) amp_configure "$@" ;;
  build) amp_build "$@" ;;
  all)
    amp_packages test
    amp_venv test
    amp_build
    ;;
  -h | --help | help) usage ;;
  *)
    usage >&2
    printf "error: unknown command '%s'\n" "$command" >&2
    exit 2
    ;;
  esac
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  amp_main "$@"
fi
