//! Advice on how to write the parts of a scenario, for errors where RON cannot read them.

use std::ops::Range;

use ron::error::Error;

use super::{advice_by_shape, color_names};
use crate::diag::{brackets, decimal_points};
use crate::tokens::Language;

/// The goals of a tune, as a plan states them.
const TUNE: &str = "tune: (goals: [Maximize(\"polarization\")], budget: 500)";

/// The fields of a scenario, with an example of each.
const EXAMPLES: &[(&str, &str)] = &[
    ("world", "world: (size: (800, 600), edge: Wrap)"),
    ("size", "size: (width, height)"),
    ("min", "min: (x, y)"),
    ("max", "max: (x, y)"),
    ("center", "center: (x, y)"),
    ("at", "at: (x, y)"),
    ("velocity", "velocity: (x, y)"),
    ("spacing", "spacing: (x, y)"),
    ("edge", "edge: Wrap"),
    ("order", "order: Sequential"),
    ("obstacles", "obstacles: { \"name\": Circle(center: (x, y), radius: r) }"),
    ("Polygon", "Polygon([(x, y), (x, y), (x, y)])"),
    ("moving_obstacles", "moving_obstacles: { \"name\": Along(path: \"name\", speed: s) }"),
    ("moves", "moves: To(at: (x, y), speed: s)"),
    ("Velocity", "Velocity((x, y))"),
    ("paths", "paths: { \"name\": (points: [(x, y), (x, y)], radius: r) }"),
    ("fields", "fields: { \"name\": Vortex(center: (x, y), radius: r) }"),
    ("vectors", "vectors: [[(x, y), (x, y)], [(x, y), (x, y)]]"),
    ("points", "points: [(x, y), (x, y)]"),
    ("groups", "groups: { \"name\": (behavior: \"script\", spawn: Points([(x, y)])) }"),
    ("behavior", "behavior: \"script\""),
    ("spawn", "spawn: Points([(x, y), (x, y)])"),
    ("Points", "Points([(x, y), (x, y)])"),
    ("Agents", "Agents([(at: (x, y)), (at: (x, y))])"),
    ("body", "body: (radius: 6, max_speed: 60, max_force: 120)"),
    ("drive", "drive: Car(turning_radius: r)"),
    ("Car", "Car(turning_radius: r, reverse: true)"),
    ("Unicycle", "Unicycle(reverse: true)"),
    ("noise", "noise: (position: 0.5, velocity: 0.2, motion: 3)"),
    ("params", "params: { \"name\": 80.0, \"home\": (x, y) }"),
    ("public", "public: { \"alarm\": false, \"hunger\": 0.5 }"),
    ("shared", "shared: { \"food\": Sum(), \"alarm\": Any() }"),
    ("goals", "goals: [(at: (x, y), radius: r)]"),
    ("path", "path: \"name\""),
    ("group", "group: \"name\""),
    ("between", "between: (\"name\", \"name\")"),
    ("events", "events: [At(tick: 120, do: Push(group: \"name\", velocity: (x, y)))]"),
    ("At", "At(tick: 120, do: Remove(group: \"name\"))"),
    ("Every", "Every(ticks: 60, do: Spawn(group: \"name\", count: 1))"),
    ("expect", "expect: [NoOverlap(), Reach(group: \"name\", by: 1500)]"),
    ("golden", "golden: (mode: Within(position: 0.1))"),
    ("hunt", "hunt: (keep: [Places, Counts])"),
    ("limits", "limits: (agents: 5000000)"),
    (
        "start",
        "start: (tick: 900, groups: { \"name\": (made: 1, agents: [(id: 0, index: 0, at: (x, y), velocity: (x, y))]) })",
    ),
    ("name", "name: \"Night watch\""),
];

