//! Scenarios with places to fill in: the same text with other values in some places.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::edit_text::TextEdits;
use super::group_spec::GroupSpec;
use super::text_parts::{DeadEnd, part_name, walk};
use super::{Scenario, to_ron};
use crate::diag::{Code, Diagnostic, Diagnostics, Source, nearest};
use crate::schema::{Described as _, Shape};
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};

/// A scenario in which some values are replaced. Everything else stays as it is written.
///
/// Each place is given as the names of the fields and keys on the way to it, and the numbers of elements of lists, from 0,
/// with dots between them: `groups.flock.body.max_speed`, `obstacles.pillar.center.0`. A field that is not written is
/// added. Names of groups and shared params may be short: `flock.count` is `groups.flock.count`, `flock.sight` is
/// `groups.flock.params.sight` if groups have no field `sight`, and `fear` is `params.fear`.
#[derive(Clone, Debug)]
pub struct Template {
    source: Arc<Source>,
    holes: Vec<Hole>,
}

/// A place of a template.
#[derive(Clone, Debug)]
struct Hole {
    /// The part of the text that is replaced.
    part: Range<usize>,
    /// The text before the new value: the names of fields that are added.
    before: String,
    /// The brackets that these fields need after it.
    after: String,
    /// How a number is written.
    form: NumberForm,
}

/// How a number is written, so that a param keeps its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberForm {
    /// With a decimal point.
    Float,
    /// Without one if it is an integer.
    Short,
}

/// A value for a place of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateValue {
    /// A number.
    Number(f32),
    /// Any value, as it is written in a scenario.
    Text(String),
}

impl fmt::Display for TemplateValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => f.write_str(&to_ron::number(*x)),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl TemplateValue {
    /// Returns the value as a table has it: the content of a string, and everything else as it is written.
    pub fn content(&self) -> String {
        let written = self.to_string();
        if !written.starts_with(['"', 'r']) {
            return written;
        }
        // Keys and strings are written alike.
        let map = format!("{{{written}: 0}}");
        let tree = RonTree::new(&map);
        let key = tree.root().and_then(|map| map.children().next()?.key_name());
        key.map_or(written, Into::into)
    }
}

impl Template {
    /// Finds places in a scenario.
    ///
    /// # Errors
    ///
    /// For the first path that leads nowhere: its index in `paths`, and why. The diagnostic has no place.
    pub fn new(source: &Arc<Source>, paths: &[&str]) -> Result<Self, (usize, Diagnostic)> {
        let tree = RonTree::new(&source.text);
        let holes = paths
            .iter()
            .enumerate()
            .map(|(i, path)| find_name(&tree, path).map_err(|error| (i, error)));
        let this = Self { source: Arc::clone(source), holes: holes.collect::<Result<_, _>>()? };
        for (i, hole) in this.holes.iter().enumerate() {
            let clash = this.holes[..i].iter().position(|other| hole.overlaps(other));
            if let Some(other) = clash {
                let both = match paths[other] == paths[i] {
                    true => format!("`{}` varies twice", paths[i]),
                    false => {
                        format!("`{}` and `{}` change the same value", paths[other], paths[i])
                    }
                };
                return Err((i, Diagnostic::error(both).help("leave one of them out")));
            }
        }
        Ok(this)
    }

    /// Returns the scenario's text with a value in each place, in the order of the paths.
    ///
    /// # Panics
    ///
    /// If there are fewer values than places.
    pub fn fill(&self, values: &[TemplateValue]) -> Arc<Source> {
        let mut edits = TextEdits::new(&self.source.text);
        for (number, hole) in self.holes.iter().enumerate() {
            let value = match (&values[number], hole.form) {
                (TemplateValue::Number(x), NumberForm::Float) => to_ron::float(*x),
                (other, _) => other.to_string(),
            };
            edits.replace(hole.part.clone(), format!("{}{value}{}", hole.before, hole.after));
        }
        Source::new(self.source.name.as_str(), edits.finish())
    }

    /// Returns the scenario as it is written.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the text that is written now in the place with this index; empty if nothing is written there.
    ///
    /// # Panics
    ///
    /// If there is no such place.
    pub fn written(&self, place: usize) -> &str {
        &self.source.text[self.holes[place].part.clone()]
    }

    /// Fills the template and reads the scenario.
    ///
    /// # Errors
    ///
    /// If the values do not fit: all errors of the new scenario.
    pub fn read(&self, values: &[TemplateValue]) -> Result<Scenario, Diagnostics> {
        Scenario::parse(&self.fill(values))
    }
}

