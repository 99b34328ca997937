#!/bin/sh
# Runs what the action runs, in a new project: as it is, with a change that its golden does not allow, and with mistakes. The program
# `flockwork` is the one in the PATH. Its argument is the script of a release.
set -eu
script=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
flockwork new meadow >/dev/null
cd meadow
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY PATHS CHANGED SHARD REPORT ARTIFACT

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
# Runs the script, which has to end with a code.
run() {
    code=0
    sh "$script" >"$work/printed" 2>&1 || code=$?
    [ $code = "$1" ] || fail "it ended with $code instead of $1: $(cat "$work/printed")"
}
# Expects a line in a file.
has() { grep -q -e "$2" "$1" || fail "no line like '$2' in $1: $(cat "$1")"; }

run 0
has flockwork-report/summary.md '1 scenario: 1 passed'
has flockwork-report/junit.xml 'tests="1"'
echo "mine" >flockwork-report/notes.md

sed -i 's|0.3 [*] me|0.9 * me|' scripts/hello.rhai
run 1
ls flockwork-report/*.ron.png >/dev/null || fail "no picture"
[ "$(grep -c '^### ' flockwork-report/summary.md)" = 1 ] || fail "the summary of an earlier run remains"
(
    export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/summary.md" ARTIFACT=flockwork-report-tests-0
    : >"$GITHUB_STEP_SUMMARY"
    run 1
    has "$work/printed" '^::error file=scripts/hello.rhai,line=2,.*title=FAIL scenarios/hello.ron::differs from its golden'
    has "$work/summary.md" 'first difference'
    has "$work/summary.md" '^flockwork test --update scenarios/hello.ron$'
    has "$work/summary.md" '`index.html` in the artifact `flockwork-report-tests-0`'
)
sed -i 's|0.9 [*] me|0.3 * me|' scripts/hello.rhai

printf 'fn steer(me) { me.sek(vec(1, 2)) }\n' >scripts/unused.rhai
run 1
has flockwork-report/summary.md 'there is no function `sek`'
has flockwork-report/junit.xml 'scripts/unused.rhai:1:19'
GITHUB_ACTIONS=true run 1
has "$work/printed" '^::error file=scripts/unused.rhai,line=1'
rm scripts/unused.rhai

run 0
! ls flockwork-report/*.png 2>/dev/null || fail "pictures of an earlier run remain"
has flockwork-report/notes.md mine
SHARD=2/2 run 0
has flockwork-report/summary.md 'shard 2/2 has 0 of 1 scenario'
CHANGED=nothing run 2
has flockwork-report/summary.md 'The tests did not run'
has flockwork-report/summary.md '^error: '
PATHS=missing run 2
has flockwork-report/summary.md 'missing'
[ ! -e flockwork-report/junit.xml ] || fail "the results of an earlier run remain"
echo "a project in CI: a pass, a difference with its diagnosis, mistakes at their lines, and nothing to test"
