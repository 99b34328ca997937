//! The server and `check` find the same in everything that the tests know as a mistake.

use std::fs;
use std::path::{Path, PathBuf};

use flockwork_engine::{Severity, check};
use serde_json::{Value, json};

use super::client::{Client, position};
use crate::project::{Project, skipped};

const SCENARIO: &str = "scenarios/world.ron";

/// Returns the folder of the mistakes, if the whole repository is here.
fn mistakes() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/mistakes");
    if !folder.is_dir() {
        skipped("this is not a checkout of the repository");
        return None;
    }
    Some(folder)
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<PathBuf> =
        all.filter(|path| path.extension().is_some_and(|one| one == ending)).collect();
    all.sort();
    assert!(!all.is_empty(), "{}", folder.display());
    all
}

/// Returns the contents of all files of a folder, or all cases in it that are whole files.
fn sources(folder: &Path, ending: &str) -> Vec<String> {
    let sources = files(folder, ending).into_iter().map(|path| fs::read_to_string(path).unwrap());
    if ending != "cases" {
        return sources.collect();
    }
    let cases = |text: String| -> Vec<String> {
        text.trim_end().split("\n====\n").map(str::to_owned).collect()
    };
    sources.flat_map(cases).collect()
}

/// The correct files of the mistakes, on disk.
fn project(mistakes: &Path) -> Project {
    let mut project = Project::empty().with("scenarios/.keep", "");
    for path in files(&mistakes.join("right"), "rhai") {
        let name = format!("scripts/{}", path.file_name().unwrap().to_str().unwrap());
        project = project.with(&name, fs::read(&path).unwrap());
    }
    project
}

/// Returns the findings of `check` after some files are written, in the form of [`published`].
fn on_disk(mut project: Project, files: &[(&str, &str)]) -> Vec<Value> {
    for (path, text) in files {
        project = project.with(path, text);
    }
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    found_on_disk(&project, &paths)
}

