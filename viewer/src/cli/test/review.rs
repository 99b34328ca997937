//! `flockwork test --review`: shows each run that differs from its golden and asks whether to accept it.

use std::io::{self, BufRead, IsTerminal};

use console::{Key, Term};
use flockwork_engine::{Diagnostic, Diagnostics};

use super::super::terminal;
use super::{FinishedTest, page, report, terminal_picture, write_golden};

/// The answers that a person can give.
const CHOICES: &str = "[y] accept, [n] reject, [s]kip, s[h]ow, [q]uit? ";

/// Shows all goldens that would be written, one by one, and writes those that are accepted. The others stay as
/// they are, and their tests fail.
pub(super) fn review(all: &mut [FinishedTest], reason: Option<&str>) -> Result<(), Diagnostics> {
    let total = all.iter().filter(|done| done.is_reviewable()).count();
    let (mut number, mut accepted, mut rejected) = (0, 0, 0);
    'all: for done in all {
        if !done.is_reviewable() {
            continue;
        }
        number += 1;
        terminal::print(&format!(
            "\n{number} of {total}: {}\n{}",
            done.name(),
            report::brief(done)
        ))?;
        if let Some(graphics) = terminal_picture::Graphics::of_terminal()
            && let Some(compared) = page::compared(done)
        {
            terminal::print(&graphics.text(&compared))?;
        }
        loop {
            terminal::print(CHOICES)?;
            let Some(answer) = read_answer()? else {
                terminal::print("\n")?;
                break 'all;
            };
            match answer.trim() {
                "y" | "yes" | "a" | "accept" => {
                    done.written = write_golden(&done.case, &mut done.tested, reason)?;
                    accepted += 1;
                    break;
                }
                "h" | "show" => terminal::print(&report::details(done))?,
                "n" | "no" | "r" | "reject" => {
                    rejected += 1;
                    break;
                }
                "s" | "skip" => break,
                "q" | "quit" => break 'all,
                other => terminal::print(&format!("`{other}` is not one of the answers\n"))?,
            }
        }
    }
    terminal::print(&if total == 0 {
        "nothing to review\n".to_owned()
    } else {
        let left = total - accepted - rejected;
        format!("\n{accepted} accepted, {rejected} rejected, {left} left open\n")
    })
}

/// Reads an answer: a key in a terminal, otherwise a line. Returns `None` at the end of the input.
fn read_answer() -> Result<Option<String>, Diagnostics> {
    let fail = |error| vec![Diagnostic::error(format!("cannot read an answer: {error}"))];
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        let mut line = String::new();
        let bytes = io::stdin().lock().read_line(&mut line).map_err(fail)?;
        return Ok((bytes > 0).then_some(line));
    }
    loop {
        match Term::stdout().read_key().map_err(fail)? {
            // Ctrl-D.
            Key::Char('\u{4}') => return Ok(None),
            Key::Char(key) => {
                terminal::print(&format!("{key}\n"))?;
                return Ok(Some(key.into()));
            }
            _ => {}
        }
    }
}
