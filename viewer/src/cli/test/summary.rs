//! Results as Markdown, which CI services show beside a change.

use std::env;
use std::ffi::OsStr;
use std::path::Path;

use flockwork_engine::load::{append, size_to_append};
use flockwork_engine::suite::{Case, TestOutcome};
use flockwork_engine::{Diagnostic, Diagnostics};

use super::{FinishedTest, TestReport, report as text_report};
use crate::report::escape;

/// The variable with the file to which jobs of GitHub add summaries.
const GITHUB_FILE: &str = "GITHUB_STEP_SUMMARY";
/// The number of bytes that GitHub accepts in that file, less some for other steps.
const MAX_FILE: u64 = 1_000_000;
/// Size of the longest summary, in bytes.
const MAX_SUMMARY: u64 = 500_000;
/// Size of the longest diagnosis of one scenario, in bytes.
const MAX_DIAGNOSIS: usize = 16_000;
/// Number of characters of the longest text in a cell of the table.
const MAX_CELL: usize = 400;
/// Length of the longest command: Windows accepts about as much.
const MAX_COMMAND: usize = 8_000;

/// Checks that a summary can be added to a file, before the tests run. A file that is neither empty nor Markdown stays as it is.
pub(super) fn check(path: &Path) -> Result<(), Diagnostic> {
    let is_ours = path.extension() == Some(OsStr::new("md"))
        || env::var_os(GITHUB_FILE).is_some_and(|file| Path::new(&file) == path);
    if size_to_append(path)? > 0 && !is_ours {
        let error = format!("cannot add a summary to {}: it does not end in .md", path.display());
        return Err(Diagnostic::error(error).help("name a file in Markdown, or a new one"));
    }
    Ok(())
}

/// Adds the summary of all tests to a file. `counts` is its first line.
pub(super) fn write(path: &Path, tests: &TestReport<'_>, counts: &str) -> Result<(), Diagnostics> {
    let room = MAX_FILE.saturating_sub(size_to_append(path)?).min(MAX_SUMMARY);
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    append(path, &markdown(tests, counts, room))?;
    Ok(())
}

/// Returns where a reader finds a file of the report, in Markdown.
fn report_file(tests: &TestReport<'_>, name: &str) -> Option<String> {
    let folder = tests.report?;
    Some(match tests.artifact {
        Some(artifact) => format!("{} in the artifact {}", code(name), code(artifact)),
        None => code(&folder.join(name).to_string_lossy().replace('\\', "/")),
    })
}

/// Returns the summary, with at most about `room` bytes of rows and diagnoses.
fn markdown(tests: &TestReport<'_>, counts: &str, room: usize) -> String {
    let failed: Vec<&FinishedTest> =
        tests.all.iter().filter(|done| done.outcome() != TestOutcome::Passed).collect();
    let mut rows = Bounded::new(room / 4);
    let mut diagnoses = Bounded::new(room - room / 4);
    for done in &failed {
        rows.push(&row(done));
        let name = done.name();
        let picture = tests.pictures.get(&name).and_then(|file| report_file(tests, file));
        let picture = picture.map(|path| format!("Picture of both runs: {path}\n\n"));
        diagnoses.push(&format!(
            "<details>\n<summary><code>{}</code></summary>\n\n{}\n{}</details>\n\n",
            escape(&name),
            block(&shortened(&text_report::details(done))),
            picture.unwrap_or_default()
        ));
    }
    let mut text = format!("### Flockwork tests\n\n{counts}\n\n");
    for remark in tests.remarks {
        text += &format!("{remark}\n\n");
    }
    if let Some(checked) = tests.checked {
        text += &format!("{}\n\n", checked.summary());
    }
    let errors = tests.check_errors();
    if !errors.is_empty() {
        let errors: String =
            errors.iter().map(|error| format!("{}\n\n", error.render(false))).collect();
        text += &format!("{}\n", block(&shortened(&errors)));
    }
    if !failed.is_empty() {
        text += "| scenario | result | tick | agent | difference | cause |\n|---|---|--:|---|---|---|\n";
        text += &format!("{}\n{}", rows.text, diagnoses.text);
    }
    for (left, what) in [(rows.left_out, "rows of the table"), (diagnoses.left_out, "diagnoses")] {
        if left > 0 {
            text += &format!(
                "{left} {what} are left out here. The output of the test has them all.\n\n"
            );
        }
    }
    if let Some(index) = report_file(tests, "index.html") {
        text += &format!("Report, which plays both runs one over the other: {index}\n\n");
    }
    let open = failed.iter().filter(|done| done.is_acceptable()).map(|done| &done.case);
    text += &accept(open.collect());
    text
}

