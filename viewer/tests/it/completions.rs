//! Scripts that complete the command line, and manual pages.

use std::fs;
use std::process::{Command, Stdio};

use crate::project::{Project, names, skipped};

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

#[test]
fn completions_know_every_command() {
    let project = Project::empty();
    for shell in SHELLS {
        let script = project.flockwork(&["completions", shell]).says(0, &[]).out();
        for command in project.commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
    }
    project.flockwork(&["completions", "csh"]).says(2, &["possible values: bash"]);
}

#[test]
fn each_shell_can_read_its_completions() {
    let project = Project::empty();
    for shell in ["bash", "zsh", "fish"] {
        let script = project.flockwork(&["completions", shell]).says(0, &[]).out();
        let path = project.path("completions");
        fs::write(&path, script).unwrap();
        match Command::new(shell).arg("-n").arg(&path).output() {
            Ok(checked) => {
                let messages = String::from_utf8_lossy(&checked.stderr);
                assert!(checked.status.success() && messages.is_empty(), "{shell}: {messages}");
            }
            Err(_) => skipped(&format!("there is no {shell} here")),
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let project = Project::empty();
    project.flockwork(&["man", "pages/man1"]).says(0, &["manual pages"]);
    let commands = project.commands().into_iter();
    let mut expected: Vec<String> = commands.map(|name| format!("flockwork-{name}.1")).collect();
    expected.push("flockwork.1".to_owned());
    expected.sort_unstable();
    let folder = project.path("pages/man1");
    assert_eq!(names(&folder), expected);
    for name in expected {
        let path = folder.join(&name);
        let page = fs::read_to_string(&path).unwrap();
        if let Some(command) = name.strip_prefix("flockwork-") {
            let command = command.strip_suffix(".1").unwrap();
            assert!(page.contains(&format!("flockwork {command}")), "{name}: the examples");
            assert!(page.contains(".SH OPTIONS"), "{name}");
        }
        let groff = Command::new("groff")
            .args(["-man", "-Tutf8", "-ww"])
            .arg(&path)
            .stdin(Stdio::null())
            .output();
        match groff {
            Ok(shown) => {
                let warnings = String::from_utf8_lossy(&shown.stderr);
                assert!(shown.status.success() && warnings.is_empty(), "{name}: {warnings}");
            }
            Err(_) => skipped("there is no groff here"),
        }
    }
}

/// If one page cannot be written, none is.
#[test]
fn manual_pages_are_written_together_or_not_at_all() {
    let project = Project::empty().with("man1/flockwork-view.1", "mine\n");
    let project = project.with("man1/flockwork-test.1", "mine too\n");
    let before = project.all_names();
    project.flockwork(&["man", "man1"]).says(2, &["is not a manual page of Flockwork"]);
    assert_eq!(project.all_names(), before);
}
