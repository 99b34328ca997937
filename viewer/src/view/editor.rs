//! Opens a script in the person's editor, at a line.

use std::path::Path;
use std::process::{Child, Command, Stdio};

/// How an editor gets the line.
#[derive(Clone, Copy)]
enum LineStyle {
    /// `+LINE FILE`
    Plus,
    /// `--goto FILE:LINE`
    Goto,
    /// `FILE:LINE`
    Colon,
    /// It gets only the file.
    Without,
}

/// Editors that are known: their programs, how they get the line, and whether they have a window of their own.
const EDITORS: &[(&[&str], LineStyle, bool)] = &[
    (&["vi", "vim", "nvim", "nano", "kak", "micro"], LineStyle::Plus, false),
    (&["emacs", "emacsclient", "gvim", "gedit"], LineStyle::Plus, true),
    (&["code", "codium", "cursor"], LineStyle::Goto, true),
    (&["hx", "helix"], LineStyle::Colon, false),
    (&["subl", "zed"], LineStyle::Colon, true),
    (&[DESKTOP], LineStyle::Without, true),
];
/// The program of the desktop that opens a file, if no editor is named.
const DESKTOP: &str = if cfg!(windows) {
    "explorer"
} else if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};
/// Options with which Emacs has no window of its own.
const NO_WINDOW: &[&str] = &["-nw", "-t", "--tty", "--no-window-system"];
/// The terminal to run an editor in, if no other is named.
const TERMINAL: &str = "x-terminal-emulator";

/// Returns the program and the arguments that open a file at a line. An editor that is not known gets only the file, in a
/// terminal, since it may need one.
fn command_line(editor: &str, terminal: Option<&str>, file: &str, line: usize) -> Vec<String> {
    let words: Vec<&str> = editor.split_whitespace().collect();
    let program = words.first().and_then(|word| Path::new(word).file_stem()?.to_str());
    let known = EDITORS.iter().find(|(names, ..)| program.is_some_and(|it| names.contains(&it)));
    let file_arguments = match known.map(|(_, style, _)| style) {
        Some(LineStyle::Plus) => vec![format!("+{line}"), file.to_owned()],
        Some(LineStyle::Goto) => vec!["--goto".to_owned(), format!("{file}:{line}")],
        Some(LineStyle::Colon) => vec![format!("{file}:{line}")],
        Some(LineStyle::Without) | None => vec![file.to_owned()],
    };
    let has_window = known.is_some_and(|(_, _, has_window)| *has_window)
        && !words.iter().any(|word| NO_WINDOW.contains(word));
    let mut all: Vec<String> = Vec::new();
    if !has_window {
        all.extend(terminal.unwrap_or(TERMINAL).split_whitespace().map(str::to_owned));
        all.push("-e".to_owned());
    }
    all.extend(words.into_iter().map(str::to_owned));
    all.extend(file_arguments);
    all
}

/// An editor that has been started.
pub(super) struct OpenedEditor {
    /// The name that the person gave it.
    pub(super) name: String,
    process: Child,
}

impl OpenedEditor {
    /// Waits until the editor ends and returns what has gone wrong, if something has.
    pub(super) fn wait(mut self) -> Option<String> {
        let status = self.process.wait().ok().filter(|status| !status.success())?;
        Some(format!(
            "the editor `{}` has failed ({status}): set the variable VISUAL or EDITOR to another one",
            self.name
        ))
    }
}

/// Starts the person's editor with a file at a line, and does not wait for it.
///
/// # Errors
///
/// If no editor is named, or if it cannot be started, with what to do.
pub(super) fn open(file: &str, line: usize) -> Result<OpenedEditor, String> {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let named = variable("VISUAL").or_else(|| variable("EDITOR"));
    let is_named = named.is_some();
    let name = named.unwrap_or_else(|| DESKTOP.to_owned());
    if !Path::new(file).is_file() {
        return Err(format!("there is no file {file} any more"));
    }
    let terminal = variable("TERMINAL");
    let words = command_line(&name, terminal.as_deref(), file, line);
    let (program, arguments) = words.split_first().ok_or("no editor is named")?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl+C in the terminal of this program does not end the editor.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let process = command.spawn().map_err(|error| {
        if !is_named {
            return format!(
                "to open {file}:{line}, set VISUAL or EDITOR to your editor, such as EDITOR=nano, and start again"
            );
        }
        let hint = if program == TERMINAL {
            "; set TERMINAL to the terminal that your editor needs"
        } else {
            ""
        };
        format!("cannot open {file}:{line}: `{program}` does not start: {error}{hint}")
    })?;
    Ok(OpenedEditor { name, process })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_are_told_the_line_and_get_a_terminal_if_they_need_one() {
        let line = |editor, terminal| command_line(editor, terminal, "a b.rhai", 7).join("|");
        assert_eq!(line("vim", None), "x-terminal-emulator|-e|vim|+7|a b.rhai");
        assert_eq!(line("/usr/bin/nano -w", Some("foot")), "foot|-e|/usr/bin/nano|-w|+7|a b.rhai");
        assert_eq!(line("hx", Some("kitty -1")), "kitty|-1|-e|hx|a b.rhai:7");
        assert_eq!(line("emacsclient -c", None), "emacsclient|-c|+7|a b.rhai");
        let in_terminal = "x-terminal-emulator|-e|emacs|-nw|+7|a b.rhai";
        assert_eq!(line("emacs -nw", None), in_terminal);
        assert_eq!(line(DESKTOP, None), format!("{DESKTOP}|a b.rhai"));
        assert_eq!(line("code --wait", None), "code|--wait|--goto|a b.rhai:7");
        assert_eq!(line("zed", Some("foot")), "zed|a b.rhai:7");
        assert_eq!(line("ed", None), "x-terminal-emulator|-e|ed|a b.rhai");
    }
}
