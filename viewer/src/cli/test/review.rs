//! `flockwork test --review`: shows each run that differs from its golden and asks whether to accept it.

use std::io::{self, BufRead};

use flockwork_engine::{Diagnostic, Diagnostics};

use super::super::terminal;
use super::{FinishedTest, report, write_golden};

/// The answers that a person can give.
const CHOICES: &str = "[a]ccept, [r]eject, [s]kip, s[h]ow, [q]uit? ";

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
        loop {
            terminal::print(CHOICES)?;
            let mut answer = String::new();
            let read = io::stdin().lock().read_line(&mut answer);
            let is_over = read.map_err(|error| {
                vec![Diagnostic::error(format!("cannot read an answer: {error}"))]
            })? == 0;
            match answer.trim() {
                "a" | "accept" => {
                    done.written = write_golden(&done.case, &mut done.tested, reason)?;
                    accepted += 1;
                    break;
                }
                "h" | "show" => terminal::print(&report::details(done))?,
                "r" | "reject" => {
                    rejected += 1;
                    break;
                }
                "s" | "skip" => break,
                "q" | "quit" => break 'all,
                _ if is_over => {
                    terminal::print("\n")?;
                    break 'all;
                }
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
