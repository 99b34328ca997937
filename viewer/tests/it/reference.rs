//! `flockwork reference`, and what all commands have in common.

use std::process::{Command, Stdio};

use flockwork_engine::script::{Topic, reference};
use flockwork_engine::steer::{COMBINATORS, PRIMITIVES};
use snapbox::str;

use crate::project::Project;

#[test]
fn the_overview_has_a_line_for_each_entry() {
    let text = Project::empty().flockwork(&["reference"]).says(0, &[]).out();
    for entry in reference() {
        let start = format!("  {} ", entry.signature);
        assert!(text.lines().any(|line| line.starts_with(&start)), "{}", entry.signature);
    }
    for topic in Topic::ALL {
        assert!(text.contains(&format!("{}\n---", topic.title())), "{topic:?}");
    }
}

#[test]
fn every_name_finds_its_entries_with_their_parameters() {
    let project = Project::empty();
    let entries = reference();
    // Each by one run of the program, so only some of them.
    for entry in entries.iter().step_by(10) {
        let text = project.flockwork(&["reference", "--", entry.names[0]]).says(0, &[]).out();
        assert!(text.contains(&format!("{}\n", entry.signature)), "{text}");
        for param in &entry.params {
            assert!(text.contains(param.doc) && text.contains(&param.takes), "{text}");
        }
    }
}

#[test]
fn a_single_primitive() {
    let project = Project::empty();
    let text = project.flockwork(&["reference", "me.seek"]).says(0, &[]).out();
    assert_eq!(text, project.flockwork(&["reference", "seek"]).says(0, &[]).out());
    project.command(&["reference", "prioritize"]).assert().code(0).stdout_eq(str![[r#"
prioritize(forces, epsilon = 0)
    Returns the first force of a list that is longer than `epsilon`; the last one if none is.
...
    forces  [..]: an array of vectors
    epsilon  the length up to which a force does not count: a number; default 0
    result: a force (a vector)

"#]]);
}

#[test]
fn a_name_with_several_meanings_has_all_of_them() {
    let text = Project::empty().flockwork(&["reference", "distance"]).says(0, &[]).out();
    for signature in ["me.distance(target)", "obstacle.distance(point)", "path.distance(point)"] {
        assert!(text.contains(signature), "{text}");
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_name_to_use() {
    let project = Project::empty();
    project.flockwork(&["reference", "seak"]).says(2, &["no `seak`", "did you mean `seek`?"]);
    project.flockwork(&["reference", "v.magnitude"]).says(2, &["scripts write `length()`"]);
}

#[test]
fn the_markdown_has_a_heading_for_each_entry_and_a_picture_for_each_primitive() {
    let text =
        Project::empty().flockwork(&["reference", "--format", "markdown"]).says(0, &[]).out();
    let headings = text.lines().filter(|line| line.starts_with("### "));
    assert_eq!(headings.count(), reference().len());
    for primitive in PRIMITIVES.iter().chain(COMBINATORS) {
        let name = primitive.name;
        assert!(text.contains(&format!("### `{name}` {{#{name}}}")), "{name}");
        assert!(text.contains(&format!("![{name}](pictures/{name}.gif)")), "{name}");
    }
    let fences = text.lines().filter(|line| line.starts_with("```")).count();
    assert_eq!(fences % 2, 0, "a code block does not end");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(snapbox::cmd::cargo_bin!("flockwork"))
        .arg("reference")
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(snapbox::cmd::cargo_bin!("flockwork"))
        .arg("reference")
        .stdout(full)
        .output()
        .unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(messages.contains("cannot write to the standard output"), "{messages}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn help_has_an_example() {
    let project = Project::empty();
    for command in project.commands() {
        let help = project.flockwork(&[&command, "--help"]).says(0, &[]).out();
        assert!(help.contains(&format!("\n  flockwork {command}")), "{help}");
    }
}
