//! The book in `docs/src` and the README: their examples are executed, and the outputs are compared.
//!
//! Each page has a folder of its own, which begins with copies of `scenarios` and `scripts`; one whose first
//! command is `flockwork new` begins with an empty folder. Its blocks are then taken in their order:
//!
//! - A block whose first line is a comment with a path, such as `// scripts/shy.rhai`, is saved as that file.
//! - A `diff` block that begins in the same way changes that file. The lines that it removes must occur there once.
//! - A `console` block has commands behind `$ ` (and `> ` where they go on), each with its output below: what goes to
//!   the standard output, then what goes to the standard error, then `(exit code N)` if that is not 0. `...` stands
//!   for any lines, and `[..]` for any text in a line. `flockwork view`, which opens a window, is not run: its options
//!   are looked up in its help.
//! - Other `rhai` blocks are checked as a script, or as the body of `steer`; other `ron` blocks as fields of a
//!   scenario.
//! - A `text` block is part of what a command on the page has printed before.
//! - A `rust` block is included from a file that is compiled elsewhere.
//! - In `yaml` blocks and in text between backticks, options of `flockwork` are looked up in its help.
//!
//! Times, speeds and revisions in the output become `[..]` by themselves.
//!
//! `FLOCKWORK_PROGRAM=path/to/flockwork` runs the commands with that program, such as one from an archive.
//!
//! `SNAPSHOTS=overwrite` writes the output of commands into the pages, and keeps `...` and `[..]` where they still fit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use flockwork_engine::script::{Topic, reference};
use flockwork_engine::trace::Measure;
use snapbox::filter::NormalizeToExpected;
use snapbox::{Assert, Data};

use crate::project::{self, Project, skipped};

/// Languages of blocks that are neither run nor checked.
const UNCHECKED: [&str; 8] = [
    "toml",
    "mermaid",
    "html",
    "js",
    "dockerfile",
    "lua",
    "elisp",
    // A test of the package for Python runs them.
    "python",
];

/// Commands in `sh` blocks, which are not run: they install something, or need the whole repository, the pages for browsers or an engine of jobs.
const INSTALLING: [&str; 19] = [
    "curl ",
    "sh install.sh ",
    "sh .flockwork/",
    "sha256sum ",
    "mkdir -p .flockwork",
    "export FLOCKWORK_ADDRESS=",
    "PATH=",
    "cargo ",
    "git clone ",
    "cd ",
    "rustup ",
    "sudo apt",
    "docs/build",
    "flockwork export page ",
    "npm ",
    "pip install ",
    "code ",
    "hq ",
    "sh scenarios/watch.sweep/jobs/",
];

/// The fields of the scenario that fragments in RON belong to, unless they give these fields themselves.
const FIELDS: [(&str, &str); 4] = [
    ("world", "(size: (800, 600))"),
    ("obstacles", r#"{ "pillar": Circle(center: (400, 300), radius: 40) }"#),
    ("paths", r#"{ "round": (points: [(100, 100), (700, 100), (700, 500)], radius: 25) }"#),
    (
        "groups",
        r#"{
            "bird": (count: 10, spawn: Disc(center: (200, 200), radius: 50), params: { "fear": 90.0 }),
            "guard": (spawn: Points([(90, 140)]), path: "round"),
            "thief": (spawn: Points([(400, 120)]), goals: [(at: (740, 60), radius: 20)]),
        }"#,
    ),
];

/// The folder of the repository, unless this is a packed crate, which has no book.
fn repository() -> Option<&'static Path> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    if top.join("docs/src").is_dir() {
        return Some(top);
    }
    skipped("this is no checkout of the repository");
    None
}