/// Names that other tools use for a field or a variant of a scenario. Case and `_` are ignored.
const SYNONYMS: &[(&[&str], &str)] = &[
    (&["width", "height", "bounds", "dimensions"], "size"),
    (&["script", "brain", "ai", "behaviour"], "behavior"),
    (&["agents", "actors", "flocks"], "groups"),
    (&["steps", "frames", "duration", "max_ticks"], "ticks"),
    (&["timestep", "delta_time", "time_step_s"], "dt"),
    (&["waypoints", "vertices"], "points"),
    (&["walls", "colliders"], "obstacles"),
    (&["speed_limit", "speed"], "max_speed"),
    (&["force"], "max_force"),
    (&["turn_rate", "max_turn_rate", "max_turn", "max_angular_speed"], "max_turn_deg_per_s"),
    (&["max_brake", "max_brake_force", "brake", "braking"], "max_braking_force"),
    (&["max_lateral_force", "max_side_force"], "max_sideways_force"),
    (&["kinematics", "locomotion", "vehicle", "steering"], "drive"),
    (&["min_turning_radius", "turn_radius"], "turning_radius"),
    (&["bicycle", "ackermann", "dubins"], "Car"),
    (&["differential", "diff_drive"], "Unicycle"),
    (&["holonomic"], "Point"),
    (&["collide", "collision", "collisions", "hard", "rigid"], "solid"),
    (&["jitter", "error", "uncertainty"], "noise"),
    (&["heading", "angle", "rotation", "rotation_deg"], "heading_deg"),
    (&["position", "pos", "location"], "at"),
    (&["positions"], "spawn"),
    (&["variables", "parameters", "settings"], "params"),
    (&["targets", "waypoint_goals"], "goals"),
    (&["asserts", "expectations", "tests", "checks"], "expect"),
    (&["torus", "toroidal", "periodic"], "Wrap"),
    (&["reflect", "reflective"], "Bounce"),
    (&["none", "infinite", "unbounded"], "Open"),
    (&["solid"], "Clamp"),
    (&["rect", "rectangle", "aabb", "square"], "Box"),
    (&["line", "wall"], "Segment"),
    (&["disk", "ball"], "Circle"),
    (&["random", "uniform", "area"], "Rect"),
    (&["list"], "Points"),
    (&["from", "lower", "low", "bottom_left", "top_left"], "min"),
    (&["to", "upper", "high", "top_right", "bottom_right"], "max"),
    (&["kill", "delete", "despawn", "destroy"], "Remove"),
    (&["add", "create"], "Spawn"),
    (&["impulse", "kick"], "Push"),
    (&["after", "on", "once"], "At"),
];

/// Fields of other tools with a value, and the field that says the same here. Case and `_` are ignored.
const FIELDS: &[(&[&str], &str, &str)] = &[
    (&["closed", "is_closed", "loop", "looped", "looping", "cyclic"], "true", "mode: Loop"),
    (&["closed", "is_closed", "loop", "looped", "looping", "cyclic"], "false", "mode: Once"),
    (&["ping_pong"], "true", "mode: PingPong"),
];

