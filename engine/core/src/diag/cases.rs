//! Message tests as data: one file holds many short inputs, and the file beside it the messages about them.
//!
//! `tests/mistakes/FOLDER/NAME.cases` holds inputs between lines of `====`. `NAME.txt` beside it repeats each input with
//! its messages below. `SNAPSHOTS=overwrite` writes these files again: review the changes. The crates above include this file, too.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::{Assert, Data};

use crate::diag::Diagnostic;

const BORDER: &str = "\n====\n";

/// Compares the messages about each case of a folder with the expected ones. `messages` gets the name of the file and
/// the case, and returns the messages.
pub(crate) fn compare(folder: &str, messages: impl Fn(&str, &str) -> String) {
    let folders = ["tests/mistakes", "../tests/mistakes"].map(|all| Path::new(all).join(folder));
    let folder = folders.iter().find(|folder| folder.is_dir()).expect("a folder with cases");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "cases"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} has no cases", folder.display());
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let cases = fs::read_to_string(&path).unwrap();
        let cases = cases.strip_suffix('\n').unwrap_or(&cases).split(BORDER);
        let results = cases.map(|case| match messages(name, case).trim_end() {
            "" => format!("{case}\n\nno messages"),
            messages => format!("{case}\n\n{messages}"),
        });
        let actual = Data::text(results.collect::<Vec<_>>().join(BORDER) + "\n");
        let expected = Data::read_from(&path.with_extension("txt"), None).raw();
        let compared = Assert::new().action_env("SNAPSHOTS").try_eq(None, actual, expected);
        wrong.extend(compared.err().map(|error| error.to_string()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Renders findings as users see them.
pub(crate) fn rendered(findings: &[Diagnostic]) -> String {
    findings.iter().map(|one| format!("{}\n", one.render(false))).collect()
}
