//! Help for scripts that use a name of the scenario as if it were a variable.

use std::ops::Range;

use crate::diag::{Code, Diagnostic, Fix, Remedy};
use crate::sim::Setup;

/// Adds help to errors about unknown names in scripts: how to access the thing that has this name in the scenario.
pub(super) fn explain_declared(mut errors: Vec<Diagnostic>, setup: &Setup) -> Vec<Diagnostic> {
    for error in &mut errors {
        let Some(place) = error.place.as_ref().filter(|_| error.code == Code::UnknownName) else {
            continue;
        };
        let name = place.source.text.get(place.span.clone()).unwrap_or_default().to_owned();
        if let Some((what, access)) = how_to_access(&name, setup) {
            // A similar variable of the script is more likely to be meant. Other suggestions would only distract.
            let text = &place.source.text;
            error.help.retain(|help| suggested(help).is_some_and(|name| declares(text, name)));
            error.remedies.0.retain(
                |remedy| matches!(remedy, Remedy::Name { meant, .. } if declares(text, meant)),
            );
            if what == "a group" && is_compared(text, &place.span) {
                let (source, span) = (place.source.clone(), place.span.clone());
                let quoted = format!("\"{name}\"");
                error.help =
                    vec![format!("`{name}` is a group of the scenario: write its name in quotes")];
                let fix = Fix::new(format!("Write `{quoted}`"), &source, span, quoted);
                error.remedies.0 = vec![Remedy::Change(fix)];
                continue;
            }
            error.help.push(format!("`{name}` is {what} of the scenario: write `{access}`"));
            // Behind `me.`, only the rest is written.
            let rest = access.strip_prefix("me.").filter(|_| what == "a param");
            let is_on_me = text[..place.span.start].ends_with("me.");
            error.remedies.0.push(match rest.filter(|_| is_on_me) {
                Some(rest) => Remedy::Change(Fix::new(
                    format!("Write `{rest}`"),
                    &place.source,
                    place.span.clone(),
                    rest,
                )),
                None => Remedy::Name { written: name, meant: access },
            });
        }
    }
    errors
}

/// Returns whether a name is compared with the group of an agent: `me.group == birds`.
fn is_compared(text: &str, name: &Range<usize>) -> bool {
    let before = text[..name.start].trim_end();
    let left = before.strip_suffix("==").or(before.strip_suffix("!="));
    left.is_some_and(|left| left.trim_end().ends_with(".group"))
}

/// Returns the name that help suggests.
fn suggested(help: &str) -> Option<&str> {
    help.strip_prefix("did you mean `")?.strip_suffix("`?")
}

/// Returns true if a script declares a variable of this name.
fn declares(text: &str, name: &str) -> bool {
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(2).any(|pair| pair[0] == "let" && pair[1] == name)
}

/// Returns what has this name in the scenario, and how a script accesses it.
fn how_to_access(name: &str, setup: &Setup) -> Option<(&'static str, String)> {
    let mut groups = setup.groups.iter().map(|(group, _)| group);
    let (what, call) = if setup.obstacles.iter().any(|one| &*one.name == name) {
        ("an obstacle", format!("world.obstacle(\"{name}\")"))
    } else if setup.paths.iter().any(|one| &*one.name == name) {
        ("a path", format!("world.path(\"{name}\")"))
    } else if setup.fields.iter().any(|one| &*one.name == name) {
        ("a field", format!("world.field(\"{name}\")"))
    } else if setup.layers.iter().any(|one| &*one.name == name) {
        ("a layer", format!("world.amount(\"{name}\", me.pos)"))
    } else if groups.clone().any(|group| &*group.name == name) {
        ("a group", format!("me.nearest(\"{name}\")"))
    } else if groups.any(|group| group.params.get(name).is_some()) {
        ("a param", format!("me.params.{name}"))
    } else {
        return None;
    };
    Some((what, call))
}