/// Returns the expected name that is meant by a name from other tools, if any.
pub(super) fn meant_name(found: &str, expected: &[&'static str]) -> Option<&'static str> {
    let mut all = SYNONYMS.iter();
    all.find_map(|(names, meant)| {
        (is_one_of(found, names) && expected.contains(meant)).then_some(*meant)
    })
}

/// Returns the field with its value that is meant by one from other tools, if any. Its name is one of those that are expected.
pub(super) fn meant_field(
    found: &str,
    value: &str,
    expected: &[&'static str],
) -> Option<&'static str> {
    let mut all = FIELDS.iter();
    all.find_map(|(names, of, meant)| {
        let name = meant.split(':').next().unwrap_or_default();
        let is_meant = is_one_of(found, names) && *of == value && expected.contains(&name);
        is_meant.then_some(*meant)
    })
}

/// Returns whether a word means in other languages that there is no value.
pub(super) fn means_nothing(word: &str) -> bool {
    is_one_of(word, &["null", "nil", "undefined"])
}

/// Returns whether a name is one of some names, apart from case and `_`.
fn is_one_of(found: &str, names: &[&str]) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    names.iter().any(|name| plain(name) == plain(found))
}

/// Returns advice for a part of a scenario that cannot be read.
pub(super) fn advice(error: &Error, text: &str, span: Range<usize>) -> Vec<String> {
    let found = &text[span.clone()];
    let (before, after) = (&text[..span.start], &text[span.end..]);
    let mut advice = Vec::new();
    let by_shape = advice_by_shape::on_value(error, text, &span);
    match error {
        _ if means_nothing(found) => {
            advice.push("a field without a value is left out, with its name".into());
        }
        _ if is_one_of(found, &["vec", "vec2", "vector", "point"]) && is_call(after) => {
            advice.push("a point is written without a name: `(x, y)`".into());
        }
        Error::NoSuchStructField { found, expected, .. }
            if is_one_of(found, &["seconds", "time", "length"]) && expected.contains(&"ticks") =>
        {
            advice.push(
                "a run has a number of ticks: 10 seconds with 60 ticks each are `ticks: 600`"
                    .into(),
            );
        }
        _ if by_shape.is_some() => advice.extend(by_shape),
        Error::ExpectedMapColon | Error::ExpectedComma if found.starts_with('=') => {
            advice.push("write `:` instead of `=`".into());
        }
        Error::ExpectedComma if found == ";" => {
            advice.push("separate fields with `,`".into());
        }
        Error::ExpectedComma if with_letter(before, found).is_some() => {
            let number = with_letter(before, found).unwrap_or_default();
            advice.push(format!("a number has a letter in it: did you mean `{number}`?"));
        }
        Error::ExpectedComma if is_empty_string_behind(before, found) => {
            advice.push("remove the two quotes".into());
        }
        Error::ExpectedComma if before.ends_with(|c: char| c.is_ascii_digit()) => {
            advice.push("write numbers without a unit".into());
        }
        Error::ExpectedIdentifier if found == "#" => {
            advice.push("a comment begins with `//`".into());
        }
        Error::ExpectedIdentifier if found == "," => advice.push("remove one `,`".into()),
        Error::ExpectedIdentifier if found.len() > 2 && found.starts_with('"') => {
            advice.push(format!("remove the quotes: `{}`", found.trim_matches('"')));
        }
        Error::ExpectedString if is_color(text, span.start) => {
            advice.push(color_names::color_advice(found.trim_matches('\'')));
        }
        Error::ExpectedString if found.starts_with('\'') => {
            advice.push(format!("use double quotes: \"{}\"", found.trim_matches('\'')));
        }
        Error::ExpectedChar => {
            advice.push(format!("use double quotes: \"{}\"", found.trim_matches('\'')));
        }
        Error::ExpectedString if found.starts_with(char::is_alphabetic) && is_call(after) => {
            advice.extend(only_string(after));
        }
        Error::ExpectedString if found.starts_with(char::is_alphabetic) => {
            advice.push(format!("write it in quotes: \"{found}\""));
        }
        Error::ExpectedFloat | Error::ExpectedInteger if is_quoted_number(found) => {
            advice.push(format!("remove the quotes: {}", found.trim_matches('"')));
        }
        Error::ExpectedFloat | Error::ExpectedInteger if found.starts_with('"') => {
            advice.push("write a number without quotes, such as `2.5`".into());
        }
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => {
            advice.extend(round_brackets(text, &span));
        }
        _ => {}
    }
    if let Some(number) = with_comma(before, found, after) {
        advice.push(format!("did you mean `{number}`? Decimals are written with a point"));
    }
    let outer = match error {
        Error::NoSuchStructField { outer, .. } | Error::MissingStructField { outer, .. } => {
            outer.as_deref()
        }
        _ => None,
    };
    // What is wrong with the number is said.
    let is_number = matches!(error, Error::ExpectedFloat) && decimal_points(found).is_some();
    let example = match outer {
        Some(outer) => example(outer),
        None if is_number => None,
        None if needs_example(error) && advice.is_empty() => enclosing_example(text, span.start),
        None => None,
    };
    advice.extend(example.map(|example| format!("write it like `{example}`")));
    advice
}

/// Returns whether two quotes stand directly behind a value.
pub(super) fn is_empty_string_behind(before: &str, found: &str) -> bool {
    let is_value = |c: char| c.is_alphanumeric() || matches!(c, '"' | ')' | ']' | '}');
    found == "\"\"" && before.ends_with(is_value)
}

/// Returns whether the value at a byte offset is that of a field `color`.
pub(super) fn is_color(text: &str, at: usize) -> bool {
    let field = text[..at].trim_end().strip_suffix(':');
    field.is_some_and(|field| word_before(field.trim_end()) == "color")
}

/// Returns advice where round brackets were expected.
fn round_brackets(text: &str, span: &Range<usize>) -> Option<String> {
    let (found, before) = (&text[span.clone()], &text[..span.start]);
    // At the end of a value, `found` is its last character.
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let end = if found.starts_with(is_word) { span.end } else { span.start };
    let last = word_before(&text[..end]);
    if found.starts_with('{') && before.trim().is_empty() {
        Some("a scenario is written in RON, not in JSON: use round brackets and no quotes around field names, as in `(name: \"..\", world: (..))`".into())
    } else if found.starts_with('{') {
        Some("write fields in round brackets; `{ }` is for maps, whose keys are strings".into())
    } else if last.starts_with(char::is_uppercase) {
        Some(format!("write `{last}(...)`, with its fields or values in the brackets"))
    } else {
        None
    }
}

/// Returns whether an example of the enclosing field helps with an error.
fn needs_example(error: &Error) -> bool {
    matches!(
        error,
        Error::ExpectedStructLike
            | Error::ExpectedNamedStructLike(_)
            | Error::ExpectedStructLikeEnd
            | Error::ExpectedArray
            | Error::ExpectedMap
            | Error::ExpectedIdentifier
            | Error::ExpectedFloat
            | Error::ExpectedString
            | Error::ExpectedDifferentLength { .. }
            | Error::SuggestRawIdentifier(_)
    )
}

/// Returns whether a text begins with an opening bracket, so that the word before it is the name of a variant.
fn is_call(after: &str) -> bool {
    after.trim_start().starts_with('(')
}

/// Returns advice to write only the string in brackets.
fn only_string(after: &str) -> Option<String> {
    let rest = after.trim_start().strip_prefix('(')?.trim_start();
    let string = rest.strip_prefix('"')?.split('"').next()?;
    Some(format!("write only the string: \"{string}\""))
}

/// Returns an example of a field or a variant.
pub(super) fn example(name: &str) -> Option<&'static str> {
    let mut all = EXAMPLES.iter();
    all.find(|(field, _)| *field == name).map(|(_, example)| *example)
}

