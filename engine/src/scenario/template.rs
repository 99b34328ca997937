//! Scenarios with places to fill in: the same text with other values in some places.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::edit_text::TextEdits;
use super::text_parts::{DeadEnd, part_name, walk};
use super::{Scenario, to_ron};
use crate::diag::{Code, Diagnostic, Diagnostics, Source};
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};

/// A scenario in which some values are replaced. Everything else stays as it is written.
///
/// Each place is given as the names of the fields and keys on the way to it, and the numbers of elements of lists, from 0,
/// with dots between them: `groups.flock.body.max_speed`, `obstacles.pillar.center.0`. A field that is not written is
/// added.
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
    /// The text before the new value: the name of a field that is added.
    before: String,
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

impl Template {
    /// Finds places in a scenario.
    ///
    /// # Errors
    ///
    /// For the first path that leads nowhere: its index in `paths`, and why. The diagnostic has no place.
    pub fn new(source: &Arc<Source>, paths: &[&str]) -> Result<Self, (usize, Diagnostic)> {
        let tree = RonTree::new(&source.text);
        let holes = paths.iter().enumerate();
        let holes = holes.map(|(i, path)| find(&tree, path).map_err(|error| (i, error)));
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
            edits.replace(hole.part.clone(), format!("{}{value}", hole.before));
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

impl Hole {
    fn overlaps(&self, other: &Self) -> bool {
        let is_same_field = self.part == other.part && self.before == other.before;
        is_same_field || (self.part.start < other.part.end && other.part.start < self.part.end)
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
                Some(whole) if whole.kind() == RonKind::Struct && depth + 1 == names.len() => {
                    added_field(whole, names[depth])
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
    Ok(Hole { part: part.span(), before: String::new(), form })
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

/// Returns the place at the end of a struct where a field can be added.
fn added_field(whole: RonNode<'_, '_>, name: &str) -> Result<Hole, Diagnostic> {
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(unknown("this value", name, whole));
    }
    let (at, comma) = match (whole.children().last(), whole.opening()) {
        (Some(last), _) => (last.span().end, ", "),
        (None, opening) => (opening.map_or(0, |opening| opening + 1), ""),
    };
    Ok(Hole { part: at..at, before: format!("{comma}{name}: "), form: NumberForm::Short })
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
            ("dt", "(1, 0)))]", "(1, 0)))], dt: 7"),
        ] {
            assert_eq!(filled(path, 7.0), SCENARIO.replacen(old, new, 1), "{path}");
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
