#!/bin/sh
# Checks and tests a project in CI, for the action and for every other system: findings at their lines, results in JUnit XML,
# a report with pictures, and a summary. It ends with 1 if something is wrong, after all of it has been written.
#
#   PATHS     folders or files, separated by spaces; default: the scenarios and scripts of this folder
#   CHANGED   a revision: only what its files concern that differ from it is tested
#   SHARD     a part of the tests, such as 1/4
#   REPORT    the folder for what is written; default: flockwork-report
set -u
report=${REPORT:-flockwork-report}
summary=${GITHUB_STEP_SUMMARY:-$report/summary.md}
mkdir -p "$report"
format=text
[ -z "${GITHUB_ACTIONS:-}" ] || format=github

code=0
# shellcheck disable=SC2086
flockwork check --format $format ${PATHS:-} || code=$?
[ $code -lt 2 ] || exit $code

# shellcheck disable=SC2086
flockwork test ${PATHS:-} ${CHANGED:+--changed "$CHANGED"} ${SHARD:+--shard "$SHARD"} \
    --junit "$report/junit.xml" --report "$report" --summary "$summary" || code=$?
exit $code
