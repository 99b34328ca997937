//! What the README shows is what the program does.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::project::Project;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The blocks of the README in a language, in their order.
fn blocks(language: &str) -> Vec<String> {
    let readme = readme();
    let fence = format!("```{language}\n");
    let parts = readme.split(&fence).skip(1);
    parts.map(|part| part.split("```").next().unwrap().to_owned()).collect()
}

/// The block of what the program says in which something stands.
fn text_with(part: &str) -> String {
    let mut found = blocks("text").into_iter().filter(|block| block.contains(part));
    let first = found.next();
    assert!(found.next().is_none(), "`{part}` stands in several");
    first.unwrap_or_else(|| panic!("`{part}` stands in none"))
}

/// A project with one of the scenarios that ship and its scripts.
fn night_watch() -> Project {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut project = Project::empty();
    for file in ["scenarios/night_watch.ron", "scripts/sneak.rhai", "scripts/patrol.rhai"] {
        project = project.with(file, fs::read(top.join(file)).unwrap());
    }
    project
}

/// Changes a file in which something stands once.
fn change(project: &Project, file: &str, from: &str, to: &str) {
    let text = project.read(file);
    assert_eq!(text.matches(from).count(), 1, "{from}");
    fs::write(project.path(file), text.replace(from, to)).unwrap();
}

#[test]
fn a_difference_is_told_as_the_readme_shows() {
    let project = night_watch();
    project.flockwork(&["test", "--update"]).says(0, &[]);
    if !project.commit() {
        return;
    }
    change(&project, "scripts/sneak.rhai", "0.3 * me.wander()", "0.4 * me.wander()");
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    let shown = text_with("first difference");
    for line in shown.lines().filter(|line| !line.starts_with("compared with")) {
        assert!(out.contains(line), "`{line}` is missing in\n{out}");
    }
}

#[test]
fn a_failed_expectation_is_told_as_the_readme_shows() {
    let project = night_watch();
    let text = project.read("scenarios/night_watch.ron");
    let at = text.find("MaxSpeed").unwrap();
    let at = at + text[at..].find("speed:").unwrap();
    let end = at + text[at..].find(')').unwrap();
    let text = format!("{}speed: 50{}", &text[..at], &text[end..]);
    fs::write(project.path("scenarios/night_watch.ron"), text).unwrap();
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    let shown = text_with("MaxSpeed");
    assert!(out.contains(shown.trim_end()), "the README shows\n{shown}\nand it says\n{out}");
}

#[test]
fn a_decision_is_explained_as_the_readme_shows() {
    let shown = text_with("$ flockwork explain");
    let (command, shown) = shown.split_once('\n').unwrap();
    let args: Vec<&str> = command.split_whitespace().skip(2).collect();
    let out = night_watch().flockwork(&args).says(0, &[]).out();
    assert_eq!(shown.trim_end(), out.trim_end());
}

/// The lines of a summary, by what they name; those that differ from run to run are left out.
fn summary(text: &str) -> BTreeMap<String, String> {
    let split = |line: &str| {
        line.split_at_checked(15).map(|(name, value)| (name.trim().to_owned(), value.to_owned()))
    };
    let steady = |(name, _): &(String, String)| name != "wall time" && name != "speed";
    text.lines().filter_map(split).filter(steady).collect()
}

#[test]
fn the_summary_is_that_of_the_main_command() {
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/night_watch.ron");
    let answer = Project::empty().flockwork(&["run", scenario.to_str().unwrap()]);
    let found = summary(&answer.out());
    assert!(found.contains_key("state hash"), "{found:?}");
    let shown = text_with("goals reached");
    let shown = summary(shown.split_once('\n').unwrap().1);
    assert_eq!(shown, found);
}

#[test]
fn the_tutorial_works_as_it_is_written() {
    let rust = blocks("rust");
    let [shy, hawk, scenario] = &rust[..] else {
        panic!("the tutorial has two scripts and a scenario");
    };
    let project = Project::empty()
        .with("scripts/shy.rhai", shy)
        .with("scripts/hawk.rhai", hawk)
        .with("scenarios/shy.ron", scenario);
    for args in
        [&["check"][..], &["run", "scenarios/shy.ron", "--ticks", "300", "--set", "bird.fear=200"]]
    {
        project.flockwork(args).says(0, &[]);
    }
    let misspelled = project.with("scripts/shy.rhai", shy.replace("me.evade", "me.evaed"));
    let said = misspelled.flockwork(&["check"]).err();
    let shown = text_with("no function `evaed`");
    assert!(said.contains(shown.trim_end()), "the README shows\n{shown}\nand it says\n{said}");
}

#[test]
fn scripts_at_native_speed_are_told_as_they_are() {
    let rust = blocks("rust");
    let scares = "me.state.scares += 1;";
    let project = Project::empty()
        .with(
            "scripts/shy.rhai",
            rust[0].replace(scares, &format!("{scares}\n        debug(me.state.scares);")),
        )
        .with("scripts/hawk.rhai", &rust[1])
        .with("scenarios/shy.ron", &rust[2]);
    let said = project.flockwork(&["check", "--perf"]).says(0, &["1 note"]).err();
    let note = text_with("needs the interpreter, which is slower");
    assert!(said.contains(note.trim_end()), "{note}\n{said}");

    let answer = project.flockwork(&["run", "scenarios/shy.ron"]).says(0, &[]);
    let debug = text_with("(bird) scripts/shy.rhai:11: ");
    assert!(answer.err().contains(&debug), "{debug}");

    // All but the numbers and the state, which are those of another size.
    let words = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.replace(|c: char| c.is_ascii_digit() || c == '.', ""))
            .map(|line| line.split(" after tick").last().unwrap().to_owned())
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    };
    let answer = project.flockwork(&["bench", "--agents", "100", "--ticks", "2"]);
    let bench = text_with("flockwork bench");
    let (_, shown) = bench.split_once('\n').unwrap();
    assert_eq!(words(shown), words(&answer.out()));
}