/// Returns the example for the innermost field around an offset that has one.
fn enclosing_example(text: &str, at: usize) -> Option<&'static str> {
    let own = word_before(&text[..at]);
    let open = brackets::around(text, at, Language::Ron);
    let outer: Vec<&str> = open.into_iter().rev().map(|open| word_before(&text[..open])).collect();
    // In a plan, `goals` are others.
    if outer.contains(&"tune") {
        return Some(TUNE);
    }
    std::iter::once(own).chain(outer).take(4).find_map(example)
}

/// Returns the last word of a text, without a `:` after it.
pub(super) fn word_before(text: &str) -> &str {
    let text = text.trim_end();
    let text = text.strip_suffix(':').unwrap_or(text).trim_end();
    let start = text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    &text[start.len()..]
}

fn is_quoted_number(found: &str) -> bool {
    found.starts_with('"') && found.trim_matches('"').parse::<f64>().is_ok()
}

/// Returns the number that was meant if one is written with a decimal comma: `0,5`.
fn with_comma(before: &str, found: &str, after: &str) -> Option<String> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let digits = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit());
        text[..end.unwrap_or(text.len())].to_owned()
    };
    // The error is at the part before the comma, or at the part after it.
    let is_value = |text: &str| text.trim_end().ends_with(':');
    if is_digits(found) {
        if is_value(before)
            && let Some(rest) = after.strip_prefix(',')
        {
            let decimals = digits(rest);
            return (!decimals.is_empty()).then(|| format!("{found}.{decimals}"));
        }
        let head = before.strip_suffix(',')?;
        let whole = head.trim_end_matches(|c: char| c.is_ascii_digit());
        let whole = &head[whole.len()..];
        let is_one = !whole.is_empty() && is_value(&head[..head.len() - whole.len()]);
        return is_one.then(|| format!("{whole}.{found}"));
    }
    // In a map, the error is behind the part after the comma, which is no key.
    let end = before.trim_end();
    let head = end.trim_end_matches(|c: char| c.is_ascii_digit());
    let decimals = &end[head.len()..];
    if decimals.is_empty() { None } else { with_comma(head, decimals, "") }
}

/// Returns the number that was meant if one has a letter that looks like a digit: `7o`.
fn with_letter(before: &str, found: &str) -> Option<String> {
    let head = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let digits: Option<String> = found
        .chars()
        .map(|c| match c {
            'o' | 'O' => Some('0'),
            'l' => Some('1'),
            c => c.is_ascii_digit().then_some(c),
        })
        .collect();
    let start = &before[head.len()..];
    digits.filter(|_| !start.is_empty()).map(|digits| format!("{start}{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposed_names_exist_in_scenarios() {
        let spec = [
            include_str!("events.rs"),
            include_str!("fields.rs"),
            include_str!("group_spec.rs"),
            include_str!("moving_obstacles.rs"),
            include_str!("spec.rs"),
            include_str!("surroundings.rs"),
            include_str!("../../core/src/expect/no_overlap.rs"),
            include_str!("../../core/src/world/body.rs"),
            include_str!("../../core/src/world/group.rs"),
            include_str!("../../core/src/world/path.rs"),
            include_str!("../../core/src/world/space.rs"),
        ]
        .concat();
        let fields = FIELDS.iter().flat_map(|(_, _, meant)| meant.split(": "));
        let names = SYNONYMS.iter().map(|(_, meant)| *meant).chain(fields);
        for name in names.chain(EXAMPLES.iter().map(|(name, _)| *name)) {
            let is_there = |c: &str| spec.contains(&format!("{name}{c}"));
            assert!([":", " {", "(", ","].into_iter().any(is_there), "{name}");
        }
        assert_eq!(meant_name("Width", &["size", "min"]), Some("size"));
        assert_eq!(meant_name("width", &["min"]), None);
        assert_eq!(meant_name("behaviour", &["behavior", "spawn"]), Some("behavior"));
    }

    #[test]
    fn a_decimal_comma_is_recognized_in_a_field_but_not_in_a_point() {
        assert_eq!(with_comma("dt: ", "0", ",02)"), Some("0.02".into()));
        assert_eq!(with_comma("radius: 6,", "5", ")"), Some("6.5".into()));
        assert_eq!(with_comma("at: (", "100", ",200)"), None);
        assert_eq!(with_comma("\"far\": 70,0", "}", ""), Some("70.0".into()));
        assert_eq!(with_comma("at: (100,200", "}", ""), None);
        assert_eq!(with_comma("at: (100,", "200", ")"), None);
    }
}
