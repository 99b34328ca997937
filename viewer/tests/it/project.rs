//! A temporary folder with a scenario and its script, and the program started in it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A temporary folder, which is deleted at the end of the test.
pub(crate) struct Project(TempDir);

/// Two agents that keep their velocity and reach their goals.
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
    /// Returns an empty folder.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Returns a folder with the scenario `two.ron`, whose behavior is `walk`.
    pub(crate) fn two() -> Self {
        Self::empty().with("scenarios/two.ron", SCENARIO).with("scripts/walk.rhai", SCRIPT)
    }

    /// Returns a folder with the scenario `two.ron` and another script of its behavior.
    pub(crate) fn two_with(script: &str) -> Self {
        Self::two().with("scripts/walk.rhai", script)
    }

    /// Adds or replaces a file.
    pub(crate) fn with(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// Adds the files that a compact text describes. The lines before the first `file` line belong to the file `first`.
    ///
    /// - A line `// file: scripts/other.rhai` starts another file, and `// files 20: scripts/a{i}.rhai` starts 20 of them.
    /// - `«1000:text»` is the text repeated a thousand times, with `{i}` replaced by 0, 1, 2, ... and `{next}` by
    ///   1, 2, 3, ... It may span several lines, but it may not contain another repetition.
    pub(crate) fn unpack(mut self, first: &str, text: &str) -> Self {
        let mut files = vec![(1, first.to_owned(), String::new())];
        for line in text.split_inclusive('\n') {
            let (_, _, body) = files.last_mut().unwrap();
            if let Some(name) = line.strip_prefix("// file: ") {
                files.push((1, name.trim().to_owned(), String::new()));
            } else if let Some((count, name)) =
                line.strip_prefix("// files ").and_then(|of| of.split_once(": "))
            {
                files.push((count.parse().unwrap(), name.trim().to_owned(), String::new()));
            } else {
                body.push_str(line);
            }
        }
        for (count, name, body) in files {
            let body = expanded(&body);
            for i in 0..count {
                self = match count {
                    1 => self.with(&name, &body),
                    _ => self.with(&numbered(&name, i), numbered(&body, i)),
                };
            }
        }
        self
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Returns the names of the files and folders at the top, including hidden ones.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.0.path())
    }

    /// Returns the paths of all files and folders.
    pub(crate) fn all_names(&self) -> Vec<PathBuf> {
        let (mut all, mut folders) = (Vec::new(), vec![self.path("")]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path.clone());
                }
                all.push(path);
            }
        }
        all.sort();
        all
    }

    /// Commits all files to a new Git repository. Returns `false`, and reports the skipped test, if there is no Git.
    pub(crate) fn commit(&self) -> bool {
        let all = [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "all"]];
        let is_done = all.iter().all(|args| self.git(args));
        if !is_done {
            skipped("there is no git here");
        }
        is_done
    }

    /// Runs Git in this folder, and returns whether that worked.
    pub(crate) fn git(&self, args: &[&str]) -> bool {
        let author = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        let git = Command::new("git").args(author).args(args).current_dir(self.0.path()).status();
        git.is_ok_and(|status| status.success())
    }

    /// Returns the command that starts the program in this folder.
    pub(crate) fn command(&self, args: &[&str]) -> snapbox::cmd::Command {
        snapbox::cmd::Command::new(snapbox::cmd::cargo_bin!("flockwork"))
            .current_dir(self.0.path())
            .args(args)
    }

    /// Returns the names of all commands of the program.
    pub(crate) fn commands(&self) -> Vec<String> {
        let help = self.flockwork(&["--help"]).out();
        let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
        let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        let names = names.map(|line| line.split_whitespace().next().unwrap().to_owned());
        let names: Vec<String> = names.filter(|name| name != "help").collect();
        assert!(names.len() > 5, "{help}");
        names
    }

    /// Runs the program in this folder and returns its output.
    pub(crate) fn flockwork(&self, args: &[&str]) -> CommandOutput {
        CommandOutput(self.command(args).output().unwrap())
    }
}

/// Returns the sorted names of the files and folders in a folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

/// Reports that a test is skipped, and why.
pub(crate) fn skipped(why: &str) {
    // Not with a macro: cargo hides what these print in tests that pass.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// Exit code and output of the program.
pub(crate) struct CommandOutput(Output);

impl CommandOutput {
    pub(crate) fn code(&self) -> Option<i32> {
        self.0.status.code()
    }

    pub(crate) fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// Asserts that the program ended with this code, wrote all these parts to standard error, and did not panic.
    #[track_caller]
    pub(crate) fn says(self, code: i32, parts: &[&str]) -> Self {
        let err = self.err();
        assert_eq!(self.code(), Some(code), "{err}");
        for part in parts {
            assert!(err.contains(part), "`{part}` is missing in\n{err}");
        }
        assert!(!err.contains("panicked"), "{err}");
        self
    }

    /// Returns the value of a line of the summary.
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

/// Returns text with all repetitions written out.
fn expanded(text: &str) -> String {
    let mut all = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('«') {
        let (piece, after) = after.split_once('»').expect("« without »");
        let (count, piece) = piece.split_once(':').expect("« without a count and a colon");
        all += before;
        for i in 0..count.parse().unwrap() {
            all += &numbered(piece, i);
        }
        rest = after;
    }
    all + rest
}

fn numbered(text: &str, i: u32) -> String {
    text.replace("{i}", &i.to_string()).replace("{next}", &(i + 1).to_string())
}

#[test]
fn repetitions_are_expanded() {
    let text = "a «3:{i}<{next} »b\n// files 2: x/{i}.txt\nto {next}\n// file: y.txt\n«2:\n»end";
    let project = Project::empty().unpack("first", text);
    assert_eq!(project.read("first"), "a 0<1 1<2 2<3 b\n");
    assert_eq!(project.read("x/1.txt"), "to 2\n");
    assert_eq!(project.read("y.txt"), "\n\nend");
}