fn field_names(shape: &Shape) -> Vec<&'static str> {
    match shape {
        Shape::Fields(fields) => fields.iter().map(|field| field.name).collect(),
        _ => Vec::new(),
    }
}

/// Returns the whole path of a value of a scenario whose name may be short.
#[cfg(feature = "experiments")]
pub(crate) fn whole_path(source: &Source, name: &str) -> String {
    path_of_name(&RonTree::new(&source.text), name)
}

/// Returns the path that a short name usually stands for, whatever the scenario is; `None` for a path. `birds.count` is a field of the group,
/// `birds.sight` a param, since groups have no such field, and `fear` a shared param.
pub fn path_of_short_name(name: &str) -> Option<String> {
    let (first, rest) = name.split_once('.').unwrap_or((name, ""));
    if field_names(super::shape()).contains(&first) {
        return None;
    }
    let second = rest.split('.').next().unwrap_or_default();
    Some(if rest.is_empty() {
        format!("params.{name}")
    } else if field_names(&GroupSpec::shape()).contains(&second) {
        format!("groups.{name}")
    } else {
        format!("groups.{first}.params.{rest}")
    })
}

/// Returns the whole path of a value whose name may be short.
fn path_of_name(tree: &RonTree<'_>, name: &str) -> String {
    let Some(usual) = path_of_short_name(name) else {
        return name.to_owned();
    };
    let is_written = |path: &[&str]| walk(tree, path).is_ok();
    let (first, rest) = name.split_once('.').unwrap_or((name, ""));
    let second = rest.split('.').next().unwrap_or_default();
    if is_written(&["groups", first, "params", second]) {
        // Also if groups have a field of this name.
        format!("groups.{first}.params.{rest}")
    } else if is_written(&["groups", first]) || rest.is_empty() && is_written(&["params", first]) {
        usual
    } else if rest.is_empty() || nearest(first, field_names(super::shape())).is_some() {
        // The error should be about the scenario, or about its groups.
        name.to_owned()
    } else {
        format!("groups.{name}")
    }
}

impl Hole {
    fn overlaps(&self, other: &Self) -> bool {
        let is_same_field = self.part == other.part && self.before == other.before;
        is_same_field || (self.part.start < other.part.end && other.part.start < self.part.end)
    }
}

/// Finds the place that a path or a short name leads to.
fn find_name(tree: &RonTree<'_>, name: &str) -> Result<Hole, Diagnostic> {
    let path = path_of_name(tree, name);
    find(tree, &path).map_err(|error| match name.split_once('.') {
        Some((group, param))
            if path == format!("groups.{group}.params.{param}")
                && walk(tree, &["groups", group]).is_ok() =>
        {
            no_param(tree, group, param)
        }
        _ => error,
    })
}

/// Returns the error for the short name of a param that a group does not have. It may be meant for a field, also inside of one.
fn no_param(tree: &RonTree<'_>, group: &str, name: &str) -> Diagnostic {
    let params = walk(tree, &["groups", group, "params"]);
    let params: Vec<String> = params.map_or_else(
        |_| Vec::new(),
        |all| all.children().enumerate().map(|(index, part)| part_name(index, part)).collect(),
    );
    let Shape::Fields(fields) = GroupSpec::shape() else {
        unreachable!("a group has fields");
    };
    // Each name, and how it is written after the group.
    let mut known: Vec<(String, String)> =
        params.iter().map(|one| (one.clone(), one.clone())).collect();
    for field in fields {
        known.push((field.name.to_owned(), field.name.to_owned()));
        for inner in field_names(&field.shape) {
            known.push((inner.to_owned(), format!("{}.{inner}", field.name)));
        }
    }
    let error =
        Diagnostic::error(format!("the group `{group}` has no param and no field `{name}`"))
            .code(Code::UnknownName);
    let same = known.iter().find(|(one, _)| one == name);
    let near = nearest(name, known.iter().map(|(one, _)| one.as_str()));
    let meant = same.or_else(|| known.iter().find(|(one, _)| Some(one.as_str()) == near));
    let error = match meant {
        Some((_, path)) => error.help(format!("did you mean `{group}.{path}`?")),
        None => error,
    };
    match params.is_empty() {
        true => error.help("it has no params"),
        false => error.help(format!("its params: {}", params.join(", "))),
    }
}