/// Returns what accepts the runs of these cases.
fn accept(cases: Vec<&Case>) -> String {
    if cases.is_empty() {
        return String::new();
    }
    let (count, command) = (cases.len(), Case::update_command_for(cases));
    if command.len() > MAX_COMMAND {
        return format!(
            "{count} runs can be accepted. The command with all their paths would be too long: `flockwork test --review` asks for each of \
             them.\n\n"
        );
    }
    format!(
        "If these runs are right, this command accepts them. `--reason TEXT` keeps why in the goldens.\n\n{}\n",
        block(&command)
    )
}

/// Returns the row of a test that has not passed.
fn row(done: &FinishedTest) -> String {
    let tested = &done.tested;
    let mut cells = [String::new(), String::new(), String::new(), String::new()];
    if let Some(failure) = tested.failures.first() {
        cells[0] = failure.tick.to_string();
        cells[1] = failure.agents().unwrap_or_default();
        cells[2] = failure.message.clone();
    } else if let (Some(diagnosis), true) = (&done.diagnosis, tested.errors.is_empty()) {
        let group = &diagnosis.group;
        let group = if group.is_empty() { String::new() } else { format!(" ({group})") };
        let cause = diagnosis.cause().unwrap_or_else(|| tested.notes.join(", "));
        let agent = diagnosis.agent.map(|id| format!("agent {id}{group}"));
        cells = [diagnosis.tick.to_string(), agent.unwrap_or_default(), diagnosis.offset(), cause];
    } else {
        cells[2] = text_report::reason(done);
    }
    let (word, _) = text_report::word(done);
    // A cell ends at a bar, also in code.
    let cell = |text: &str| code(text).replace('|', "\\|");
    let cells = cells.map(|text| cell(&text));
    format!("| {} | {word} | {} |\n", cell(&done.name()), cells.join(" | "))
}

/// Text that parts are added to as long as there is room.
struct Bounded {
    text: String,
    max: usize,
    /// Number of parts for which there was no room.
    left_out: usize,
}

impl Bounded {
    fn new(max: usize) -> Self {
        Self { text: String::new(), max, left_out: 0 }
    }

    fn push(&mut self, part: &str) {
        if self.text.len() + part.len() <= self.max {
            self.text += part;
        } else {
            self.left_out += 1;
        }
    }
}

/// Returns the first lines of a diagnosis, and how many lines follow.
fn shortened(details: &str) -> String {
    let mut kept = Bounded::new(MAX_DIAGNOSIS);
    details.trim().split_inclusive('\n').for_each(|line| kept.push(line));
    if kept.left_out > 0 {
        kept.text += &format!("... {} more lines\n", kept.left_out);
    }
    kept.text
}

/// Returns a text as code within a line or a cell of a table, so that nothing in it is Markdown.
fn code(text: &str) -> String {
    let mut text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if let Some((end, _)) = text.char_indices().nth(MAX_CELL) {
        text.replace_range(end.., "…");
    }
    if text.is_empty() {
        return text;
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// Returns lines as a block of code.
fn block(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}\n{}\n{fence}\n", text.trim_end())
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_code_is_markdown() {
        assert_eq!(code("a*b_c <d> @e"), "`a*b_c <d> @e`");
        assert_eq!(code("`seek` at 1\n2"), "`` `seek` at 1 2 ``");
        assert_eq!(code(""), "");
        assert_eq!(code(&"ä".repeat(500)).chars().count(), MAX_CELL + 3);
        assert_eq!(block("a\n```\nb\n"), "````\na\n```\nb\n````\n");
    }

    #[test]
    fn long_diagnoses_say_what_is_left_out() {
        let short = shortened(&"twelve bytes\n".repeat(2000));
        assert!(
            short.len() < MAX_DIAGNOSIS + 40 && short.ends_with("\n... 770 more lines\n"),
            "{short}"
        );
        let mut few = Bounded::new(5);
        ["abc", "def", "gh"].iter().for_each(|part| few.push(part));
        assert_eq!((&*few.text, few.left_out), ("abcgh", 1));
    }
}
