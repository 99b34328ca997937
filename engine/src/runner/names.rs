//! Names that a script uses as if they were its own, and that the scenario declares.

use crate::diag::{Code, Diagnostic};
use crate::sim::Setup;

/// Adds to errors about names that nothing has in a script how to get at what the scenario calls so.
pub(super) fn explain_declared(mut errors: Vec<Diagnostic>, setup: &Setup) -> Vec<Diagnostic> {
    for error in &mut errors {
        let Some(place) = error.place.as_ref().filter(|_| error.code == Code::UnknownName) else {
            continue;
        };
        let name = place.source.text.get(place.span.clone());
        if let Some(access) = name.and_then(|name| how_to_access(name, setup)) {
            // Names that are only alike are not meant.
            error.help = vec![access];
        }
    }
    errors
}

/// How a script gets at what a scenario calls by a name.
fn how_to_access(name: &str, setup: &Setup) -> Option<String> {
    let mut groups = setup.groups.iter().map(|(group, _)| group);
    let (what, call) = if setup.obstacles.iter().any(|one| &*one.name == name) {
        ("an obstacle", format!("world.obstacle(\"{name}\")"))
    } else if setup.paths.iter().any(|one| &*one.name == name) {
        ("a path", format!("world.path(\"{name}\")"))
    } else if groups.clone().any(|group| &*group.name == name) {
        ("a group", format!("me.nearest(\"{name}\")"))
    } else if groups.any(|group| group.params.get(name).is_some()) {
        ("a param", format!("me.params.{name}"))
    } else {
        return None;
    };
    Some(format!("`{name}` is {what} of the scenario: write `{call}`"))
}
