//! What scripts mention, and what follows from it for a scenario.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::scenario::{Scenario, ScriptAct};
use crate::script::{Behavior, Mentions};

/// Returns what the script of each group mentions; nothing for a group without one.
pub(super) fn mentions(behaviors: &[Option<Arc<Behavior>>]) -> Vec<Rc<Mentions>> {
    let mut known: HashMap<*const Behavior, Rc<Mentions>> = HashMap::new();
    let mut of = |one: &Arc<Behavior>| {
        Rc::clone(known.entry(Arc::as_ptr(one)).or_insert_with(|| Rc::new(one.mentions())))
    };
    behaviors.iter().map(|behavior| behavior.as_ref().map(&mut of).unwrap_or_default()).collect()
}

/// Returns the errors and warnings of a scenario that hold with these scripts.
pub(super) fn undone(scenario: &Scenario, mentions: &[Rc<Mentions>]) -> Vec<Diagnostic> {
    let is_done = |act: ScriptAct| match act {
        ScriptAct::SetsGoals(group) => mentions[usize::from(group.0)].sets_goals(),
        ScriptAct::Makes(group) => {
            let (group, _) = &scenario.setup.groups[usize::from(group.0)];
            mentions.iter().any(|mentions| mentions.makes(&group.name))
        }
    };
    let undone = scenario.unless_scripts.iter().filter(|one| !is_done(one.act));
    undone.map(|one| one.finding.clone()).collect()
}
