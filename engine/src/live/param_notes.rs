//! What the files of a session say of params: the comments beside them, and what scripts do with them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::diag::Source;
use crate::runner::Run;
use crate::scenario::text_parts::comment;
use crate::script::Mentions;
use crate::tokens::ron_tree::RonTree;
use crate::world::Group;

/// What the files say of a param of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParamNote {
    /// The comment beside it in the scenario.
    pub comment: Option<String>,
    /// Whether the script of the group only multiplies forces by it: with 0, nothing is left of these.
    pub is_weight: bool,
}

/// What the files say of params, by the names of groups and params.
pub type ParamNotes = BTreeMap<String, BTreeMap<String, ParamNote>>;

/// Returns what a scenario and its scripts say of the params of each group.
pub(super) fn param_notes(scenario: &Source, run: &Run) -> ParamNotes {
    let tree = RonTree::new(&scenario.text);
    let note = |group: &Group, mentions: &Mentions, param: &str| {
        let own = comment(&tree, &["groups", &group.name, "params", param]);
        let comment = own.or_else(|| comment(&tree, &["params", param]));
        ParamNote { comment, is_weight: mentions.is_weight(param) }
    };
    let of_group = |(group, mentions): (&Group, Rc<Mentions>)| {
        let params = group.params.iter().map(|(param, _)| param.to_owned());
        let notes = params.map(|param| (param.clone(), note(group, &mentions, &param)));
        (group.name.to_string(), notes.collect())
    };
    run.simulation().world().groups.iter().zip(run.mentions()).map(of_group).collect()
}
