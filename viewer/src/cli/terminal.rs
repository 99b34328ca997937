//! Writing to the standard output and the standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use flockwork_engine::{Diagnostic, Diagnostics};

/// Whether messages may have colors: on a terminal, unless the user has said no (no-color.org).
fn colors() -> bool {
    io::stderr().is_terminal() && wanted()
}

/// Whether results may have colors.
pub(super) fn colored_results() -> bool {
    io::stdout().is_terminal() && wanted()
}

fn wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty())
}

/// Shows findings to a person.
pub(super) fn show(findings: &[Diagnostic]) {
    let colors = colors();
    for finding in findings {
        say(&format!("{}\n", finding.render(colors)));
    }
}

/// Says a line to a person.
pub(super) fn say(line: &str) {
    // Where the standard error cannot be written to, there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Writes a result to the standard output. That its reader has gone, having read enough, is no failure.
pub(super) fn print(text: &str) -> Result<(), Diagnostics> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Diagnostic::error(format!("cannot write to the standard output: {error}")).into())
        }
        _ => Ok(()),
    }
}
