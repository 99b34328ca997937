//! `flockwork test --review`: each run that is not what its golden says, shown and decided on.

use std::io::{self, BufRead};

use flockwork::Diagnostic;
use flockwork::suite::update;

use super::super::terminal;
use super::{Done, is_to_be_written, report};

/// What a person can answer.
const CHOICES: &str = "[a]ccept, [r]eject, [s]kip, s[h]ow, [q]uit? ";

/// Goes through what is to be written, one by one. What is not accepted stays as it was and goes on
/// failing.
pub(super) fn review(all: &mut [Done], reason: &str) -> Result<(), Vec<Diagnostic>> {
    let total = all
        .iter()
        .filter(|done| is_to_be_written(&done.case, &done.tested))
        .count();
    let mut number = 0;
    for done in all {
        if !is_to_be_written(&done.case, &done.tested) {
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
                    if let Some(header) = &mut done.tested.header {
                        header.reason = reason.to_owned();
                        done.written = Some(update(&done.case, header)?);
                    }
                    break;
                }
                "h" | "show" => terminal::print(&report::details(done))?,
                "r" | "reject" => break,
                "s" | "skip" => break,
                "q" | "quit" => return Ok(()),
                _ if is_over => {
                    terminal::print("\n")?;
                    return Ok(());
                }
                other => terminal::print(&format!("`{other}` is none of these\n"))?,
            }
        }
    }
    if total == 0 {
        terminal::print("nothing to review\n")?;
    }
    Ok(())
}
