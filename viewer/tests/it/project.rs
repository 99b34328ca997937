//! A folder with a scenario and its script, and the program started in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder of its own, gone with the test.
pub(crate) struct Project(TempDir);

/// Two agents that go on as they are, and come to their goals.
const SCENARIO: &str = r#"(
    name: "Two",
    dt: 0.05,
    ticks: 10,
    world: (size: (100, 100)),
    groups: {
        "walkers": (
            behavior: "walk",
            spawn: Points([(0, 0), (0, 10)]),
            velocity: (20, 0),
            body: (radius: 1, max_speed: 20),
            params: { "push": 0.0 }, // check: allow(unused-param)
            goals: [(at: (5, 0), radius: 1)], // check: allow(unused-goals)
        ),
    },
)
"#;

const SCRIPT: &str = "fn steer(me) { vec(me.params.push, 0) }\n";

impl Project {
    /// A folder with nothing in it.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with the scenario `two.ron`, whose behavior is `walk`.
    pub(crate) fn two() -> Self {
        Self::empty().with("scenarios/two.ron", SCENARIO).with("scripts/walk.rhai", SCRIPT)
    }

    /// The scenario `two.ron` with another behavior.
    pub(crate) fn two_with(script: &str) -> Self {
        Self::two().with("scripts/walk.rhai", script)
    }

    pub(crate) fn with(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// The names in its top folder, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.0.path())
    }

    /// Commits all of it to a Git repository; says so and is false where there is no Git.
    pub(crate) fn commit(&self) -> bool {
        let who = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "all"]] {
            let git = Command::new("git").args(who).args(args).current_dir(self.0.path()).status();
            if !git.is_ok_and(|status| status.success()) {
                skipped("there is no git here");
                return false;
            }
        }
        true
    }

    /// The program, to be started in here.
    pub(crate) fn command(&self, args: &[&str]) -> snapbox::cmd::Command {
        snapbox::cmd::Command::new(snapbox::cmd::cargo_bin!("flockwork"))
            .current_dir(self.0.path())
            .args(args)
    }

    /// The program's answer.
    pub(crate) fn flockwork(&self, args: &[&str]) -> Answer {
        Answer(self.command(args).output().unwrap())
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

/// Says that a test cannot be done here, and why.
#[expect(clippy::print_stderr, reason = "this is how a test speaks")]
pub(crate) fn skipped(why: &str) {
    eprintln!("SKIPPED: {why}");
}

/// What the program answered.
pub(crate) struct Answer(Output);

impl Answer {
    pub(crate) fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// It ended with this code, and said all of this to the person; nothing panicked.
    #[track_caller]
    pub(crate) fn says(self, code: i32, parts: &[&str]) -> Self {
        let err = self.err();
        assert_eq!(self.0.status.code(), Some(code), "{err}");
        for part in parts {
            assert!(err.contains(part), "`{part}` is missing in\n{err}");
        }
        assert!(!err.contains("panicked"), "{err}");
        self
    }

    /// The value of a line of the summary.
    #[track_caller]
    pub(crate) fn summary(&self, name: &str) -> String {
        let out = self.out();
        let line = out.lines().find(|line| line.starts_with(name));
        let Some(line) = line else {
            panic!("no `{name}` in\n{out}{}", self.err());
        };
        line[name.len()..].trim().to_owned()
    }
}
