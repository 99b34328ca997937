//! The names that are suggested for a wrong name in a command line.

use clap::error::{ContextKind, ContextValue, Error};
use flockwork_engine::Diagnostic;
use flockwork_engine::diag::nearest;

/// Words of other programs, and the command that does the same.
const SYNONYMS: &[(&[&str], &str)] = &[
    (&["play", "show", "open", "watch", "window", "gui"], "view"),
    (&["start", "simulate", "exec", "execute"], "run"),
    (&["lint", "validate", "verify", "build"], "check"),
    (&["format"], "fmt"),
    (&["init", "create"], "new"),
    (&["why"], "explain"),
    (&["video", "film", "screenshot", "draw"], "render"),
    (&["docs", "doc", "api"], "reference"),
    (&["optimize", "optimise"], "tune"),
    (&["fuzz"], "hunt"),
    (&["profile", "benchmark"], "bench"),
    (&["batch", "experiment"], "sweep"),
];

/// Returns an error of the command line in which only names are suggested that are probably meant. Clap alone suggests names
/// that have a few letters in common.
pub(super) fn corrected(mut error: Error) -> Error {
    use ContextKind as Kind;
    for (wrong, suggested) in [
        (Kind::InvalidSubcommand, Kind::SuggestedSubcommand),
        (Kind::InvalidArg, Kind::SuggestedArg),
        (Kind::InvalidValue, Kind::SuggestedValue),
    ] {
        let Some(ContextValue::String(written)) = error.get(wrong) else { continue };
        let written = written.clone();
        let command = SYNONYMS.iter().find(|(words, _)| words.contains(&written.as_str()));
        match (wrong, command) {
            (Kind::InvalidSubcommand, Some((_, command))) => {
                error.insert(suggested, ContextValue::Strings(vec![(*command).to_owned()]));
            }
            _ => {
                if let Some(names) = error.remove(suggested).and_then(|names| near(&written, names))
                {
                    error.insert(suggested, names);
                }
            }
        }
    }
    error
}

/// Returns what is wrong if an error is about a command that only other builds have.
pub(super) fn missing_in_build(error: &Error) -> Option<Diagnostic> {
    let wrong = error.get(ContextKind::InvalidSubcommand)?;
    if *wrong != ContextValue::String("view".to_owned()) {
        return None;
    }
    let other = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        "the archive `flockwork-x86_64-unknown-linux-gnu.tar.gz` has it, for glibc 2.28 or newer"
    } else {
        "build it from source: `cargo install --path viewer` has it"
    };
    let error = Diagnostic::error("this program was built without the window");
    Some(error.help(other).help("`flockwork render` draws pictures and films without it"))
}

/// Returns those of the suggested names that are near to what is written.
fn near(written: &str, names: ContextValue) -> Option<ContextValue> {
    let is_near = |name: &String| {
        let plain = |name: &str| name.trim_start_matches('-').split('=').next().map(str::to_owned);
        let (written, name) = (plain(written)?, plain(name)?);
        nearest(&written, [name.as_str()]).map(|_| ())
    };
    match names {
        ContextValue::String(name) => is_near(&name).map(|()| ContextValue::String(name)),
        ContextValue::Strings(mut names) => {
            names.retain(|name| is_near(name).is_some());
            (!names.is_empty()).then_some(ContextValue::Strings(names))
        }
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    /// Caught: a program without the window did not know the word `view`.
    #[test]
    fn a_program_without_the_window_says_so() {
        let command = clap::Command::new("flockwork").subcommand(clap::Command::new("render"));
        let fails = |name: &str| command.clone().try_get_matches_from(["flockwork", name]);
        let error = missing_in_build(&fails("view").unwrap_err()).expect("it is missing");
        assert_eq!(error.message, "this program was built without the window");
        assert!(missing_in_build(&fails("vew").unwrap_err()).is_none());
    }

    #[test]
    fn every_command_that_is_meant_exists() {
        let cli = Cli::command();
        let is_command = |name: &str| cli.get_subcommands().any(|one| one.get_name() == name);
        for (words, command) in SYNONYMS {
            assert!(is_command(command) || *command == "view", "{command}");
            for word in *words {
                assert!(!is_command(word), "{word} is a command");
            }
        }
    }
}
