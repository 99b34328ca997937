//! Help for scripts that use a name of the scenario as if it were a variable.

use crate::diag::{Code, Diagnostic};
use crate::sim::Setup;

/// Adds help to errors about unknown names in scripts: how to access the thing that has this name in the scenario.
pub(super) fn explain_declared(mut errors: Vec<Diagnostic>, setup: &Setup) -> Vec<Diagnostic> {
    for error in &mut errors {
        let Some(place) = error.place.as_ref().filter(|_| error.code == Code::UnknownName) else {
            continue;
        };
        let name = place.source.text.get(place.span.clone());
        if let Some(access) = name.and_then(|name| how_to_access(name, setup)) {
            // The suggestions of similar names would only distract.
            error.help = vec![access];
        }
    }
    errors
}

/// Returns how a script accesses the thing that has this name in the scenario.
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