#[test]
fn pages_show_what_happens() {
    let Some(top) = repository() else { return };
    let mut paths: Vec<PathBuf> = fs::read_dir(top.join("docs/src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        // This one is printed by the program, see below.
        .filter(|path| !path.ends_with("reference.md"))
        .chain([top.join("README.md")])
        .collect();
    paths.sort();
    let has_git = Command::new("git").arg("--version").output().is_ok();
    if !has_git {
        skipped("there is no git, so pages with git commands are left out");
    }
    let help = &Help::default();
    let faults: Vec<String> = std::thread::scope(|scope| {
        let page = |path| Page::read(path, top, help, has_git);
        let pages: Vec<_> =
            paths.iter().map(|path| scope.spawn(move || page(path).check())).collect();
        pages.into_iter().flat_map(|page| page.join().unwrap()).collect()
    });
    let advice = "SNAPSHOTS=overwrite writes new output into the pages; read what changed";
    assert!(faults.is_empty(), "{}\n{} faults; {advice}", faults.join("\n"), faults.len());
}

/// The page is what the program prints, with the scenario and the script of each picture. `docs/build` draws the pictures.
#[test]
fn the_reference_is_what_the_program_prints() {
    let Some(top) = repository() else { return };
    let mut page = String::new();
    let printed = Project::empty().flockwork(&["reference", "--format", "markdown"]);
    for line in printed.says(0, &[]).out().lines() {
        let picture = line.strip_prefix("![").and_then(|rest| rest.split_once("](pictures/"));
        let Some((name, _)) = picture else {
            page += &format!("{line}\n");
            continue;
        };
        let scenario =
            fs::read_to_string(top.join(format!("scenarios/primitives/{name}.ron"))).unwrap();
        let caption = scenario.lines().nth(1).and_then(|line| line.strip_prefix("// ")).unwrap();
        let script =
            fs::read_to_string(top.join(format!("scripts/primitives/{name}.rhai"))).unwrap();
        page += &format!(
            "<!-- picture: {name} -->\n\n{caption}\n\n```rhai\n{}\n```\n",
            script.trim_end()
        );
    }
    let path = top.join("docs/src/reference.md");
    if overwrites() {
        fs::write(path, page).unwrap();
    } else {
        let is_current = fs::read_to_string(path).is_ok_and(|now| now == page);
        assert!(is_current, "SNAPSHOTS=overwrite writes docs/src/reference.md");
    }
}

/// Caught: pages linked to pictures and to a page that were only there after `docs/build`.
#[test]
fn links_in_a_checkout_lead_to_files() {
    let Some(top) = repository() else { return };
    let folders = [top.to_owned(), top.join("docs/src")];
    let mut broken = Vec::new();
    for path in folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = path.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        // Without code, in which brackets and parentheses mean something else.
        let prose = text.split("```").step_by(2).flat_map(|part| part.split('`').step_by(2));
        for link in prose.flat_map(|part| part.split("](").skip(1)) {
            let file = link.split([')', '#']).next().unwrap();
            let is_file = !file.is_empty() && !file.contains(':');
            if is_file && !path.parent().unwrap().join(file).exists() {
                broken.push(format!("{}: {file}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// The reference shows a picture of each: made from a scenario and a script of that name.
#[test]
fn each_primitive_and_combinator_has_a_picture() {
    let Some(top) = repository() else { return };
    let folder = top.join("scenarios/primitives");
    let forces = [Topic::Primitives, Topic::Combinators];
    let forces = reference().into_iter().filter(|entry| forces.contains(&entry.topic));
    let mut names: Vec<String> = forces.map(|entry| format!("{}.ron", entry.names[0])).collect();
    names.sort();
    let scenarios = project::names(&folder).into_iter().filter(|name| name.ends_with(".ron"));
    assert_eq!(scenarios.collect::<Vec<_>>(), names);
    for name in names {
        let scenario = fs::read_to_string(folder.join(&name)).unwrap();
        assert!(scenario.starts_with("// render: "), "{name} says how it is drawn");
        let behavior = format!("behavior: \"primitives/{}\"", name.trim_end_matches(".ron"));
        assert!(scenario.contains(&behavior), "{name} shows what it is called after");
    }
}

#[test]
fn the_page_about_tests_lists_every_measure() {
    let Some(top) = repository() else { return };
    let page = fs::read_to_string(top.join("docs/src/testing.md")).unwrap();
    for measure in Measure::ALL {
        let (name, formula) = (measure.name(), measure.formula().replace('|', "\\|"));
        let line = page.lines().find(|line| line.starts_with(&format!("| `{name}` | ")));
        let end = format!(" | {} | `{formula}` |", measure.unit());
        assert!(line.is_some_and(|line| line.ends_with(&end)), "{name}: {line:?}");
    }
}

#[test]
fn the_page_about_commands_has_every_command() {
    let Some(top) = repository() else { return };
    let page = fs::read_to_string(top.join("docs/src/commands.md")).unwrap();
    let help = Project::empty().flockwork(&["--help"]).says(0, &[]).out();
    let commands = help.split("Commands:\n").nth(1).unwrap().lines();
    let commands = commands.map_while(|line| line.split_whitespace().next());
    for command in commands.filter(|name| *name != "help") {
        assert!(page.contains(&format!("\n## {command}\n")), "there is no section {command}");
    }
}

/// Returns whether output is written into the pages instead of compared.
fn overwrites() -> bool {
    std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite")
}

/// The help of commands, each asked for once.
#[derive(Default)]
struct Help(Mutex<BTreeMap<String, String>>);

impl Help {
    /// Returns what a command line names that the program does not have.
    fn fault(&self, line: &str) -> Option<String> {
        let mut words = line.split_whitespace().skip_while(|word| *word != "flockwork").skip(1);
        let name = words.next().filter(|word| !word.starts_with('-')).unwrap_or_default();
        if name.contains(|c: char| !c.is_ascii_alphanumeric()) {
            return Some(format!("`{name}` is no command"));
        }
        let mut known = self.0.lock().unwrap();
        let help = known.entry(name.to_owned()).or_insert_with(|| {
            let args = if name.is_empty() { vec!["--help"] } else { vec![name, "--help"] };
            Project::empty().flockwork(&args).out()
        });
        if help.is_empty() {
            return Some(format!("there is no command `{name}`"));
        }
        let options =
            words.filter_map(|word| word.trim_start_matches(['[', '(']).strip_prefix("--"));
        let mut options = options.map(|word| {
            word.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default()
        });
        let unknown =
            options.find(|option| !option.is_empty() && !has_word(help, &format!("--{option}")))?;
        Some(format!("`flockwork {name}` has no option `--{unknown}`"))
    }
}

/// Returns whether a word is in a text, with something else than a letter or a hyphen behind it.
fn has_word(text: &str, word: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    text.split(word).skip(1).any(ends)
}

/// A page while it is worked through.
struct Page<'a> {
    path: &'a Path,
    name: String,
    help: &'a Help,
    project: Project,
    has_git: bool,
    /// Whether output is written into the page instead of compared.
    overwrites: bool,
    /// The folder that commands run in.
    folder: PathBuf,
    /// The output of the commands so far.
    printed: String,
    /// The page as it should be.
    updated: String,
    faults: Vec<String>,
}

impl<'a> Page<'a> {
    fn read(path: &'a Path, top: &Path, help: &'a Help, has_git: bool) -> Self {
        let project = Project::empty();
        let text = fs::read_to_string(path).unwrap();
        let first = text.lines().find_map(|line| line.strip_prefix("$ ")).unwrap_or_default();
        if !first.starts_with("flockwork new") {
            for folder in ["scenarios", "scripts"] {
                copy(&top.join(folder), &project.path(folder));
            }
        }
        let name = path.strip_prefix(top).unwrap().display().to_string();
        let folder = project.path("");
        Self {
            path,
            name,
            help,
            project,
            has_git,
            overwrites: overwrites(),
            folder,
            printed: String::new(),
            updated: String::new(),
            faults: Vec::new(),
        }
    }

    /// Works through the page, and returns what is wrong with it.
    fn check(mut self) -> Vec<String> {
        let text = fs::read_to_string(self.path).unwrap();
        if !self.has_git && text.contains("$ git ") {
            return Vec::new();
        }
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            self.updated += line;
            self.updated.push('\n');
            let Some(language) = line.strip_prefix("```") else {
                self.prose(number, line);
                continue;
            };
            let body: Vec<&str> = lines
                .by_ref()
                .map(|(_, line)| line)
                .take_while(|line| !line.starts_with("```"))
                .collect();
            let body = body.iter().map(|line| format!("{line}\n")).collect::<String>();
            self.block(number, language.split(',').next().unwrap_or_default(), &body);
            self.updated += "```\n";
        }
        if self.overwrites && self.updated != text {
            fs::write(self.path, &self.updated).unwrap();
        }
        self.faults
    }

    fn fault(&mut self, line: usize, fault: impl std::fmt::Display) {
        self.faults.push(format!("{}:{}: {fault}", self.name, line + 1));
    }

    /// Looks up the commands in a line of text.
    fn prose(&mut self, number: usize, line: &str) {
        for code in line.split('`').skip(1).step_by(2).filter(|code| code.starts_with("flockwork "))
        {
            if let Some(fault) = self.help.fault(code) {
                self.fault(number, fault);
            }
        }
    }

    fn block(&mut self, number: usize, language: &str, body: &str) {
        if language == "console" {
            self.console(number, body);
            return;
        }
        self.updated += body;
        let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
        let file = first
            .strip_prefix("// ")
            .or(first.strip_prefix("# "))
            .filter(|path| !path.contains(' ') && Path::new(path).extension().is_some());
        match (language, file) {
            ("diff", Some(file)) => self.change(number, file, rest),
            (_, Some(file)) => {
                let path = self.folder.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, body).unwrap();
            }
            ("rhai", None) => self.script(number, body),
            ("ron", None) => self.fields(number, body),
            ("text", None) => {
                if !self.printed.contains(body.trim_end()) {
                    self.fault(number, "no command before this has printed this text");
                }
            }
            ("rust", None) => self.included(number, first),
            ("sh", None) => {
                for line in body.lines() {
                    let line = line.split(" # ").next().unwrap_or_default();
                    if !INSTALLING.iter().any(|start| line.starts_with(start)) {
                        self.fault(number, format!("`{line}` belongs in a `console` block"));
                    }
                }
            }
            ("json", None) => {
                if let Err(error) = serde_json::from_str::<serde_json::Value>(body) {
                    self.fault(number, format!("no JSON: {error}"));
                }
            }
            ("yaml", None) => {}
            (language, None) if UNCHECKED.contains(&language) => {}
            (language, None) => self.fault(number, format!("nothing checks `{language}` blocks")),
        }
        if language == "yaml" {
            let commands = body.lines().filter(|line| !line.contains("cargo "));
            for line in commands.filter(|line| line.contains(" flockwork ")) {
                if let Some(fault) = self.help.fault(line) {
                    self.fault(number, fault);
                }
            }
        }
    }

    /// Changes a file as a `diff` block says.
    fn change(&mut self, number: usize, file: &str, diff: &str) {
        let side = |other: char| {
            let lines = diff.lines().filter(|line| !line.starts_with(other));
            lines.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect::<String>()
        };
        let (before, after) = (side('+'), side('-'));
        let path = self.folder.join(file);
        let text = fs::read_to_string(&path).unwrap_or_default();
        if text.matches(&before).count() == 1 {
            fs::write(path, text.replace(&before, &after)).unwrap();
        } else {
            self.fault(number, format!("what it changes is not once in {file}:\n{text}"));
        }
    }

    /// Runs the commands of a `console` block.
    fn console(&mut self, number: usize, body: &str) {
        let mut lines = body.lines().enumerate().peekable();
        while let Some((i, line)) = lines.next() {
            let Some(command) = line.strip_prefix("$ ") else {
                self.fault(number + i + 1, "a `console` block begins with `$ ` and a command");
                self.updated += line;
                self.updated.push('\n');
                continue;
            };
            let _ = writeln!(self.updated, "{line}");
            let mut command = command.to_owned();
            while let Some((_, line)) = lines.next_if(|(_, line)| line.starts_with("> ")) {
                let _ = writeln!(self.updated, "{line}");
                let _ = write!(command, "\n{}", &line[2..]);
            }
            let mut expected = String::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with("$ ")) {
                let _ = writeln!(expected, "{line}");
            }
            let printed = self.run(&command);
            self.printed += &printed;
            let expected = Data::text(expected);
            let normalized =
                NormalizeToExpected::new().redact().normalize(Data::text(printed), &expected);
            let compared = Assert::new().try_eq(Some(&command), normalized.clone(), expected);
            if let Err(error) = compared
                && !self.overwrites
            {
                self.fault(number + i + 1, error);
            }
            self.updated += &normalized.to_string();
        }
    }

    /// Runs a command and returns what it prints.
    fn run(&mut self, command: &str) -> String {
        let command = command.replace("cargo run --release -- ", "flockwork ");
        if command.starts_with("flockwork view") && !command.contains("--help") {
            return self.help.fault(&command).map_or_else(String::new, |fault| fault + "\n");
        }
        let program = std::env::var_os("FLOCKWORK_PROGRAM")
            .map_or_else(|| snapbox::cmd::cargo_bin!("flockwork").to_path_buf(), PathBuf::from);
        let mut path = program.parent().unwrap().as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let cwd = tempfile::NamedTempFile::new().unwrap();
        let output = Command::new("sh")
            .args(["-c", &format!("{command}\ncode=$?; pwd > \"$CWD_FILE\"; exit $code")])
            .current_dir(&self.folder)
            .env("CWD_FILE", cwd.path())
            .env("PATH", path)
            .env("HOME", self.project.path(""))
            .env("LC_ALL", "C")
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
            .envs([("GIT_AUTHOR_NAME", "A"), ("GIT_AUTHOR_EMAIL", "a@example.org")])
            .envs([("GIT_COMMITTER_NAME", "A"), ("GIT_COMMITTER_EMAIL", "a@example.org")])
            .output()
            .unwrap();
        if let Ok(folder) = fs::read_to_string(cwd.path()) {
            self.folder = PathBuf::from(folder.trim_end());
        }
        let err = String::from_utf8_lossy(&output.stderr);
        // A development build says that it is slow.
        let err: String = err
            .split_inclusive("\n\n")
            .filter(|part| !part.contains("a development build"))
            .collect();
        let printed = format!("{}{err}", String::from_utf8_lossy(&output.stdout));
        let mut printed = elided(&printed);
        if !printed.is_empty() && !printed.ends_with('\n') {
            printed.push('\n');
        }
        if let Some(code) = output.status.code().filter(|code| *code != 0) {
            let _ = writeln!(printed, "(exit code {code})");
        }
        printed
    }

    /// Checks a piece of a script.
    fn script(&mut self, number: usize, body: &str) {
        let whole = body.starts_with("fn ") || body.contains("\nfn ");
        let script = if whole { body.to_owned() } else { format!("fn steer(me) {{\n{body}\n}}\n") };
        self.checked(number, Project::empty().with("scripts/piece.rhai", script));
    }

    /// Checks fields of a scenario.
    fn fields(&mut self, number: usize, body: &str) {
        let given = |name: &str| {
            body.lines().any(|line| line.trim_start().starts_with(&format!("{name}:")))
        };
        let others = FIELDS.iter().filter(|(name, _)| !given(name));
        let others: String = others.map(|(name, value)| format!("{name}: {value},\n")).collect();
        let project = Project::empty();
        copy(&self.project.path("scripts"), &project.path("scripts"));
        self.checked(number, project.with("scenarios/piece.ron", format!("({others}{body})")));
    }

    fn checked(&mut self, number: usize, project: Project) {
        let path = if project.path("scenarios").exists() { "scenarios" } else { "scripts" };
        let answer = project.flockwork(&["check", path]);
        if answer.code() != Some(0) {
            self.fault(number, answer.err());
        }
    }

    /// Checks that a block is included, and from where.
    fn included(&mut self, number: usize, line: &str) {
        let place = line.strip_prefix("{{#include ").and_then(|line| line.strip_suffix("}}"));
        let Some(place) = place else {
            self.fault(number, "include this from an example, so that it is compiled");
            return;
        };
        let (file, anchor) = place.split_once(':').unwrap_or((place, ""));
        let text = fs::read_to_string(self.path.parent().unwrap().join(file)).unwrap_or_default();
        let ends = ["ANCHOR", "ANCHOR_END"].map(|end| format!("// {end}: {anchor}\n"));
        if text.is_empty() || !anchor.is_empty() && !ends.iter().all(|end| text.contains(end)) {
            self.fault(number, format!("there is no `{place}`"));
        }
    }
}

/// The text before and after a part of a line that differs from run to run.
const VARYING: [(&str, &str); 10] = [
    ("wall time      ", " s"),
    ("speed          ", " agent-ticks"),
    ("\"wall_time_s\": ", ","),
    ("\"agent_ticks_per_s\": ", ","),
    ("written in ", " s ("),
    ("failed in ", " s ("),
    (" s (", " agent-ticks"),
    ("timestamp=\"", "\""),
    (" time=\"", "\""),
    ("compared with     revision ", ","),
];

/// Replaces times, speeds and revisions by `[..]`.
fn elided(text: &str) -> String {
    let elide = |line: &str| {
        let mut line = line.to_owned();
        for (before, behind) in VARYING {
            if let Some(start) = line.find(before).map(|at| at + before.len())
                && let Some(length) = line[start..].find(behind)
            {
                line.replace_range(start..start + length, "[..]");
            }
        }
        // `    PASS [   0.040s] scenarios/flock.ron`
        if let Some((result, rest)) = line.split_once(" [")
            && result.trim_start().bytes().all(|byte| byte.is_ascii_uppercase())
            && let Some((_, path)) = rest.split_once("s] ")
        {
            line = format!("{result} [..] {path}");
        }
        line
    };
    text.split_inclusive('\n').map(elide).collect()
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, to).unwrap();
        }
    }
}
