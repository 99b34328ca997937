//! What the program says to people, most of it because something is wrong: commands as data, with all that is said
//! beside them.
//!
//! `tests/commands/NAME.cases` holds cases between lines of `====`. A case begins with lines of commands, done one
//! after another in a folder with the scenario `two.ron`, or in an empty one where it begins with `// empty`. Other
//! files follow as [`Project::unpack`] reads them. `NAME.txt` has what the commands say on the standard error.
//! `SNAPSHOTS=overwrite` writes those anew: read what changed.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::{Assert, Data};

use crate::project::Project;

const BORDER: &str = "\n====\n";

/// What is said to the commands of a case. One that ends with code 2 says nothing else and leaves nothing behind.
fn said(case: &str) -> String {
    let (project, case) = match case.strip_prefix("// empty\n") {
        Some(case) => (Project::empty(), case),
        None => (Project::two(), case),
    };
    let project = project.unpack("commands", case);
    let commands = project.read("commands");
    fs::remove_file(project.path("commands")).unwrap();
    let say = |line: &str| {
        let before = project.all_names();
        let args = line.strip_prefix("flockwork").expect("a command").split_whitespace();
        let answer = project.flockwork(&args.collect::<Vec<_>>());
        if answer.code() == Some(2) {
            assert_eq!((answer.out().as_str(), project.all_names()), ("", before), "{line}");
        }
        let code = answer.code().expect("an exit code");
        let err = answer.err();
        // The note about development builds, which optimized ones do not have.
        let err = err.split_inclusive("\n\n").filter(|part| !part.contains("a development build"));
        format!("$ {line}\n{}exit code {code}\n", err.collect::<String>())
    };
    commands.lines().map(say).collect::<Vec<_>>().join("\n")
}

#[test]
fn messages_to_commands() {
    let paths = fs::read_dir("tests/commands").unwrap().map(|entry| entry.unwrap().path());
    let is_case = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "cases");
    let compare = |path: &Path| {
        let cases = fs::read_to_string(path).unwrap();
        let told: Vec<String> = cases.trim_end().split(BORDER).map(said).collect();
        let told = Data::text(told.join("\n"));
        let expected = Data::read_from(&path.with_extension("txt"), None).raw();
        let compared = Assert::new().action_env("SNAPSHOTS").try_eq(None, told, expected);
        compared.err().map(|error| error.to_string())
    };
    let wrong: Vec<String> = paths.filter(is_case).filter_map(|path| compare(&path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