/// Finds the place that a path leads to.
fn find(tree: &RonTree<'_>, path: &str) -> Result<Hole, Diagnostic> {
    let names: Vec<&str> = path.split('.').collect();
    let part = match walk(tree, &names) {
        Ok(part) => part,
        Err(DeadEnd { depth, whole }) => {
            let of = if depth == 0 {
                "the scenario".into()
            } else {
                format!("`{}`", names[..depth].join("."))
            };
            return match whole {
                // Params are entries of a map: one that is not written is a slip.
                Some(whole)
                    if whole.kind() == RonKind::Struct
                        && names[depth] != "params"
                        && (depth > 0
                            || names.len() == 1
                            || field_names(super::shape()).contains(&names[0])) =>
                {
                    added_fields(whole, &names[depth..])
                }
                Some(whole) => Err(unknown(&of, names[depth], whole)),
                None => {
                    let none = format!("{of} has no parts: `{path}` leads nowhere");
                    Err(Diagnostic::error(none).code(Code::UnknownName))
                }
            };
        }
    };
    let written = part.text();
    let is_number = written.parse::<f64>().is_ok();
    let form = if is_number && written.contains(['.', 'e', 'E']) {
        NumberForm::Float
    } else {
        NumberForm::Short
    };
    Ok(Hole { part: part.span(), before: String::new(), after: String::new(), form })
}

/// Returns the error for a name that a value does not have.
fn unknown(of: &str, name: &str, whole: RonNode<'_, '_>) -> Diagnostic {
    if matches!(whole.kind(), RonKind::List | RonKind::Tuple) {
        let count = whole.children().count();
        let missing = format!("{of} has {count} elements, but none has the number `{name}`");
        return Diagnostic::error(missing).code(Code::UnknownName).help("elements count from 0");
    }
    let names: Vec<String> =
        whole.children().enumerate().map(|(index, part)| part_name(index, part)).collect();
    Diagnostic::error(format!("{of} has no `{name}`"))
        .code(Code::UnknownName)
        .suggest(name, names.iter().map(String::as_str))
}

