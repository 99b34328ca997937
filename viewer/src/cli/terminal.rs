//! Writing to the standard output and the standard error. Commands print nothing by other means.

use std::io::{self, ErrorKind, IsTerminal, Write};

use flockwork_engine::{Diagnostic, Diagnostics};

/// Returns whether messages have colors: on a terminal, unless `NO_COLOR` is set (no-color.org).
fn colors() -> bool {
    io::stderr().is_terminal() && are_colors_allowed()
}

/// Returns whether results on the standard output have colors.
pub(super) fn colored_results() -> bool {
    io::stdout().is_terminal() && are_colors_allowed()
}

pub(super) fn are_colors_allowed() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty())
}

/// Writes findings to the standard error, with their places.
pub(super) fn show(findings: &[Diagnostic]) {
    let colors = colors();
    for finding in findings {
        say(&format!("{}\n", finding.render(colors)));
    }
}

/// Writes a line to the standard error.
pub(super) fn say(line: &str) {
    // If the standard error cannot be written to, there is no place to report that.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Writes a result to the standard output. It is not an error if the reader has closed the pipe, as `head` does.
pub(super) fn print(text: &str) -> Result<(), Diagnostics> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Diagnostic::error(format!("cannot write to the standard output: {error}")).into())
        }
        _ => Ok(()),
    }
}
