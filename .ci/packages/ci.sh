#!/bin/sh
# Checks and tests a project in CI, for the action and for every other system: errors and failures at their lines, results in JUnit
# XML, a report with pictures, and a summary. It ends with 1 if something is wrong, and with 2 if nothing could be tested.
#
#   PATHS     folders or files, separated by spaces; default: the scenarios and scripts of this folder
#   CHANGED   a revision: only what its files concern that differ from it is tested
#   SHARD     a part of the tests, such as 1/4
#   REPORT    the folder for what is written; default: flockwork-report
#   ARTIFACT  the name under which the system keeps that folder, for the summary
set -u
report=${REPORT:-flockwork-report}
summary=${GITHUB_STEP_SUMMARY:-$report/summary.md}
format=text
[ -z "${GITHUB_ACTIONS:-}" ] || format=github

# The report of an earlier run is removed, and nothing else that is in the folder.
mkdir -p "$report" || exit 2
is_ours() { grep -qs "$2" "$report/$1"; }
! is_ours index.html '<meta name="generator" content="flockwork">' || rm -f "$report"/index.html "$report"/*.ron.png
! is_ours junit.xml '<testsuites name="flockwork"' || rm -f "$report/junit.xml"
! is_ours summary.md '^### Flockwork tests' || rm -f "$report/summary.md"

errors=$(mktemp) || exit 2
trap 'rm -f "$errors"' EXIT
code=0
# shellcheck disable=SC2086
flockwork test --check --format $format ${PATHS:-} ${CHANGED:+--changed "$CHANGED"} ${SHARD:+--shard "$SHARD"} \
    --junit "$report/junit.xml" --report "$report" --summary "$summary" ${ARTIFACT:+--artifact "$ARTIFACT"} 2>"$errors" || code=$?
cat "$errors" >&2
if [ $code -gt 1 ]; then
    {
        printf '### Flockwork tests\n\nThe tests did not run (exit code %d):\n\n```\n' $code
        cat "$errors"
        printf '```\n\n'
    } >>"$summary"
fi
exit $code