/// Returns the place at the end of a struct where a field can be added, which has the further fields inside of it.
fn added_fields(whole: RonNode<'_, '_>, names: &[&str]) -> Result<Hole, Diagnostic> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if let Some(wrong) = names.iter().find(|name| !is_name(name)) {
        return Err(unknown("this value", wrong, whole));
    }
    let (at, comma) = match (whole.children().last(), whole.opening()) {
        (Some(last), _) => (last.span().end, ", "),
        (None, opening) => (opening.map_or(0, |opening| opening + 1), ""),
    };
    Ok(Hole {
        part: at..at,
        before: format!("{comma}{}: ", names.join(": (")),
        after: ")".repeat(names.len() - 1),
        form: NumberForm::Short,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENARIO: &str = r#"// A comment.
(
    ticks: 60, // how long
    world: (size: (100, 200), edge: Wrap),
    obstacles: { "rock": Circle(center: (1, 2), radius: 3.5) },
    groups: {
        "a": (behavior: "x", spawn: Points([(1, 2), (3, 4)]), params: { "w": 2.0, "n": 3 }),
        "b": (behavior: "x", count: 5, spawn: Disc(center: (9, 9), radius: 1)),
    },
    events: [At(tick: 5, do: Push(group: "a", velocity: (1, 0)))],
)"#;

    fn filled(path: &str, value: f32) -> String {
        let source = Source::new("s.ron", SCENARIO);
        let template =
            Template::new(&source, &[path]).unwrap_or_else(|(_, error)| panic!("{error:?}"));
        template.fill(&[TemplateValue::Number(value)]).text.clone()
    }

    #[test]
    fn only_the_value_at_the_path_changes() {
        for (path, old, new) in [
            ("ticks", "ticks: 60,", "ticks: 7,"),
            ("world.size.1", "(100, 200)", "(100, 7)"),
            ("obstacles.rock.center.0", "center: (1, 2)", "center: (7, 2)"),
            ("obstacles.rock.radius", "radius: 3.5", "radius: 7.0"),
            ("groups.a.spawn.1.0", "(3, 4)", "(7, 4)"),
            ("groups.a.params.w", "\"w\": 2.0", "\"w\": 7.0"),
            ("groups.a.params.n", "\"n\": 3", "\"n\": 7"),
            ("groups.b.count", "count: 5", "count: 7"),
            ("events.0.tick", "tick: 5", "tick: 7"),
            ("events.0.do.velocity.0", "velocity: (1, 0)", "velocity: (7, 0)"),
            ("groups.b.body", "radius: 1)", "radius: 1), body: 7"),
            ("groups.b.body.noise", "radius: 1)", "radius: 1), body: (noise: 7)"),
            ("dt", "(1, 0)))]", "(1, 0)))], dt: 7"),
        ] {
            assert_eq!(filled(path, 7.0), SCENARIO.replacen(old, new, 1), "{path}");
        }
    }

    #[test]
    fn tables_have_strings_without_quotes() {
        let content = |text: &str| TemplateValue::Text(text.into()).content();
        let written =
            ["\"flock\"", r#""a \"b\"""#, r##"r#"c"d"#"##, "(1, 2)", "0.5", "Wrap", "rest"];
        let read = ["flock", "a \"b\"", "c\"d", "(1, 2)", "0.5", "Wrap", "rest"];
        assert_eq!(written.map(content), read);
    }

    #[test]
    fn a_short_name_that_leads_nowhere_may_be_meant_for_a_field() {
        let source = Source::new("s.ron", SCENARIO);
        for (name, help) in [
            ("a.max_speed", "did you mean `a.body.max_speed`?; its params: w, n"),
            ("b.max_sped", "did you mean `b.body.max_speed`?; it has no params"),
            ("b.coutn", "did you mean `b.count`?; it has no params"),
            ("a.ww", "its params: w, n"),
        ] {
            let (_, error) = Template::new(&source, &[name]).unwrap_err();
            let (group, wrong) = name.split_once('.').unwrap();
            let message = format!("the group `{group}` has no param and no field `{wrong}`");
            assert_eq!((error.message, &*error.help.join("; ")), (message, help), "{name}");
        }
    }

    #[test]
    fn short_names_lead_to_params_and_to_fields_of_groups() {
        let text = SCENARIO.replacen("ticks: 60,", "ticks: 60, params: { \"fear\": 1 },", 1);
        let tree = RonTree::new(&text);
        for (name, path) in [
            ("a.w", "groups.a.params.w"),
            ("b.count", "groups.b.count"),
            ("a.spawn.1.0", "groups.a.spawn.1.0"),
            ("a.wrong", "groups.a.params.wrong"),
            ("b.body.noise", "groups.b.body.noise"),
            ("fear", "params.fear"),
            ("shared", "shared"),
            ("world.size", "world.size"),
            ("dt", "dt"),
            ("groups.a.params.w", "groups.a.params.w"),
            ("group.a.count", "group.a.count"),
            ("runners.w", "groups.runners.w"),
        ] {
            assert_eq!(path_of_name(&tree, name), path, "{name}");
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_is_an_error_with_the_nearest_name() {
        let source = Source::new("s.ron", SCENARIO);
        for (path, message, help) in [
            ("group.a.count", "the scenario has no `group`", "did you mean `groups`?"),
            ("groups.aa.count", "`groups` has no `aa`", "known: a, b"),
            ("groups.a.params.ww", "`groups.a.params` has no `ww`", "known: "),
            ("groups.a.spawn.2.0", "`groups.a.spawn` has 2 elements", "elements count from 0"),
            ("ticks.0", "`ticks` has no parts", ""),
            // A variant without brackets cannot get fields.
            ("world.edge.x", "`world.edge` has no parts", ""),
        ] {
            let (_, error) = Template::new(&source, &[path]).unwrap_err();
            assert!(error.message.contains(message), "{}", error.message);
            assert!(error.help.concat().contains(help), "{:?}", error.help);
        }
        let (index, error) =
            Template::new(&source, &["ticks", "world.size", "world.size.0"]).unwrap_err();
        assert_eq!(index, 2);
        assert!(error.message.contains("change the same value"), "{}", error.message);
    }

    #[test]
    fn a_filled_template_is_read_as_a_scenario() {
        let source = Source::new("s.ron", SCENARIO);
        let template = Template::new(&source, &["groups.b.count", "dt"]).unwrap();
        let read =
            |count, dt| template.read(&[TemplateValue::Number(count), TemplateValue::Number(dt)]);
        let scenario = read(8.0, 0.25).unwrap();
        assert_eq!(scenario.setup.dt, 0.25);
        assert!(read(8.5, 0.25).is_err());
        assert_eq!((template.written(0), template.written(1)), ("5", ""));
    }
}
