#!/bin/sh
# Runs what the action runs, in a new project: once as it is, and once with a change that its golden does not allow. The program
# `flockwork` is the one in the PATH. Its argument is the script of a release.
set -eu
script=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
flockwork new meadow >/dev/null
cd meadow
sh "$script"
sed -i 's|0.3 [*] me|0.9 * me|' scripts/hello.rhai

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/summary.md"
: >"$GITHUB_STEP_SUMMARY"
code=0
sh "$script" >"$work/printed" || code=$?
[ $code = 1 ] || fail "a changed run ended with $code: $(cat "$work/printed")"
grep -q 'first difference' "$work/summary.md" || fail "no diagnosis in the summary: $(cat "$work/summary.md")"
grep -q 'flockwork test --update' "$work/summary.md" || fail "the summary does not say how to accept the change"
[ -s flockwork-report/junit.xml ] && ls flockwork-report/*.html >/dev/null || fail "no report: $(ls flockwork-report)"

printf 'fn steer(me) { me.sek(vec(1, 2)) }\n' >scripts/hello.rhai
code=0
sh "$script" >"$work/printed" || code=$?
[ $code = 1 ] || fail "a mistake ended with $code"
grep -q '^::error file=scripts/hello.rhai,line=1' "$work/printed" || fail "the mistake is not at its line: $(cat "$work/printed")"
echo "a project in CI: a pass, a difference with its diagnosis, and a mistake at its line"
