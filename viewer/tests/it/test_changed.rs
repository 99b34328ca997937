//! `flockwork test --changed` in real Git repositories.

use std::fs;

use crate::project::Project;

const HELP: &str = "fn push() { vec(0, 0) }\n";
const IMPORTS: &str = "import \"lib/help\" as help;\nfn steer(me) { help::push() }\n";

/// Returns a committed project: `two` has the behavior `walk`, `three` one that imports a script. `None` without Git.
fn project() -> Option<Project> {
    let two = Project::two().read("scenarios/two.ron");
    let project = Project::two()
        .with("scenarios/three.ron", two.replace("\"walk\"", "\"imports\""))
        .with("scripts/imports.rhai", IMPORTS)
        .with("scripts/lib/help.rhai", HELP)
        .with("scripts/unused.rhai", HELP)
        .with("README.md", "Walkers")
        .with(".gitignore", "scripts/made/\n");
    project.flockwork(&["test", "--update"]).says(0, &[]);
    project.commit().then_some(project)
}

/// Asserts which scenarios a list has, and that the reasons name these files.
#[track_caller]
fn lists(project: &Project, args: &[&str], scenarios: &[&str], reasons: &[&str]) {
    let answer = project.flockwork(&[&["test", "--list", "--changed"], args].concat());
    let out = answer.says(0, reasons).out();
    let names: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("scenarios/")).collect();
    assert_eq!(names, scenarios);
}

#[test]
fn nothing_has_changed() {
    let Some(project) = project() else { return };
    let says = "nothing to test: no change since the last commit concerns any of 2 scenarios";
    let args = ["test", "--changed", "--junit", "out.xml", "--shard", "1/2"];
    let answer = project.flockwork(&args).says(0, &[says]);
    assert!(answer.out().contains("0 scenarios: 0 passed"));
    assert!(!answer.err().contains("warning"), "{}", answer.err());
    assert!(project.read("out.xml").contains("tests=\"0\""));
    let project = project.with("README.md", "More walkers").with("scripts/unused.rhai", "// None");
    lists(&project, &[], &[], &[says]);
}

#[test]
fn a_changed_script_concerns_the_scenarios_that_use_it() {
    let Some(project) = project() else { return };
    let project = project.with("scripts/walk.rhai", "fn steer(me) { vec(0, 1) }");
    let counted = "changes since the last commit concern 1 of 2 scenarios";
    let reason = "  scenarios/two.ron: scripts/walk.rhai has changed";
    lists(&project, &[], &["two.ron"], &[counted, reason]);
    // Staged changes are changes, too.
    assert!(project.git(&["add", "-A"]));
    let answer = project.flockwork(&["test", "--changed", "--verbose"]).says(1, &[counted, reason]);
    assert!(answer.out().contains("1 scenario: 0 passed, 1 failed"), "{}", answer.out());
    let answer = project.flockwork(&["test", "--changed"]).says(1, &[counted]);
    assert!(!answer.err().contains("walk.rhai"), "{}", answer.err());
}

#[test]
fn a_changed_import_concerns_the_scenarios_that_use_it() {
    let Some(project) = project() else { return };
    let project = project.with("scripts/lib/help.rhai", "fn push() { vec(0, 1) }\n");
    lists(&project, &[], &["three.ron"], &["three.ron: scripts/lib/help.rhai has changed"]);
    // The order of options and paths does not matter.
    let args = ["test", "scenarios/two.ron", "--changed"];
    project.flockwork(&args).says(0, &["concerns any of 1 scenario"]);
}

#[test]
fn goldens_renamed_files_and_new_scenarios_are_changes() {
    let Some(project) = project() else { return };
    let golden = project.read("scenarios/two.golden");
    let project =
        project.with("scenarios/two.golden", golden.replace("reason \"\"", "reason \"a\""));
    lists(&project, &[], &["two.ron"], &["scenarios/two.golden has changed"]);
    assert!(project.git(&["checkout", "-q", "."]));
    fs::remove_file(project.path("scenarios/two.golden")).unwrap();
    lists(&project, &[], &["two.ron"], &["scenarios/two.golden is gone"]);
    assert!(project.git(&["checkout", "-q", "."]));
    assert!(project.git(&["mv", "scenarios/two.ron", "scenarios/four.ron"]));
    assert!(project.git(&["mv", "scenarios/two.golden", "scenarios/four.golden"]));
    lists(&project, &[], &["four.ron"], &["scenarios/four.ron has changed"]);
    assert!(project.git(&["reset", "-q", "--hard"]));
    let new = project.read("scenarios/two.ron");
    let project = project.with("scenarios/deep/new.ron", new);
    lists(&project, &[], &["deep/new.ron"], &["scenarios/deep/new.ron has changed"]);
}

