//! Writes what a hunt has found: a scenario and its golden.

use std::io::Write;
use std::path::{Path, PathBuf};

use flockwork_engine::experiment::{FoundStart, Hunt, Shrunk};
use flockwork_engine::load::make_folder;
use flockwork_engine::suite::{Case, update};
use flockwork_engine::{Diagnostics, FileKind, OutputFile};

use super::{Args, Interrupt, command};

/// The scenarios that hunts write.
pub(super) const KIND: FileKind = FileKind {
    name: "a scenario that a hunt has written",
    beginnings: &[&[FIRST_WORDS.as_bytes()]],
    ending: b"",
    max_bytes: u64::MAX,
};

const FIRST_WORDS: &str = "// Found by `flockwork hunt`";

/// A failure that was written to a file.
pub(super) struct WrittenFailure {
    /// The number of the run that found it.
    pub(super) run: u64,
    /// The index of the expectation in the scenario; `None` if a script fails.
    pub(super) expectation: Option<usize>,
    pub(super) shrunk: Shrunk,
    pub(super) path: PathBuf,
    /// Whether it has a golden. A run that ends with an error of a script has none.
    pub(super) has_golden: bool,
    /// The command that explains the decision before the failure, if it is about an agent.
    pub(super) explain: Option<String>,
    /// The path for a command line.
    pub(super) argument: String,
}

impl WrittenFailure {
    /// Writes a scenario and its golden.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(super) fn write(
        args: &Args,
        hunt: &Hunt,
        start: &FoundStart,
        shrunk: Shrunk,
        path: &Path,
        interrupt: &Interrupt,
    ) -> Result<Self, Diagnostics> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            make_folder(folder)?;
        }
        let text = format!("{}{}", comment(args, hunt, start, &shrunk), shrunk.text);
        let mut file = OutputFile::create(path, KIND)?;
        file.write_all(text.as_bytes()).map_err(|error| OutputFile::error(path, &error))?;
        file.commit()?;
        let case = Case::open(path);
        interrupt.last_words(format!(
            "run {} has found a failure, which is in {}, without a golden",
            start.run,
            path.display()
        ));
        // The golden needs another run, which may take longer than an interrupted command has.
        let has_time = start.expectation().is_some() && !interrupt.is_requested();
        let header = if has_time { case.test().header } else { None };
        let has_golden = header.is_some();
        if let Some(mut header) = header {
            header.reason = "found by a hunt".to_owned();
            update(&case, &header)?;
        }
        let explain =
            shrunk.failure.agent.map(|agent| case.explain_command(agent, shrunk.failure.tick));
        Ok(Self {
            run: start.run,
            expectation: start.expectation(),
            has_golden,
            explain,
            argument: case.argument(),
            path: path.to_owned(),
            shrunk,
        })
    }
}

/// Returns the comment at the top of a scenario.
fn comment(args: &Args, hunt: &Hunt, start: &FoundStart, shrunk: &Shrunk) -> String {
    let what = match start.expectation() {
        Some(index) => format!("this start breaks {}", hunt.expectations()[index]),
        None => "a script fails with this start".to_owned(),
    };
    let message = shrunk.failure.message.replace('\n', " ");
    let (before, after) = (&shrunk.before, &shrunk.after);
    let size = format!(
        "Run {}, then made smaller: {} of {} agents, {} of {} ticks.",
        start.run, after.agents, before.agents, after.ticks, before.ticks
    );
    format!("{FIRST_WORDS}: {what}.\n// {message}\n// {}\n// {size}\n//\n", command(args))
}
