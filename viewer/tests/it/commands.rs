//! Messages of the program, most of them errors: commands are kept as data, with the whole output beside them.
//!
//! `tests/commands/NAME.cases` holds cases, divided by lines of `====`. A case begins with lines of commands, which are
//! executed one after another in a folder with the scenario `two.ron`, or in an empty folder if the case begins with
//! `// empty`. Other files follow, as [`Project::unpack`] reads them. `NAME.txt` has what the commands write to the
//! standard error, and their exit codes. `SNAPSHOTS=overwrite` writes these files again: read the changes.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::{Assert, Data};

use crate::project::Project;

const BORDER: &str = "\n====\n";

/// Returns the output of the commands of a case. A command with exit code 2 writes nothing else and leaves no files.
fn output_of(case: &str) -> String {
    let (project, case) = match case.strip_prefix("// empty\n") {
        Some(case) => (Project::empty(), case),
        None => (Project::two(), case),
    };
    let project = project.unpack("commands", case);
    let commands = project.read("commands");
    fs::remove_file(project.path("commands")).unwrap();
    let execute = |line: &str| {
        let before = project.all_names();
        let args = line.strip_prefix("flockwork").expect("a command").split_whitespace();
        let answer = project.flockwork(&args.collect::<Vec<_>>());
        if answer.code() == Some(2) {
            assert_eq!((answer.out().as_str(), project.all_names()), ("", before), "{line}");
        }
        let code = answer.code().expect("an exit code");
        let err = answer.err();
        // Without the note about development builds, which optimized builds do not have.
        let err = err.split_inclusive("\n\n").filter(|part| !part.contains("a development build"));
        format!("$ {line}\n{}exit code {code}\n", err.collect::<String>())
    };
    commands.lines().map(execute).collect::<Vec<_>>().join("\n")
}

#[test]
fn messages_to_commands() {
    let paths = fs::read_dir("tests/commands").unwrap().map(|entry| entry.unwrap().path());
    let is_case = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "cases");
    let compare = |path: &Path| {
        let cases = fs::read_to_string(path).unwrap();
        let output: Vec<String> = cases.trim_end().split(BORDER).map(output_of).collect();
        let output = Data::text(output.join("\n"));
        let expected = Data::read_from(&path.with_extension("txt"), None).raw();
        let compared = Assert::new().action_env("SNAPSHOTS").try_eq(None, output, expected);
        compared.err().map(|error| error.to_string())
    };
    let wrong: Vec<String> = paths.filter(is_case).filter_map(|path| compare(&path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_version_is_that_of_the_package_and_may_name_a_commit() {
    let out = Project::empty().flockwork(&["--version"]).says(0, &[]).out();
    let version = out.strip_prefix(concat!("flockwork ", env!("CARGO_PKG_VERSION"))).unwrap();
    let commit = version.trim_end().strip_prefix(" (").and_then(|rest| rest.strip_suffix(')'));
    assert!(version == "\n" || commit.is_some_and(|commit| !commit.is_empty()), "{out}");
}
