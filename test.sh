#!/usr/bin/env bash
# Installs what the tests need, builds what is missing and runs them all.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/scripts/build.sh"

usage() {
  cat <<'U'
usage: ./test.sh [--quick] [SUITE...]

Runs the suites lint, unit, lit, mutants, models, endtoend, quickstart and
sanitize, or those named, after installing and building what they need. The last line is
`N passed, N failed, N skipped`; the exit status is 0 only if no test failed
and at least one passed.

  --quick      leave out mutants, the last three and the loss curves of models
  --no-build   run what is built, install and build nothing
  --help       this text

environment
  AMP_REFERENCE_MODELS   folder of models with reference gradients; without
                         it, and without ../shared/models, these are skipped

examples
  ./test.sh
  ./test.sh lit unit
  ./test.sh --quick
U
}

build=yes
suites=()
options=()
for argument in "$@"; do
  case $argument in
  --quick) options+=(--quick) ;;
  --no-build) build=no ;;
  -h | --help)
    usage
    exit 0
    ;;
  -*)
    usage >&2
    printf "error: unknown option '%s'\n" "$argument" >&2
    exit 2
    ;;
  lint | unit | lit | mutants | models | endtoend | quickstart | sanitize)
    suites+=("$argument")
    ;;
  *)
    usage >&2
    printf "error: unknown suite '%s'\n" "$argument" >&2
    exit 2
    ;;
  esac
done

start=$SECONDS
if [ $build = yes ]; then
  amp_packages test
  amp_venv test
  say "packages: $(((SECONDS - start + 30) / 60)) minutes"
  start=$SECONDS
  if [ "${suites[*]}" != lint ]; then
    amp_build
    say "build: $(((SECONDS - start + 30) / 60)) minutes"
  fi
fi
exec "$(amp_python)" "$AMP_ROOT/scripts/run_tests.py" \
  --build "$(build_dir release)" --python "$(amp_python)" \
  "${options[@]}" "${suites[@]}"
