//! Completion in scripts, at the marks `‹` in the files of `tests/completion`: it offers the names that `check` accepts there, and no
//! others.
//!
//! `check` is asked once for a mark: the marked line stands in the script once for each name that there is anywhere.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::load::OpenFiles;
use flockwork_engine::runner::check_open;
use flockwork_engine::script::{Entry, Parameter, Topic, reference};
use flockwork_engine::{Code, Severity};
use serde_json::{Value, json};

use super::client::{Client, position};
use crate::project::Project;

const SCENARIO: &str = "scenarios/herd.ron";
/// A name that nothing has.
const NONSENSE: &str = "zzzz";

const KEYWORDS: &str =
    "fn let const if else for in while return switch import as true false private public do spawn";

const MARK: char = '‹';

/// Returns the folder with the marked files.
fn marked() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/completion")
}

const SCRIPTS: [&str; 5] = [
    "scripts/herd/walk.rhai",
    "scripts/tools.rhai",
    "scripts/calm.rhai",
    "scripts/crowd.rhai",
    "scripts/eddy.rhai",
];

fn read(path: &str) -> String {
    std::fs::read_to_string(marked().join(path)).unwrap()
}

/// Returns a script without its marked lines.
fn plain(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains(MARK)).collect()
}

/// Returns the marked lines of a script, each with the byte offset of its place in the plain script.
fn marks(text: &str) -> Vec<(usize, &str)> {
    let (mut at, mut all) = (0, Vec::new());
    for line in text.split_inclusive('\n') {
        if line.contains(MARK) {
            all.push((at, line));
        } else {
            at += line.len();
        }
    }
    all
}

/// Returns something that a parameter takes.
fn argument(entry: &Entry, param: &Parameter) -> String {
    let text = match &*param.takes {
        "me" | "`me`" => "me",
        takes if takes.contains("at most 32 names of functions") => "[\"own\"]",
        takes if takes.starts_with("a function of two") || takes.contains("value so far") => {
            "|a, b| a == b"
        }
        takes if takes.contains("returns `true` or `false`") => "|a| true",
        takes if takes.starts_with("a function") => "|a| a",
        "8, 16 or 32" => "8",
        takes if takes.starts_with("an integer") => "1",
        takes if takes.starts_with("a number") || takes == "seconds" => "1.5",
        takes if takes.starts_with("a float") => "1.5",
        takes if takes.starts_with("a radius") => "5",
        takes if takes.starts_with("a map of numbers") => "[1]",
        takes if takes.starts_with("a point") || takes.starts_with("a vector") => "vec(1, 2)",
        takes if takes.contains("path") => "\"round\"",
        takes if takes.contains("field") => "\"wind\"",
        "the name of a group" => "\"wolf\"",
        "the name of an obstacle" => "\"rock\"",
        "the name of a layer" => "\"scent\"",
        "the name of a public number" => "\"eaten\"",
        // All values that are kept under a name have one kind.
        "a string" | "the name of a state" => return format!("\"{}\"", entry.names[0]),
        "an array of vectors" => "[vec(1, 2)]",
        "an array of numbers" => "[1]",
        "a map of values" => "#{}",
        "an agent, the name of a group, or a neighborhood" => "\"sheep\"",
        "the name of a public state" => "\"alarm\"",
        "the name of a shared value" => "\"any_alarm\"",
        "a value of its type" => "true",
        "an agent" | "another agent" | "`me` or another agent" => "world.agent(\"wolf\")",
        "`true` or `false`" => "true",
        "anything" | "the first value" => "1",
        takes => panic!("{takes}: write something that this takes"),
    };
    text.to_owned()
}

/// A name, and how it is written with everything that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    name: String,
    written: String,
    /// Whether it stands behind a dot; `None` if it can stand anywhere.
    is_member: Option<bool>,
}

impl Form {
    fn word(name: &str) -> Self {
        Self { name: name.to_owned(), written: name.to_owned(), is_member: None }
    }

