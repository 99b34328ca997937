//! The reference, and what all commands have in common.

use std::process::{Command, Stdio};

use flockwork_engine::steer::{COMBINATORS, PRIMITIVES};
use snapbox::str;

use crate::project::Project;

#[test]
fn the_reference_has_every_primitive_and_every_parameter() {
    let answer = Project::empty().flockwork(&["primitives"]);
    let text = answer.says(0, &[]).out();
    for primitive in PRIMITIVES.iter().chain(COMBINATORS) {
        assert!(text.contains(&primitive.usage()), "{}", primitive.name);
        for param in primitive.params {
            assert!(text.contains(param.doc), "{}: {}", primitive.name, param.name);
        }
    }
}

#[test]
fn a_single_primitive() {
    let project = Project::empty();
    let text = project.flockwork(&["primitives", "me.seek"]).says(0, &[]).out();
    assert_eq!(text, project.flockwork(&["primitives", "seek"]).says(0, &[]).out());
    project.command(&["primitives", "prioritize"]).assert().code(0).stdout_eq(str![[r#"
prioritize(forces)
    Returns the first force of a list that is not zero; zero if all of them are.
...
    forces  [..]: an array of vectors

"#]]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(snapbox::cmd::cargo_bin!("flockwork"))
        .arg("primitives")
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_output_that_is_full_is_one() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(snapbox::cmd::cargo_bin!("flockwork"))
        .arg("primitives")
        .stdout(full)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cannot write to the standard output"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn help_has_an_example() {
    let project = Project::empty();
    for command in ["run", "check", "bench", "primitives", "new"] {
        let help = project.flockwork(&[command, "--help"]).says(0, &[]).out();
        assert!(help.contains(&format!("\n  flockwork {command}")), "{help}");
    }
}