#[test]
fn scripts_that_are_gone_renamed_ignored_or_nearer_are_changes() {
    let Some(project) = project() else { return };
    assert!(project.git(&["mv", "scripts/lib/help.rhai", "scripts/lib/other.rhai"]));
    lists(&project, &[], &["three.ron"], &["three.ron: scripts/lib/help.rhai is gone"]);
    assert!(project.git(&["reset", "-q", "--hard"]));
    // Git does not know whether a file that it ignores has changed.
    let project = project.with("scripts/made/help.rhai", HELP);
    let other = IMPORTS.replace("lib/", "made/");
    let project = project.with("scripts/imports.rhai", other);
    assert!(project.git(&["commit", "-qam", "It uses an ignored script"]));
    lists(&project, &[], &["three.ron"], &["scripts/made/help.rhai has changed"]);
    // The scripts were those of a folder that is gone.
    let project = project.with("scenarios/scripts/walk.rhai", "fn steer(me) { vec(0, 0) }");
    let project = project.with("scenarios/scripts/imports.rhai", "fn steer(me) { vec(0, 0) }");
    assert!(project.git(&["add", "-A"]) && project.git(&["commit", "-qm", "Nearer"]));
    lists(&project, &[], &[], &[]);
    fs::remove_dir_all(project.path("scenarios/scripts")).unwrap();
    let reason = "two.ron: scenarios/scripts is gone";
    lists(&project, &[], &["three.ron", "two.ron"], &[reason]);
}

#[test]
fn a_scenario_whose_scripts_are_not_known_is_tested() {
    let Some(project) = project() else { return };
    let project = project.with("scripts/walk.rhai", "fn steer(me) {");
    assert!(project.git(&["commit", "-qam", "Broken"]));
    lists(&project, &[], &["two.ron"], &["it has an error: not all of its scripts are known"]);
}

#[test]
fn changes_are_counted_from_the_common_commit() {
    let Some(project) = project() else { return };
    assert!(project.git(&["branch", "-q", "-m", "trunk"]));
    assert!(project.git(&["checkout", "-q", "-b", "topic"]));
    let project = project.with("scripts/lib/help.rhai", "fn push() { vec(0, 1) }\n");
    assert!(project.git(&["commit", "-qam", "Topic"]));
    assert!(project.git(&["checkout", "-q", "trunk"]));
    // What is new in the other branch is no change of this one.
    let project = project.with("scripts/walk.rhai", "fn steer(me) { vec(1, 0) }");
    assert!(project.git(&["commit", "-qam", "Trunk"]) && project.git(&["checkout", "-q", "topic"]));
    let says = "changes since the last commit in common with `trunk` concern 1 of 2 scenarios";
    lists(&project, &["trunk"], &["three.ron"], &[says]);
    lists(&project, &[], &[], &[]);
    let project = project.with("scripts/walk.rhai", "fn steer(me) { vec(2, 0) }");
    lists(&project, &["trunk"], &["three.ron", "two.ron"], &[]);
    let unknown = "there is no revision `nothing`";
    project.flockwork(&["test", "--changed", "nothing"]).says(2, &[unknown]);
    let advice = "write `flockwork test scenarios --changed`";
    project.flockwork(&["test", "--changed", "scenarios"]).says(2, &[advice]);
    assert!(project.git(&["checkout", "-q", "--orphan", "apart"]));
    assert!(project.git(&["commit", "-qam", "Apart"]));
    let apart = "`trunk` and `HEAD` have no commit in common";
    project.flockwork(&["test", "--changed", "trunk"]).says(2, &[apart]);
}

/// Caught: in a shallow clone, and in a folder of another user, the diagnosis said that there was no history.
#[test]
fn what_keeps_git_from_reading_the_history_is_said() {
    let Some(project) = project() else { return };
    let project = project.with("scripts/walk.rhai", "fn steer(me) { vec(0, 1) }");
    assert!(project.git(&["commit", "-qam", "Another script"]));
    let at = |folder: &str| format!("file://{}", project.path(folder).display());
    assert!(project.git(&["clone", "-q", "--depth", "1", &at(""), "shallow"]));
    let fails = |args: &[&str], folder: &str, path: Option<&str>| {
        let mut command = project.command(args).current_dir(project.path(folder));
        // No settings of this machine.
        command = command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        // Git then behaves as if the folder belonged to somebody else.
        if folder.is_empty() {
            command = command.env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
        }
        if let Some(path) = path {
            command = command.env("PATH", path);
        }
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_ne!(output.status.code(), Some(0), "{text:?}");
        text.concat()
    };
    let says =
        |text: String, part: &str| assert!(text.contains(part), "`{part}` is missing in\n{text}");
    let shallow = "this is a shallow clone, which lacks earlier revisions: `git fetch --unshallow`";
    says(fails(&["test"], "shallow", None), &format!("old forces        unknown: {shallow}"));
    says(fails(&["test", "--against", "HEAD~1"], "shallow", None), shallow);
    says(fails(&["test", "--changed", "HEAD~1"], "shallow", None), shallow);
    let trusted = "this command trusts it: `git config --global --add safe.directory /";
    says(fails(&["test"], "", None), trusted);
    says(fails(&["test", "--changed"], "", None), trusted);
    let none = "there is no program `git` here: install it";
    says(fails(&["test"], "", Some("/nowhere")), &format!("old forces        unknown: {none}"));
    says(fails(&["test", "--changed"], "", Some("/nowhere")), none);
}

#[test]
fn before_the_first_commit_everything_is_new_and_without_git_it_is_an_error() {
    let project = Project::two();
    let help = ["not a git repository", "to test all scenarios, leave out `--changed`"];
    project.flockwork(&["test", "--changed"]).says(2, &help);
    project.flockwork(&["test", "--verbose"]).says(2, &["--changed"]);
    if project.git(&["init", "-q"]) {
        lists(&project, &[], &["two.ron"], &[]);
        assert!(project.git(&["add", "-A"]));
        lists(&project, &[], &["two.ron"], &[]);
    }
}