    /// Returns whether `check` can say that it is wrong in a script. It knows nothing about calls with functions, and about
    /// methods of measures. Whether an array can be ordered depends on its elements, which completion does not know.
    fn is_judged(&self, script: &str) -> bool {
        let is_method = self.is_member == Some(true) && self.written.contains('(');
        let is_machine = self.written.starts_with("machine(");
        let is_unknown = is_method && script.contains("(now)");
        let orders = self.name.starts_with("sort") || self.name.starts_with("order");
        !(self.written.contains('|') || is_machine || is_unknown || orders)
    }
}

/// Returns how the reference writes the names of an entry.
fn forms_of(entry: &Entry) -> Vec<Form> {
    let is_word = entry.names[0].starts_with(|c: char| c.is_alphabetic());
    let is_setter = entry.signature.contains(" = ") && !entry.signature.contains('(');
    if !is_word || is_setter || entry.names == ["for"] || entry.topic == Topic::EntryPoints {
        return Vec::new();
    }
    let required = entry.params.iter().filter(|param| param.default.is_none());
    let arguments: Vec<String> = required.map(|param| argument(entry, param)).collect();
    let form = |name: &&str| Form {
        name: (*name).to_owned(),
        written: match entry.signature.contains('(') {
            true => format!("{name}({})", arguments.join(", ")),
            false => (*name).to_owned(),
        },
        is_member: Some(entry.receiver.is_some()),
    };
    entry.names.iter().map(form).collect()
}

/// Returns the words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic()))
}

/// Returns each name that there is anywhere, with how it is written outside of strings.
fn all_forms(text: &str) -> Vec<Form> {
    let mut all: Vec<Form> = reference().iter().flat_map(forms_of).collect();
    for (at, _) in text.match_indices("fn ") {
        let (name, rest) = text[at + 3..].split_once('(').unwrap();
        let params = rest.split(')').next().unwrap().split(", ");
        let given = params.map(|param| if ["me", "now"].contains(&param) { param } else { "1" });
        let written = format!("{name}({})", given.collect::<Vec<_>>().join(", "));
        all.push(Form { written, is_member: Some(false), ..Form::word(name) });
    }
    // Any word may be a variable, a state, a key, or declared by the scenario.
    let scenario = read(SCENARIO);
    let words = words(text).chain(words(&scenario));
    let words = words.filter(|word| !KEYWORDS.split(' ').any(|keyword| keyword == *word));
    all.extend(words.map(Form::word));
    if text.contains("as tools") {
        all.push(Form {
            written: "tools::calm(me, 1)".to_owned(),
            is_member: Some(false),
            ..Form::word("tools")
        });
    }
    all.sort();
    all.dedup();
    all
}