/// Returns the findings of `check` in files on disk, in the form of [`published`].
pub(super) fn found_on_disk(project: &Project, paths: &[&str]) -> Vec<Value> {
    let root = project.path("").canonicalize().unwrap();
    let shown_root = format!("{}/", root.display());
    let mut all = Vec::new();
    for checked in paths {
        for finding in check(&root.join(checked)) {
            if finding.code.is_about_speed() {
                continue;
            }
            let (path, range) = match &finding.place {
                None => {
                    (Path::new(checked), json!({"start": position("", 0), "end": position("", 0)}))
                }
                Some(place) => {
                    let text = &place.source.text;
                    let start = text.floor_char_boundary(place.span.start);
                    let end = text.ceil_char_boundary(place.span.end.max(start));
                    let path = Path::new(&place.source.name).strip_prefix(&root).unwrap();
                    (path, json!({"start": position(text, start), "end": position(text, end)}))
                }
            };
            let severity = match finding.severity {
                Severity::Error => 1,
                Severity::Warning => 2,
                Severity::Note => 3,
            };
            let message = first_line(&finding.message).replace(&shown_root, "");
            let found = json!([path, range, finding.code.name(), severity, message]);
            if !all.contains(&found) {
                all.push(found);
            }
        }
    }
    // An error in the scenario may be a warning of the script alone: the server reports the error.
    let errors: Vec<Value> = all.iter().filter(|found| found[3] == 1).cloned().collect();
    all.retain(|found| {
        let mut as_error = found.clone();
        as_error[3] = json!(1);
        found[3] == 1 || !errors.contains(&as_error)
    });
    all.sort_by_key(Value::to_string);
    all
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns the findings that the server has published.
pub(super) fn published(client: &Client) -> Vec<Value> {
    let mut all = Vec::new();
    for path in client.files() {
        for found in client.found(&path) {
            let message = first_line(found["message"].as_str().unwrap());
            // What a scenario lacks is a finding in a script; if the scenario was edited last, it is marked there, too.
            let cause = &found["relatedInformation"][0]["location"];
            let (path, range) = match found["data"]["mirror"] == true {
                true => (client.path(cause["uri"].as_str().unwrap()), &cause["range"]),
                false => (path.clone(), &found["range"]),
            };
            all.push(json!([path, range, found["code"], found["severity"], message]));
        }
    }
    all.sort_by_key(Value::to_string);
    all.dedup();
    all
}

/// Compares the server with `check` for each of some projects that differ in a few files. The server sees these files only as
/// unsaved contents.
fn compare(mistakes: &Path, cases: impl Iterator<Item = Vec<(&'static str, String)>>) {
    let on_screen = project(mistakes);
    let mut client = Client::start(&on_screen);
    let mut count = 0;
    for case in cases {
        let files: Vec<(&str, &str)> = case.iter().map(|(path, text)| (*path, &**text)).collect();
        let expected = on_disk(project(mistakes), &files);
        for (path, text) in &files {
            client.open(path, text);
        }
        client.wait(files.last().unwrap().0);
        assert_eq!(published(&client), expected, "{files:#?}");
        for (path, _) in &files {
            client.close(path);
        }
        count += 1;
    }
    assert!(count > 20, "{count}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn mistakes_in_scripts_are_found_as_by_check() {
    let Some(mistakes) = mistakes() else { return };
    let world = fs::read_to_string(mistakes.join("world.ron")).unwrap();
    let scripts = sources(&mistakes.join("scripts"), "rhai");
    // A script of several files is one with a mistake here, too.
    let scripts = scripts.into_iter().chain(sources(&mistakes.join("tick"), "cases"));
    let cases = scripts.map(|script| {
        vec![(SCENARIO, world.replace("SCRIPT", "mistake")), ("scripts/mistake.rhai", script)]
    });
    compare(&mistakes, cases);
}

#[test]
fn mistakes_in_scenarios_are_found_as_by_check() {
    let Some(mistakes) = mistakes() else { return };
    let scenarios = sources(&mistakes.join("scenarios"), "ron");
    let scenarios = scenarios.into_iter().chain(sources(&mistakes.join("short"), "cases"));
    compare(&mistakes, scenarios.map(|text| vec![(SCENARIO, text)]));
}

/// Returns a text after the changes of a case: the first place with the lines after `-` is replaced by the lines after `+`.
fn changed(text: &str, case: &str) -> String {
    let (mut text, mut from, mut to) = (text.to_owned(), String::new(), String::new());
    let mut lines = case.lines().peekable();
    while let Some(line) = lines.next() {
        let (sign, rest) = line.split_at(1);
        let part = if sign == "-" { &mut from } else { &mut to };
        part.push_str(rest.strip_prefix(' ').unwrap_or(rest));
        part.push('\n');
        if lines.peek().is_none_or(|next| sign == "+" && next.starts_with('-')) {
            text = text.replacen(from.trim_end_matches('\n'), to.trim_end_matches('\n'), 1);
            (from, to) = Default::default();
        }
    }
    text
}

#[test]
fn mistakes_in_the_full_scenario_are_found_as_by_check() {
    let Some(mistakes) = mistakes() else { return };
    let full = fs::read_to_string(mistakes.join("../../src/scenario/tests/full.ron")).unwrap();
    let cases = sources(&mistakes.join("full"), "cases");
    let all: Vec<_> = cases.iter().map(|case| vec![(SCENARIO, changed(&full, case))]).collect();
    let different = all.iter().filter(|case| case[0].1 != full).count();
    assert!(different + 5 > all.len(), "{different} of {}", all.len());
    compare(&mistakes, all.into_iter());
}

#[test]
fn files_with_open_brackets_are_found_as_by_check() {
    let Some(mistakes) = mistakes() else { return };
    let sources = sources(&mistakes.join("brackets"), "cases");
    compare(
        &mistakes,
        sources.into_iter().map(|text| vec![(SCENARIO, text.clone()), ("scripts/a.rhai", text)]),
    );
}