/// Returns the names that `check` accepts at a mark.
fn accepted(
    project: &Project,
    path: &str,
    mark: (usize, &str),
    forms: Vec<Form>,
) -> BTreeSet<String> {
    let text = plain(&read(path));
    let (at, line) = mark;
    let (before, after) = line.split("//").next().unwrap().trim().split_once(MARK).unwrap();
    let is_text = before.ends_with('"');
    // Several forms may have one name.
    let mut left = forms;
    let mut accepted = BTreeSet::new();
    loop {
        // Each name has its own branch, so that a mistake does not hide another one.
        let mut changed = text[..at].to_owned();
        let mut spans: Vec<Range<usize>> = Vec::new();
        let condition = if text.contains("(now)") { "now.tick" } else { "world.tick" };
        for (index, Form { written: form, .. }) in left.iter().enumerate() {
            changed.push_str(&format!("if {condition} == {index} {{ {before}"));
            let start = changed.len();
            changed.push_str(form);
            let name = form.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(form.len());
            spans.push(start..start + name);
            changed.push_str(&format!("{after} }}\n"));
        }
        changed.push_str(&text[at..]);
        let mut open = OpenFiles::default();
        open.open(&project.path(path), &changed);
        let checked = check_open(&project.path(SCENARIO), &Arc::new(open));
        let mut wrong = BTreeSet::new();
        for finding in checked.findings.iter().filter(|one| one.severity == Severity::Error) {
            let place = finding.place.as_ref().filter(|place| place.source.text == changed);
            let Some(place) = place else { panic!("{line}: {finding}") };
            let found = spans.iter().position(|span| {
                let line_end = changed[span.start..].find('\n').unwrap() + span.start;
                let line_start = changed[..span.start].rfind('\n').map_or(0, |end| end + 1);
                (line_start..line_end).contains(&place.span.start)
            });
            let Some(found) = found else { panic!("{line}: {finding}") };
            let is_here =
                place.span.start < spans[found].end && spans[found].start < place.span.end;
            // Wrong arguments are told at the arguments; this may be one of another call, which the message names first.
            let name = &left[found].name;
            let is_called_wrongly = finding.code == Code::WrongArguments
                && finding.message.split('`').nth(1) == Some(name)
                && (!is_open_call(before, name) || (is_here && before.ends_with('.')));
            let is_unknown = matches!(finding.code, Code::UnknownName | Code::UnsetState);
            let is_about_it = is_text || (is_here && is_unknown) || is_called_wrongly;
            if !is_about_it {
                // Something else is wrong there, such as the type of an argument.
                accepted.insert(left[found].name.clone());
            }
            wrong.insert(found);
        }
        if wrong.is_empty() {
            accepted.extend(left.into_iter().map(|form| form.name));
            return accepted;
        }
        let mut index = 0;
        left.retain(|_| {
            index += 1;
            !wrong.contains(&(index - 1))
        });
    }
}

/// Returns whether a text ends in the brackets of a call of a function.
fn is_open_call(text: &str, function: &str) -> bool {
    text.rfind(&format!("{function}(")).is_some_and(|at| {
        let count = |sign: char| text[at..].matches(sign).count();
        count('(') > count(')')
    })
}

/// Returns the labels that are offered in a text at a byte offset.
fn offered(client: &mut Client, path: &str, text: &str, offset: usize) -> BTreeSet<String> {
    client.change(path, text);
    let params = json!({
        "textDocument": {"uri": client.uri(path)},
        "position": position(text, offset),
    });
    let items = client.request("textDocument/completion", params);
    let label = |item: &Value| item["label"].as_str().unwrap().to_owned();
    items.as_array().map_or_else(BTreeSet::new, |items| items.iter().map(label).collect())
}

/// Functions of all values, which are not offered among names that files give.
const COMMON: [&str; 2] = ["to_debug", "to_string"];

#[test]
fn scripts_are_offered_what_check_accepts_and_nothing_else() {
    let mut project = Project::empty().with(SCENARIO, read(SCENARIO));
    for path in SCRIPTS {
        project = project.with(path, plain(&read(path)));
    }
    let mut client = Client::start(&project);
    let (mut wrong, mut count, mut judged) = (Vec::new(), 0, 0);
    for path in SCRIPTS {
        let text = read(path);
        let whole = plain(&text);
        client.open(path, &whole);
        let forms = all_forms(&whole);
        for mark in marks(&text) {
            let (at, line) = mark;
            let (before, after) = line.split_once(MARK).unwrap();
            let is_member = before.ends_with('.');
            let mut here: Vec<Form> =
                forms.iter().filter(|form| form.is_member != Some(!is_member)).cloned().collect();
            let line_without_comment = line.split("//").next().unwrap();
            here.extend(
                words(line_without_comment)
                    .filter(|word| !KEYWORDS.split(' ').any(|keyword| keyword == *word))
                    .map(Form::word),
            );
            here.push(Form::word(NONSENSE));
            here.sort();
            here.dedup();
            let unjudged: BTreeSet<String> = here
                .iter()
                .filter(|form| !form.is_judged(&whole))
                .map(|form| form.name.clone())
                .collect();
            let accepted = accepted(&project, path, mark, here);
            let is_judged = !accepted.contains(NONSENSE);
            judged += usize::from(is_judged);
            // With what follows, and while that is not written yet.
            let (after, some) = after.split_once(" // some: ").unwrap_or((after, ""));
            let unfinished = (!before.contains('`')).then_some("\n");
            for after in [Some(after), unfinished].into_iter().flatten() {
                let changed =
                    format!("{}{before}{}\n{}", &whole[..at], after.trim_end(), &whole[at..]);
                let offered = offered(&mut client, path, &changed, at + before.len());
                count += 1;
                let shown = format!("{path}: {before}‹{after}").trim_end().to_owned();
                let lacking: Vec<&str> =
                    some.split_whitespace().filter(|name| !offered.contains(*name)).collect();
                if !lacking.is_empty() || (!is_judged && some.is_empty()) {
                    wrong.push(format!(
                        "UNJUDGED {shown}\n    not offered: {lacking:?}, offered: {offered:?}"
                    ));
                }
                if !is_judged {
                    // `check` cannot say what is wrong here.
                    continue;
                }
                let missing = accepted.difference(&offered);
                // What everything has is hardly meant among names that files give.
                let holders = [".params.", ".state.", ".inputs.", ".shared."];
                let of_names = holders.iter().any(|holder| before.ends_with(holder));
                let is_common = |name: &str| of_names && COMMON.contains(&name);
                let missing: Vec<&String> =
                    missing.filter(|name| !unjudged.contains(*name) && !is_common(name)).collect();
                let invalid = offered.difference(&accepted);
                // Whole params are offered as arguments; behind their dot, they are judged.
                let is_param = |name: &str| name.starts_with("me.params.");
                let invalid: Vec<&String> =
                    invalid.filter(|name| !unjudged.contains(*name) && !is_param(name)).collect();
                if !missing.is_empty() || !invalid.is_empty() {
                    wrong.push(format!(
                        "{shown}\n    missing: {missing:?}\n    invalid: {invalid:?}"
                    ));
                }
            }
        }
        client.close(path);
    }
    assert!(wrong.is_empty(), "{} of {count}, {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 300, "{count}");
}

/// Returns the bytes of each string in a scenario.
fn strings(text: &str) -> Vec<Range<usize>> {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    quotes.chunks(2).map(|pair| pair[0] + 1..pair[1]).collect()
}

#[test]
fn strings_in_a_scenario_are_offered_the_names_that_check_accepts_and_no_others() {
    let text = read(SCENARIO);
    let mut project = Project::empty().with(SCENARIO, &text);
    for path in SCRIPTS {
        project = project.with(path, plain(&read(path)));
    }
    let mut client = Client::start(&project);
    client.open(SCENARIO, &text);
    let mut names: BTreeSet<&str> = strings(&text).into_iter().map(|span| &text[span]).collect();
    names.extend(["tools", NONSENSE]);
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for span in strings(&text) {
        let is_accepted = |name: &&&str| {
            let mut changed = text.clone();
            changed.replace_range(span.clone(), name);
            let mut open = OpenFiles::default();
            open.open(&project.path(SCENARIO), &changed);
            let checked = check_open(&project.path(SCENARIO), &Arc::new(open));
            let mut errors = checked.findings.iter().filter(|one| one.severity == Severity::Error);
            // A script that lacks the function that is called has the error itself.
            !errors.any(|one| {
                let place = one.place.as_ref().unwrap();
                let is_here = place.span.start <= span.start + name.len()
                    && span.start <= place.span.end
                    && place.source.text == changed;
                (is_here && one.code == Code::UnknownName) || place.source.text != changed
            })
        };
        let accepted: BTreeSet<String> =
            names.iter().filter(is_accepted).map(|name| (*name).to_owned()).collect();
        // A new name, also if another file lacks it then.
        let is_declared =
            text[span.end..].starts_with("\": ") && span.start < text.find("start:").unwrap();
        if accepted.contains(NONSENSE) || is_declared {
            continue;
        }
        judged += 1;
        let offered = offered(&mut client, SCENARIO, &text, span.start);
        if offered != accepted {
            let line = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
            wrong.push(format!(
                "{}‹: {offered:?}\n    check accepts {accepted:?}",
                &text[line..span.start]
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(judged > 15, "{judged}");
}
